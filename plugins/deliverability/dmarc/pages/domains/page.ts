// The DMARC page: domains and their next policy, guided set-up, failing sources, alerts, settings, reports.
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
  registerCatalog,
  Selection,
  Shortcuts,
  shareStyles,
  tableView
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { alertsCard } from './alerts-card.ts'
import {
  API,
  type Domain,
  type Feedback,
  type Monitoring,
  type Overview,
  type Source
} from './answers.ts'
import { domainColumns, policyWords, reportColumns, roundedDown, sourceColumns } from './columns.ts'
import { feedbackTables, type Newest } from './feedback-tables.ts'
import { SourceLabel } from './label-dialog.ts'
import { SettingsForm } from './settings-dialog.ts'
import { setupSteps } from './setup-steps.ts'
import { domainStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }
import { type RefusedFile, uploadedWords, uploadFiles } from './upload.ts'

/** The elements bring English along. */
const elements: Messages = {}
/** English is what the server says. */
const said: Messages = {}
const refusals: Messages = {}

const LISTED = 20
/** Rows of a table until more are asked for: the newest are enough. */
const FIRST = 10
const withId = <Row extends object>(rows: readonly Row[], idOf: (row: Row) => string) =>
  rows.map((row) => ({ ...row, id: idOf(row) }))

