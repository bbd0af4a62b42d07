// The Reputation page: what Gmail says about each domain, and Outlook about each address.
import {
  apiOf,
  controls,
  define,
  definePage,
  icon,
  KeelsonCopy,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonStat,
  KeelsonTable,
  Load,
  type Messages,
  RequestError,
  registerCatalog,
  Selection,
  saidWords,
  type TableColumn,
  tableView
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { PostmasterReport } from '../../operations/report.ts'
import { configStyles, notConnected } from './not-connected.ts'
import type { OutlookReport } from './outlook.ts'
import texts from './texts.en.json' with { type: 'json' }

/** The elements bring English along. */
const elements: Messages = {}
/** English is what the server says. */
const said: Messages = {}

const LEVELS = { ok: 'good', warn: 'warn', trip: 'bad' } as const
const FILTERS = { GREEN: 'good', YELLOW: 'warn', RED: 'bad', UNKNOWN: '' } as const

type Domain = PostmasterReport['domains'][number]
type Address = OutlookReport['ips'][number] & { readonly id: string }

class ReputationPage extends KeelsonPage {
  static override readonly styles = [controls, configStyles]
  readonly #api = apiOf(this, { at: '/admin/mailer/api' })
  readonly #gmail = new Load(this, {
    args: () => [] as const,
    run: (_args, signal) => this.#api.read<PostmasterReport>('/postmaster', signal)
  })
  readonly #outlook = new Load(this, {
    args: () => [] as const,
    run: (_args, signal) => this.#readOutlook(signal)
  })
  readonly #selection = new Selection<Domain & { id: string }>(this, { param: 'domain' })

  protected override get windowTitle(): string {
    return this.t('reputation.title')
  }

  /** Null: the plugin is not enabled. */
  async #readOutlook(signal: AbortSignal): Promise<OutlookReport | null> {
    try {
      return await this.#api.read<OutlookReport>('/snds', signal)
    } catch (error) {
      if (error instanceof RequestError && error.status === 404) return null
      throw error
    }
  }

  get #chosen(): Domain | undefined {
    const domains = this.#gmail.value?.domains ?? []
    return domains.find(({ domain }) => domain === this.#selection.id) ?? domains[0]
  }

  get #hasArrived(): boolean {
    return !this.#gmail.isFirst && !this.#outlook.isFirst
  }

  /** Whether there is something to read. */
  get #isConnected(): boolean {
    const { value: gmail } = this.#gmail
    const { value: outlook } = this.#outlook
    return gmail?.configured === true || outlook?.configured === true
  }

  protected override content(): TemplateResult {
    const chosen = this.#chosen
    return html`<keelson-page-header heading=${this.t('reputation.title')}>
        ${this.#isConnected ? html`<button class="btn" @click=${() => void this.#refresh()}>${this.t('reputation.refresh')}</button>` : nothing}
      </keelson-page-header>
      <div class="main">
        ${this.#domains(chosen)} ${chosen === undefined ? nothing : html`${this.#warning(chosen)} ${this.#tiles(chosen)} ${this.#compliance(chosen)}`}
        ${this.#hasArrived ? html`${this.#ranges()} ${this.#addresses()}` : nothing}
      </div>`
  }

  async #refresh(): Promise<void> {
    const sources = ['postmaster', ...(this.#outlook.value?.configured === true ? ['snds'] : [])]
    await this.#api.attempt(async () => {
      const pulls = await Promise.all(
        sources.map((one) => this.#api.act<{ ran: boolean }>('POST', `/${one}/refresh`))
      )
      const hasRun = pulls.some(({ ran }) => ran)
      this.toast({
        text: this.t(hasRun ? 'reputation.read' : 'reputation.notRead'),
        tone: hasRun ? 'good' : 'neutral'
      })
    })
    this.#reload()
  }

  #reload(): void {
    void this.#gmail.reload()
    void this.#outlook.reload()
  }

  #share(value: number | null | undefined, digits = 1): string {
    return value == null ? '–' : this.format.percent(value, digits)
  }

  /** Whole: the table has room for its beginning alone. */
  #warning(domain: Domain): TemplateResult | typeof nothing {
    const words = this.#details(domain)
    if (words === '') return nothing
    return html`<p class="card said ${domain.level}">${icon('alert', 16)} <span><b>${domain.domain}</b> ${words}</span></p>`
  }

  #tiles({ domain, latest, history }: Domain): TemplateResult {
    const days = [...history].reverse()
    const line = (pick: (day: (typeof days)[number]) => number | null) =>
      days.flatMap((day) => pick(day) ?? [])
    const date = latest === null ? '' : this.format.date(latest.date)
    const errors = latest?.deliveryErrors.reduce((sum, { errorRatio }) => sum + errorRatio, 0)
    return html`<div class="tiles">
      <keelson-stat label=${this.t('reputation.spamOf', { domain })} value=${this.#share(latest?.userReportedSpamRatio, 2)} against=${this.t('reputation.spamLimit')} good="down" .points=${line((day) => day.userReportedSpamRatio)}></keelson-stat>
      <keelson-stat label=${this.t('reputation.dmarc')} value=${this.#share(latest?.dmarcSuccessRatio)} against=${date} .points=${line((day) => day.dmarcSuccessRatio)}></keelson-stat>
      <keelson-stat label=${this.t('reputation.tls')} value=${this.#share(latest?.inboundEncryptionRatio)} against=${date} .points=${line((day) => day.inboundEncryptionRatio)}></keelson-stat>
      <keelson-stat label=${this.t('reputation.errors')} value=${this.#share(errors)} against=${date}></keelson-stat>
    </div>`
  }

  #domains(chosen: Domain | undefined): TemplateResult {
    const { value } = this.#gmail
    if (value?.configured === false && value.domains.length === 0)
      return notConnected('gmail', this.t)
    return tableView({
      heading: 'Gmail',
      note: this.t('reputation.gmailNote'),
      columns: this.#domainColumns(),
      rows: (value?.domains ?? []).map((one) => ({ ...one, id: one.domain })),
      read: this.#gmail,
      selection: this.#selection,
      selected: chosen?.domain ?? null,
      empty: {
        heading: this.t('reputation.noDomains'),
        text: this.t('reputation.noDomainsText')
      }
    })
  }

  #domainColumns(): TableColumn<Domain & { id: string }>[] {
    return [
      { id: 'domain', header: this.t('reputation.domain'), cell: ({ domain }) => domain },
      {
        id: 'level',
        header: this.t('reputation.verdict'),
        width: 96,
        cell: ({ level }) =>
          html`<span class="tag ${LEVELS[level]}">${this.t(`reputation.level.${level}`)}</span>`
      },
      {
        id: 'spam',
        header: this.t('reputation.spam'),
        width: 96,
        align: 'end',
        cell: ({ latest }) => this.#share(latest?.userReportedSpamRatio, 2)
      },
      {
        id: 'tier',
        header: this.t('reputation.tier'),
        width: 96,
        hideBelow: 760,
        cell: ({ latest }) => this.#word('reputation.tier', latest?.domainReputation ?? null)
      },
      {
        id: 'date',
        header: this.t('reputation.latest'),
        width: 116,
        quiet: true,
        hideBelow: 640,
        cell: ({ latest }) => (latest === null ? '–' : this.format.date(latest.date))
      },
      {
        id: 'message',
        header: this.t('reputation.message'),
        grow: 2,
        quiet: true,
        hideBelow: 880,
        cell: (domain) => this.#details(domain) || '–',
        hint: (domain) => this.#details(domain)
      }
    ]
  }

  /** A code of Gmail in words; one without words is new. */
  #word(kind: string, code: string | null): string {
    if (code === null) return '–'
    const key = `${kind}.${code}`
    const words = this.t(key)
    return words === key ? this.t('reputation.other', { code }) : words
  }

  /** What Gmail says against the domain, or why it could not be asked. */
  #details(domain: Domain): string {
    const { errorMessage } = domain
    if (errorMessage === null) return saidWords(domain, this)
    return this.t('reputation.unread', { error: errorMessage })
  }

  #compliance({ domain, compliance }: Domain): TemplateResult | typeof nothing {
    if (compliance.length === 0) return nothing
    const columns: TableColumn<Domain['compliance'][number] & { id: string }>[] = [
      {
        id: 'what',
        header: this.t('reputation.requirement'),
        cell: ({ requirement }) => this.#word('reputation.requirement', requirement)
      },
      {
        id: 'status',
        header: this.t('reputation.verdict'),
        width: 150,
        cell: ({ status }) =>
          html`<span class="tag ${status === 'COMPLIANT' ? 'good' : 'warn'}">${this.#word('reputation.status', status)}</span>`
      },
      {
        id: 'reason',
        header: this.t('reputation.reason'),
        grow: 2,
        quiet: true,
        wraps: true,
        hideBelow: 560,
        cell: ({ reason }) => this.#word('reputation.reason', reason)
      }
    ]
    const isMet = (one: { readonly status: string }) => Number(one.status === 'COMPLIANT')
    const rows = compliance
      .map((one) => ({ ...one, id: one.requirement }))
      .sort((a, b) => isMet(a) - isMet(b))
    const count = rows.filter((one) => isMet(one) === 1).length
    return tableView({
      heading: this.t('reputation.compliance'),
      note: this.t('reputation.met', { domain, count, all: rows.length }),
      columns,
      rows
    })
  }

  #addresses(): TemplateResult {
    const { value } = this.#outlook
    const isOn = value?.configured === true
    if (value !== undefined && !isOn && (value?.ips ?? []).length === 0)
      return notConnected('outlook', this.t)
    const columns: TableColumn<Address>[] = [
      { id: 'ip', header: this.t('reputation.ip'), mono: true, cell: ({ ip }) => ip },
      {
        id: 'filter',
        header: this.t('reputation.verdict'),
        width: 96,
        cell: ({ latest }) =>
          html`<span class="tag ${FILTERS[latest.filterResult]}">${this.t(`reputation.filter.${latest.filterResult}`)}</span>`
      },
      {
        id: 'complaints',
        header: this.t('reputation.complaints'),
        width: 112,
        align: 'end',
        cell: ({ latest }) => this.#share(latest.complaintRate, 2)
      },
      {
        id: 'traps',
        header: this.t('reputation.traps'),
        width: 84,
        align: 'end',
        hideBelow: 560,
        cell: ({ latest }) =>
          latest.trapMessageCount === null ? '–' : this.format.number(latest.trapMessageCount)
      },
      {
        id: 'recipients',
        header: this.t('reputation.recipients'),
        width: 100,
        align: 'end',
        hideBelow: 640,
        cell: ({ latest }) =>
          latest.messageRecipients === null ? '–' : this.format.number(latest.messageRecipients)
      },
      {
        id: 'end',
        header: this.t('reputation.latest'),
        width: 150,
        quiet: true,
        hideBelow: 760,
        cell: ({ latest }) => this.format.date(latest.activityEnd)
      }
    ]
    return tableView({
      heading: 'Outlook (SNDS)',
      note: this.t('reputation.outlookNote'),
      columns,
      rows: (value?.ips ?? []).map((one): Address => ({ ...one, id: one.ip })),
      read: this.#outlook,
      empty: { heading: this.t('reputation.noIps'), text: this.t('reputation.noIpsText') }
    })
  }

  #ranges(): TemplateResult | typeof nothing {
    const blocked = this.#outlook.value?.ranges.filter(({ isBlocked }) => isBlocked) ?? []
    if (blocked.length === 0) return nothing
    const columns: TableColumn<(typeof blocked)[number] & { id: string }>[] = [
      {
        id: 'range',
        header: this.t('reputation.range'),
        mono: true,
        cell: ({ firstIp, lastIp }) => (firstIp === lastIp ? firstIp : `${firstIp} – ${lastIp}`)
      },
      {
        id: 'reason',
        header: this.t('reputation.reason'),
        grow: 2,
        quiet: true,
        wraps: true,
        cell: ({ reason }) => reason ?? '–',
        hint: ({ reason }) => reason ?? undefined
      }
    ]
    const rows = blocked.map((one) => ({ ...one, id: one.firstIp }))
    return tableView({ heading: this.t('reputation.blocked'), columns, rows })
  }
}

registerCatalog('en', said, { de: () => import('./said.de.json', { with: { type: 'json' } }) })
registerCatalog('en', elements, { de: () => import('@keelson/ui/german') })
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonStat, KeelsonTable, KeelsonCopy, KeelsonEmpty)
definePage('postmaster-reputation', ReputationPage)
