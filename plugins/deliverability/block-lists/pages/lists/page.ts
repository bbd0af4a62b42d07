// The Block lists page: what each list says about sender domains and addresses, and what changed.

import type { Static } from '@keelson/sdk'
import {
  apiOf,
  controls,
  define,
  definePage,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonTable,
  Load,
  type Messages,
  registerCatalog,
  type TableColumn,
  tableView,
  timeColumn
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { DnsblReport, historySchema, runSchema } from '../../operations/report.ts'
import texts from './texts.en.json' with { type: 'json' }

/** The elements bring English along. */
const elements: Messages = {}

type Check = DnsblReport['checks'][number] & { readonly id: string }
type Recheck = Static<typeof runSchema>
type Change = Static<typeof historySchema>['changes'][number] & { readonly id: string }

class ListsPage extends KeelsonPage {
  static override readonly styles = [controls]
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

  protected override content(): TemplateResult {
    const listed = this.#report.value?.checks.filter(isSpam).length ?? 0
    return html`<keelson-page-header heading=${this.t('lists.title')}>
        ${listed === 0 ? nothing : html`<span slot="tags" class="tag bad">${this.t('lists.listedCount', { count: listed })}</span>`}
        <button class="btn" ?disabled=${this.#isBusy} @click=${() => void this.#recheck()}>${this.t('lists.recheck')}</button>
      </keelson-page-header>
      <div class="main">${this.#checks()} ${this.#report.isFirst ? nothing : html`${this.#disabled()} ${this.#changes()}`}</div>`
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
      .map((check): Check => ({ ...check, id: `${check.list} ${check.target}` }))
      .sort((a, b) => rank(a) - rank(b))
    const at = value?.latestRunAt ?? null
    const isOff = value?.reason === 'disabled'
    return tableView({
      heading: this.t('lists.checks'),
      note: at === null ? '' : this.t('lists.checkedAt', { time: this.format.relative(at) }),
      columns: this.#checkColumns(),
      rows,
      read: this.#report,
      empty: {
        heading: this.t(isOff ? 'lists.offTitle' : 'lists.none'),
        text: this.t(isOff ? 'lists.off' : 'lists.noneText')
      }
    })
  }

  #checkColumns(): TableColumn<Check>[] {
    const meaning = ({ codes, errorMessage }: Check) =>
      codes.map((one) => one.meaning).join('; ') || (errorMessage ?? '–')
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
        hideBelow: 480,
        cell: ({ target }) => target
      },
      {
        id: 'verdict',
        header: this.t('lists.verdict'),
        width: 110,
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
        width: 110,
        cell: (change) => this.#verdict(change)
      },
      {
        id: 'list',
        header: this.t('lists.list'),
        hideBelow: 480,
        cell: ({ listLabel }) => listLabel
      },
      {
        id: 'target',
        header: this.t('lists.target'),
        mono: true,
        hideBelow: 560,
        cell: ({ target }) => target
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

/** Policy lists say nothing about spam. */
const isSpam = ({ result, category }: Pick<Check, 'result' | 'category'>): boolean =>
  result === 'listed' && category !== 'policy'

const rank = (check: Check): number => {
  if (isSpam(check)) return 0
  return { listed: 1, error: 2, clean: 3 }[check.result]
}

registerCatalog('en', elements, { de: () => import('@keelson/ui/german') })
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonTable, KeelsonEmpty)
definePage('block-lists-lists', ListsPage)
