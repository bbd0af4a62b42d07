// The Block lists page: what each list says about sender domains and addresses, and what changed.

import type { Static } from '@keelson/sdk'
import {
  apiOf,
  controls,
  define,
  definePage,
  KeelsonCopy,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonStat,
  KeelsonTable,
  Load,
  type Messages,
  registerCatalog,
  type TableColumn,
  tableView,
  timeColumn,
  timeText
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { DnsblReport, historySchema, runSchema } from '../../operations/report.ts'
import { type Check, listingCard } from './listing-card.ts'
import { listStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }

/** The elements bring English along. */
const elements: Messages = {}

type Row = Check & { readonly id: string }
type Recheck = Static<typeof runSchema>
type Change = Static<typeof historySchema>['changes'][number] & { readonly id: string }

/** An address that is reserved for documentation. */
const EXAMPLE = '"block-lists": { "config": { "dnsServers": "192.0.2.53", "intervalHours": 24 } }'

class ListsPage extends KeelsonPage {
  static override readonly styles = [controls, listStyles]
  readonly #api = apiOf(this, { at: '/admin/mailer/api' })
  #isBusy = false
  readonly #report = new Load(this, {
    args: () => [] as const,
    run: (_args, signal) => this.#api.read<DnsblReport>('/dnsbl', signal)
  })
  readonly #history = new Load(this, {
    args: () => [] as const,
    run: (_args, signal) => this.#api.read<Static<typeof historySchema>>('/dnsbl/history', signal)
  })

  protected override get windowTitle(): string {
    return this.t('lists.title')
  }

  /** Nothing was ever checked, and nothing will be. */
  get #isOff(): boolean {
    const { value } = this.#report
    return value?.reason === 'disabled' && value.checks.length === 0
  }

  protected override content(): TemplateResult {
    const listings = this.#report.value?.checks.filter(isSpam) ?? []
    const count = listings.length
    return html`<keelson-page-header heading=${this.t('lists.title')}>
        ${count === 0 ? nothing : html`<span slot="tags" class="tag bad">${this.t('lists.listedCount', { count })}</span>`}
        ${this.#isOff ? nothing : html`<button class="btn" ?disabled=${this.#isBusy} @click=${() => void this.#recheck()}>${this.t('lists.recheck')}</button>`}
      </keelson-page-header>
      <div class="main">${
        this.#isOff
          ? this.#howToStart()
          : html`${this.#figures()} ${count === 0 ? nothing : listingCard(listings, this)}
            ${this.#checks()} ${this.#report.isFirst ? nothing : html`${this.#disabled()} ${this.#changes()}`}`
      }</div>`
  }

  #howToStart(): TemplateResult {
    return html`<section class="card"><keelson-empty heading=${this.t('lists.offTitle')} text=${this.t('lists.off')}>
      <p class="config"><code class="mono">${EXAMPLE}</code>
        <keelson-copy text=${EXAMPLE} label=${this.t('lists.copy', { what: this.t('lists.config') })}></keelson-copy></p>
    </keelson-empty></section>`
  }

  /** Where one is listed comes first; a list that gave no answer is not a good sign. */
  #figures(): TemplateResult {
    const { value, missing, isFirst } = this.#report
    const { format, t } = this
    const checks = value?.checks ?? []
    const listed = checks.filter(isSpam).length
    const silent = checks.filter(({ result }) => result === 'error').length
    const policy = checks.filter((one) => one.result === 'listed' && !isSpam(one)).length
    const at = value?.latestRunAt ?? null
    const tile = (key: string, figure: string) => html`<keelson-stat
      label=${t(key)}
      value=${figure}
      against=${t(`${key}Note`, { count: checks.length, hours: value?.intervalHours ?? 0 })}
      .error=${missing}
      ?loading=${isFirst}
    ></keelson-stat>`
    return html`<div class="tiles">
      ${tile('lists.listedTile', format.number(listed))}
      ${tile('lists.policyTile', format.number(policy))}
      ${tile('lists.silentTile', format.number(silent))}
      ${tile('lists.lastTile', at === null ? '–' : timeText(at, Date.now(), format))}
    </div>`
  }

  #refresh(): void {
    void this.#report.reload()
    void this.#history.reload()
  }

  async #recheck(): Promise<void> {
    this.#isBusy = true
    this.requestUpdate()
    await this.#api.attempt(async () => {
      this.#tell(await this.#api.act<Recheck>('POST', '/dnsbl/recheck'))
    })
    this.#isBusy = false
    this.requestUpdate()
    this.#refresh()
  }

  #tell({ ran, totalChecks = 0, listedCount = 0, unansweredLists: silent = [] }: Recheck): void {
    if (!ran) {
      this.toast({ text: this.t('lists.off') })
      return
    }
    const values = { count: totalChecks, listed: this.format.number(listedCount) }
    const checked = this.t('lists.checked', values)
    const text =
      silent.length === 0
        ? checked
        : `${checked}. ${this.t('lists.silent', { count: silent.length, lists: silent.join(', ') })}`
    this.toast({ text, tone: listedCount > 0 || silent.length > 0 ? 'bad' : 'good' })
  }

  #checks(): TemplateResult {
    const { value } = this.#report
    const rows = (value?.checks ?? [])
      .map((check): Row => ({ ...check, id: `${check.list} ${check.target}` }))
      .sort((a, b) => rank(a) - rank(b))
    return tableView({
      heading: this.t('lists.checks'),
      note: this.t('lists.checksNote'),
      columns: this.#checkColumns(),
      rows,
      read: this.#report,
      empty: { heading: this.t('lists.none'), text: this.t('lists.noneText') }
    })
  }

  #checkColumns(): TableColumn<Row>[] {
    const meaning = (check: Check) =>
      check.result === 'clean' ? this.#cleanSince(check) : meaningOf(check)
    return [
      {
        id: 'list',
        header: this.t('lists.list'),
        cell: ({ listLabel }) => listLabel,
        hint: ({ list }) => list
      },
      {
        id: 'target',
        header: this.t('lists.target'),
        mono: true,
        wraps: true,
        cell: ({ target }) => target,
        hint: ({ target }) => target
      },
      {
        id: 'verdict',
        header: this.t('lists.verdict'),
        width: 128,
        cell: (check) => this.#verdict(check)
      },
      {
        id: 'code',
        header: this.t('lists.answer'),
        width: 120,
        mono: true,
        hideBelow: 760,
        cell: ({ returnCodes }) => returnCodes.join(', ') || '–'
      },
      {
        id: 'meaning',
        header: this.t('lists.meaning'),
        grow: 2,
        quiet: true,
        hideBelow: 640,
        cell: meaning,
        hint: meaning
      }
    ]
  }

  /** The latest change of a pair that is clean says since when. */
  #cleanSince({ list, target }: Check): string {
    const changes = this.#history.value?.changes ?? []
    const latest = changes.find((one) => one.list === list && one.target === target)
    if (latest?.result !== 'clean') return '–'
    return this.t('lists.cleanSince', { date: this.format.date(latest.at) })
  }

  #verdict(check: Pick<Check, 'result' | 'category'>): TemplateResult {
    const [tone, key] =
      check.result === 'clean'
        ? ['good', 'lists.clean']
        : check.result === 'error'
          ? ['', 'lists.noAnswer']
          : isSpam(check)
            ? ['bad', 'lists.listed']
            : ['info', 'lists.policy']
    return html`<span class="tag ${tone}">${this.t(key ?? '')}</span>`
  }

  #disabled(): TemplateResult | typeof nothing {
    const lists = this.#report.value?.disabledLists ?? []
    if (lists.length === 0) return nothing
    const columns: TableColumn<(typeof lists)[number] & { id: string }>[] = [
      { id: 'list', header: this.t('lists.list'), cell: ({ list }) => list },
      {
        id: 'reason',
        header: this.t('lists.reason'),
        grow: 2,
        cell: ({ reason }) => reason,
        hint: ({ reason }) => reason
      }
    ]
    return tableView({
      heading: this.t('lists.disabled'),
      note: this.t('lists.disabledNote'),
      columns,
      rows: lists.map((one) => ({ ...one, id: one.list }))
    })
  }

  #changes(): TemplateResult {
    const rows = (this.#history.value?.changes ?? []).map(
      (change): Change => ({ ...change, id: `${change.at} ${change.list} ${change.target}` })
    )
    const columns: TableColumn<Change>[] = [
      timeColumn(this, ({ at }) => at, { id: 'at', header: this.t('lists.when') }),
      {
        id: 'what',
        header: this.t('lists.verdict'),
        width: 128,
        cell: (change) => this.#verdict(change)
      },
      {
        id: 'listing',
        header: this.t('lists.change'),
        wraps: true,
        cell: ({ listLabel, target }) =>
          html`<span class="mono">${target}</span> <span class="dim">${listLabel}</span>`,
        hint: ({ list, target }) => `${target} · ${list}`
      },
      {
        id: 'meaning',
        header: this.t('lists.meaning'),
        quiet: true,
        hideBelow: 640,
        cell: meaningOf,
        hint: meaningOf
      }
    ]
    return tableView({
      heading: this.t('lists.changes'),
      columns,
      rows,
      read: this.#history,
      empty: { heading: this.t('lists.noChanges'), text: this.t('lists.noChangesText') }
    })
  }
}

/** What a list says of a target, or why it does not answer. */
const meaningOf = (said: Pick<Check, 'codes'> & { readonly errorMessage?: string | null }) =>
  said.codes.map((one) => one.meaning).join('; ') || (said.errorMessage ?? '–')

/** Policy lists say nothing about spam. */
const isSpam = ({ result, category }: Pick<Check, 'result' | 'category'>): boolean =>
  result === 'listed' && category !== 'policy'

const rank = (check: Check): number => {
  if (isSpam(check)) return 0
  return { listed: 1, error: 2, clean: 3 }[check.result]
}

registerCatalog('en', elements, { de: () => import('@keelson/ui/german') })
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonStat, KeelsonTable, KeelsonCopy, KeelsonEmpty)
definePage('block-lists-lists', ListsPage)