class DomainsPage extends KeelsonPage {
  static override readonly styles = [controls, shareStyles, domainStyles]
  static override readonly properties = {
    ...KeelsonPage.properties,
    _uploading: { state: true },
    _refused: { state: true },
    _untried: { state: true }
  }
  /** Tables whose rows are all shown. */
  readonly #whole = new Set<string>()
  declare _uploading: { readonly done: number; readonly all: number } | undefined
  declare _refused: readonly RefusedFile[]
  declare _untried: number
  readonly #api = apiOf(this, API)
  readonly #overview = new Load(this, {
    args: () => [] as const,
    run: (_args, signal) => this.#api.read<Overview>('', signal)
  })
  readonly #monitoring = new Load(this, {
    args: () => [] as const,
    run: (_args, signal) => this.#api.read<Monitoring>('/monitoring', signal)
  })
  readonly #feedback = new Load(this, {
    args: () => [] as const,
    run: async (_args, signal): Promise<Feedback> => {
      const read = <T>(name: string) => this.#api.read<T>(`/${name}?limit=${LISTED}`, signal)
      const [failures, tls] = await Promise.all([
        read<Pick<Feedback, 'failures'>>('failures'),
        read<Pick<Feedback, 'reports'>>('tls')
      ])
      return { ...failures, ...tls }
    }
  })
  readonly #selection = new Selection<Domain & { id: string }>(this, { param: 'domain' })
  readonly #label = new SourceLabel(this, () => this.#refresh())
  readonly #settings = new SettingsForm(this, () => void this.#monitoring.reload())

  constructor() {
    super()
    this._refused = []
    this._untried = 0
    new Shortcuts(this, () => [
      { keys: 'r', label: this.t('ui.refresh'), run: () => this.#refresh() }
    ])
  }

  protected override get windowTitle(): string {
    return this.t('dmarc.title')
  }

  #refresh(): void {
    void this.#overview.reload()
    void this.#monitoring.reload()
    void this.#feedback.reload()
  }

  get #chosen(): Domain | undefined {
    const domains = this.#overview.value?.domains ?? []
    return domains.find(({ domain }) => domain === this.#selection.id) ?? domains[0]
  }

  protected override content(): TemplateResult {
    const chosen = this.#chosen
    return html`<keelson-page-header heading=${this.t('dmarc.title')}>
        <label class="btn">${icon('arrow-up', 14)}${this._uploading === undefined ? this.t('dmarc.upload') : this.t('dmarc.uploading', { ...this._uploading })}<input class="visually-hidden" type="file" multiple ?disabled=${this._uploading !== undefined} @change=${this.#upload} /></label>
        <button class="btn" @click=${() => this.#refresh()}>${icon('refresh', 14)}${this.t('ui.refresh')}</button>
      </keelson-page-header>
      <div class="main">
        ${this.#refusedFiles()} ${this.#tiles(chosen)} ${this.#domains(chosen)}
        ${[this.#overview, this.#monitoring, this.#feedback].some(({ isFirst }) => isFirst) ? nothing : this.#details(chosen)}
      </div>
      ${this.#label.dialog()} ${this.#settings.dialog()}`
  }

  /** What follows the domains waits for them: it would move while they arrive. */
  #details(chosen: Domain | undefined): TemplateResult {
    return html`${chosen === undefined ? nothing : this.#setup(chosen)} ${this.#sources()}
      ${this.#alerts()} ${this.#reports()}
      ${feedbackTables(this, this.#feedback, this.#newest)}`
  }

  readonly #upload = async (event: Event): Promise<void> => {
    const input = event.target as HTMLInputElement
    const files = [...(input.files ?? [])]
    input.value = ''
    if (files.length === 0) return
    this._uploading = { done: 0, all: files.length }
    const uploaded = await uploadFiles(this.#api, files, (done) => {
      this._uploading = { done, all: files.length }
    })
    this._uploading = undefined
    const { stored, duplicates, refused, untried } = uploaded
    this._refused = refused
    this._untried = untried
    if (stored.length + duplicates > 0) {
      const tone = stored.length > 0 ? 'good' : 'neutral'
      this.toast({ text: uploadedWords(uploaded, this), tone })
    }
    this.#refresh()
  }

  /** Files of the last upload that were refused, each with its reason. */
  #refusedFiles(): TemplateResult | typeof nothing {
    if (this._refused.length === 0 && this._untried === 0) return nothing
    return html`<section class="card refused" role="alert">
      <header><h2>${this.t('dmarc.refused', { count: this._refused.length })}</h2></header>
      <ul class="alerts">${this._refused.map(({ name, why }) => html`<li><b>${name}</b><p>${why}</p></li>`)}</ul>
      ${this._untried === 0 ? nothing : html`<p class="reason">${this.t('dmarc.untried', { count: this._untried })}</p>`}
    </section>`
  }

  #tiles(chosen: Domain | undefined): TemplateResult {
    const { isFirst, failure, value } = this.#overview
    const error = value === undefined ? failure : undefined
    const rate = chosen?.alignmentRate ?? null
    const points = (chosen?.series ?? []).flatMap(({ alignmentRate }) => alignmentRate ?? [])
    const tile = (label: string, shown: string, against: string, line: readonly number[] = []) =>
      html`<keelson-stat label=${this.t(label)} value=${shown} against=${against} .points=${line} .error=${error} ?loading=${isFirst}></keelson-stat>`
    const policy =
      chosen === undefined
        ? '–'
        : policyWords(chosen.currentPolicy, chosen.currentPct, chosen.currentTesting)
    return html`<div class="tiles">
      ${tile('dmarc.aligned', rate === null ? '–' : this.format.percent(roundedDown(rate), 1), this.t('dmarc.alignedNote'), points)}
      ${tile('dmarc.messages', this.format.number(chosen?.totalMessages ?? 0), this.t('dmarc.failed', { count: this.format.number(chosen?.failCount ?? 0) }))}
      ${tile('dmarc.reports', this.format.number(chosen?.reportCount ?? 0), chosen === undefined ? '' : this.t('dmarc.latest', { date: this.format.date(chosen.latestRangeEnd) }))}
      ${tile('dmarc.policy', policy, chosen?.domain ?? '')}
    </div>`
  }

  #domains(chosen: Domain | undefined): TemplateResult {
    const { value } = this.#overview
    const note =
      value === undefined
        ? ''
        : this.t('dmarc.domainsNote', { days: this.format.number(value.retentionDays) })
    return tableView({
      heading: this.t('dmarc.domains'),
      note,
      columns: domainColumns(this),
      rows: withId(value?.domains ?? [], ({ domain }) => domain),
      read: this.#overview,
      selection: this.#selection,
      selected: chosen?.domain ?? null,
      empty: { heading: this.t('dmarc.none'), text: this.t('dmarc.noneText') }
    })
  }

  #setup(domain: Domain): TemplateResult {
    const { settings, dnsChecks = [] } = this.#monitoring.value ?? {}
    const facts = {
      domain,
      sources: this.#overview.value?.sources ?? [],
      check: dnsChecks.find((one) => one.domain === domain.domain),
      reportAddress: settings?.reportAddress ?? null
    }
    return html`<section class="card">
      <header><h2>${this.t('dmarc.setup', { domain: domain.domain })}</h2></header>
      ${setupSteps(facts, this)}
    </section>`
  }

  #sources(): TemplateResult | typeof nothing {
    const { value } = this.#overview
    if (value?.domains.length === 0) return nothing
    const idOf = ({ sourceIp, domain }: Source) => `${sourceIp} ${domain}`
    return tableView({
      heading: this.t('dmarc.sources'),
      note: this.t('dmarc.sourcesNote'),
      columns: sourceColumns(this, this.#label.open),
      rows: withId(value?.sources ?? [], idOf),
      read: this.#overview,
      empty: { heading: this.t('dmarc.noSources'), text: this.t('dmarc.noSourcesText') }
    })
  }

  #alerts(): TemplateResult {
    const { value, missing } = this.#monitoring
    return alertsCard(value?.alerts ?? [], {
      t: this.t,
      format: this.format,
      problem: missing === undefined ? '' : this.#api.words(missing),
      onSettings: value && (() => this.#settings.open(value)),
      onCheck: () => void this.#evaluate()
    })
  }

  async #evaluate(): Promise<void> {
    await this.#api.attempt(async () => {
      const { fired } = await this.#api.act<{ fired: unknown[] }>('POST', '/alerts/evaluate')
      this.toast({ text: this.t('dmarc.evaluated', { count: fired.length }) })
    })
    void this.#monitoring.reload()
  }

  #reports(): TemplateResult | typeof nothing {
    const reports = this.#overview.value?.recentReports ?? []
    if (reports.length === 0) return nothing
    return tableView({
      heading: this.t('dmarc.recent'),
      columns: reportColumns(this),
      ...this.#newest('recent', reports),
      idOf: ({ key }) => key
    })
  }

  /** The first rows of a table, and how to see the rest. */
  readonly #newest: Newest = (table, rows) => {
    if (rows.length <= FIRST || this.#whole.has(table)) return { rows }
    const onMore = () => {
      this.#whole.add(table)
      this.requestUpdate()
    }
    return { rows: rows.slice(0, FIRST), total: rows.length, onMore }
  }
}

registerCatalog('en', elements, { de: () => import('@keelson/ui/german') })
registerCatalog('en', refusals, {
  de: () => import('./refusals.de.json', { with: { type: 'json' } })
})
registerCatalog('en', said, { de: () => import('./said.de.json', { with: { type: 'json' } }) })
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonStat, KeelsonTable, KeelsonEmpty, KeelsonCopy)
definePage('dmarc-domains', DomainsPage)
