// The Alerts page: rules, what they did, and the form that makes one of any query.
import {
  controls,
  define,
  definePage,
  exportButtons,
  KeelsonCopy,
  KeelsonDialog,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonFilterChips,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonTable,
  type Messages,
  registerCatalog,
  Selection,
  Shortcuts,
  tableView
} from '@keelson/ui'
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { attrKey, settleFilters } from '../address.ts'
import { amountText } from '../amount.ts'
import { Dashboard } from '../dashboard.ts'
import { dimensions } from '../events/dimensions.ts'
import { filterFields } from '../events/fields.ts'
import { activityFamilies, type Family, milestoneFamilies } from '../journeys/families.ts'
import { groupingsOf, POINTS } from '../metrics/choices.ts'
import { registerRecordTexts } from '../records/texts.ts'
import { metricKeys } from '../registry.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { type AlertWords, changeColumns, ruleColumns } from './columns.ts'
import { ruleDetail } from './detail.ts'
import { editor } from './editor.ts'
import { metricsOf, rulesOf } from './loads.ts'
import { readsOfDraft, settledMetric } from './metric-draft.ts'
import {
  type Draft,
  draftOf,
  draftOfRule,
  isOfPoints,
  type PreviewAnswer,
  questionOf,
  type RuleAnswer,
  specOf
} from './rule.ts'
import { secretDialog } from './secret-dialog.ts'
import { alertsStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }

/** English is what the server says. */
const about: Messages = {}

const MONTH = 30 * 86_400_000
/** Parameters of a draft: gone with the dialog. */
const DRAFT = [
  'new',
  'source',
  'metric',
  'measure',
  'by',
  'amount',
  'as',
  'stages',
  'name',
  'kind',
  'severity',
  'env',
  'service',
  'release',
  'subject',
  'fingerprint',
  'attrs'
] as const
/** Fields that a rule cannot watch. */
const UNWATCHED = new Set(['traceId', 'actor'])

class AlertsPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, alertsStyles]
  static override readonly properties = {
    ...KeelsonPage.properties,
    _draft: { state: true },
    _problem: { state: true },
    _isSending: { state: true },
    _preview: { state: true },
    _isTrying: { state: true },
    _secret: { state: true }
  }
  declare _draft: Draft | undefined
  declare _problem: string
  declare _isSending: boolean
  declare _preview: PreviewAnswer | undefined
  declare _isTrying: boolean
  /** The secret that was just created: kept only until the dialog is closed. */
  declare _secret: string
  #asked = ''
  readonly #dashboard = new Dashboard(this)
  readonly #api = this.#dashboard.api
  readonly #registry = this.#dashboard.registry
  readonly #selection = new Selection<RuleAnswer>(this, { param: 'rule', closes: { edit: null } })
  readonly #rules = rulesOf(this, this.#api)
  readonly #metrics = metricsOf(this, this.#api, () => this._draft?.source === 'metric')

  constructor() {
    super()
    this._draft = undefined
    this._problem = ''
    this._isSending = false
    this._preview = undefined
    this._isTrying = false
    this._secret = ''
    const refresh = () => void this.#rules.reload()
    const create = () => this.go({ new: 'rule' })
    new Shortcuts(this, () => [
      { keys: 'r', label: this.t('ui.refresh'), run: refresh },
      ...(this.#dashboard.isAdmin ? [{ keys: 'n', label: this.t('alert.new'), run: create }] : [])
    ])
  }

  protected override get windowTitle(): string {
    return this.t('alerts.title')
  }

  get #words(): AlertWords {
    return {
      format: this.format,
      now: Date.now(),
      isPlatform: this.#dashboard.isPlatform,
      t: this.t,
      duration: (ms) => this.format.duration(ms)
    }
  }

  get #open(): RuleAnswer | undefined {
    return this.#rules.value?.rules.find(({ id }) => id === this.#selection.id)
  }

  /** A draft begins when the address asks for one, and ends with it. */
  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed)
    const { params } = this
    const edited = params.has('edit') ? this.#open : undefined
    const asked = !this.#dashboard.isAdmin
      ? ''
      : params.get('new') === 'rule'
        ? `new ${params}`
        : edited === undefined
          ? ''
          : `edit ${edited.id}`
    if (asked === this.#asked) return
    this.#asked = asked
    this._preview = undefined
    this._problem = ''
    if (asked === '') this._draft = undefined
    else this._draft = this.#settle(edited === undefined ? draftOf(params) : draftOfRule(edited))
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has('_draft') || changed.get('_draft') !== undefined) return
    const field = this.renderRoot.querySelector<HTMLElement>('#alert-name')
    requestAnimationFrame(() => field?.focus())
  }

  get #bucketed(): readonly Family[] {
    const rollups = Object.values(this.#registry.value?.registry ?? {}).flatMap(
      (one) => one.rollups
    )
    const found = rollups.filter(({ bucket }) => bucket !== null)
    return [...new Map(found.map((one) => [one.as, one])).values()]
  }

  /** The draft with families that exist: a select without a valid choice shows its first. */
  #settle(draft: Draft): Draft {
    const registry = this.#registry.value
    if (registry === undefined) return draft
    const families = draft.source === 'distinct' ? activityFamilies(registry) : this.#bucketed
    const isKnown = families.some(({ as }) => as === draft.as)
    const stages =
      draft.stages ||
      milestoneFamilies(registry)
        .map(({ as }) => as)
        .join()
    return { ...draft, stages, as: isKnown ? draft.as : (families[0]?.as ?? '') }
  }

  /** The draft as it is shown and sent: the metrics that there are may be known later than it. */
  get #settled(): Draft | undefined {
    const metrics = this.#metrics.value?.metrics ?? []
    return this._draft && settledMetric(this._draft, metrics)
  }

  #change(change: Partial<Draft>): void {
    if (this._draft === undefined) return
    const filters = change.filters === undefined ? {} : { filters: settleFilters(change.filters) }
    this._draft = this.#settle({ ...this._draft, ...change, ...filters })
    this._preview = undefined
  }

  #closeDraft(): void {
    const none = Object.fromEntries(DRAFT.map((name) => [name, null]))
    this.go({ ...none, edit: null }, { replace: true })
  }

  async #try(): Promise<void> {
    const draft = this.#settled
    if (draft === undefined) return
    this._isTrying = true
    this._problem = ''
    const to = new Date()
    const range = new URLSearchParams({
      from: new Date(to.getTime() - MONTH).toISOString(),
      to: to.toISOString()
    })
    try {
      const spec = specOf(draft, this.t('alert.new'))
      this._preview = await this.#api.act<PreviewAnswer>(
        'POST',
        `/api/alerts/preview?${range}`,
        spec
      )
    } catch (error) {
      this._problem = this.#api.words(error)
    } finally {
      this._isTrying = false
    }
  }

  async #save(): Promise<void> {
    const draft = this.#settled
    if (draft === undefined) return
    this._isSending = true
    this._problem = ''
    const edited = this.params.has('edit') ? this.#open : undefined
    const [method, path] =
      edited === undefined ? ['POST', '/api/alerts'] : ['PUT', `/api/alerts/${edited.id}`]
    try {
      const saved = await this.#api.act<{ webhookSecret?: string }>(method, path, specOf(draft))
      this._secret = saved.webhookSecret ?? ''
      this.#closeDraft()
      this.toast({ text: this.t('alert.saved') })
      await this.#rules.reload()
    } catch (error) {
      this._problem = this.#api.words(error)
    } finally {
      this._isSending = false
    }
  }

  async #put(rule: RuleAnswer, method: string, body?: unknown): Promise<void> {
    const path = `/api/alerts/${rule.id}`
    if (await this.#api.attempt(() => this.#api.act(method, path, body))) await this.#rules.reload()
  }

  async #remove(rule: RuleAnswer): Promise<void> {
    const isSure = await this.confirm({
      heading: this.t('alert.deleteHeading', { name: rule.name }),
      text: this.t('alert.deleteText'),
      action: this.t('alert.deleteAction'),
      tone: 'bad'
    })
    if (!isSure) return
    this.go({ rule: null }, { replace: true })
    await this.#put(rule, 'DELETE')
  }

  protected override content(): TemplateResult {
    return html`<keelson-page-header heading=${this.t('alerts.title')}>
        ${
          this.#dashboard.isAdmin
            ? html`<button class="btn primary" @click=${() => this.go({ new: 'rule' })}
              >${this.t('alert.new')}</button
            >`
            : nothing
        }
      </keelson-page-header>
      <div class="main">${this.#list()} ${this.#rules.isFirst ? nothing : this.#history()}</div>
      ${this.#editor()}
      ${secretDialog(this._secret, this.t, () => {
        this._secret = ''
      })}`
  }

  #list(): TemplateResult {
    const rules = this.#rules.value?.rules ?? []
    const selection = this.#selection
    const firing = rules.filter(({ state, enabled }) => enabled && state === 'firing').length
    return tableView({
      heading: this.t('alerts.rules'),
      note: this.#rules.value === undefined ? '' : this.t('alerts.note', { count: firing }),
      skeleton: 4,
      columns: ruleColumns(this.#words),
      rows: rules,
      read: this.#rules,
      selection,
      actions: exportButtons({ name: 'alerts', rows: rules }, this.t),
      empty: { heading: this.t('alerts.none'), text: this.t('alerts.noneText') },
      panel: {
        label: this.t('alert.label', { name: this.#open?.name ?? '' }),
        isOpen: selection.id !== null && this.#rules.value !== undefined,
        content: this.#detail()
      }
    })
  }

  #detail(): TemplateResult {
    return ruleDetail(this.#open, this.#rules.value?.changes ?? [], {
      ...this.#words,
      editHref: this.#dashboard.isAdmin ? this.address({ edit: '1' }) : undefined,
      questionHref: (rule) => {
        const question = questionOf(rule)
        return question && this.#dashboard.href(question.page, question.params)
      },
      toggle: (rule) => {
        const toggled = { ...draftOfRule(rule), enabled: !rule.enabled }
        void this.#put(rule, 'PUT', specOf(toggled))
      },
      remove: (rule) => void this.#remove(rule)
    })
  }

  #history(): TemplateResult {
    const changes = this.#rules.value?.changes ?? []
    return tableView({
      heading: this.t('alerts.history'),
      note: this.t('alerts.historyNote'),
      skeleton: 3,
      columns: changeColumns(this.#words),
      rows: changes,
      read: this.#rules,
      actions: exportButtons({ name: 'alert history', rows: changes }, this.t),
      empty: { heading: this.t('alerts.quiet') }
    })
  }

  #editor(): TemplateResult | typeof nothing {
    const draft = this.#settled
    const registry = this.#registry.value
    if (draft === undefined || registry === undefined) return nothing
    const { t } = this
    const isOfMetric = draft.source === 'metric'
    const named = draft.filters.find(({ field }) => field === 'name')?.value ?? null
    const name = isOfMetric ? POINTS : named
    const fields = filterFields(registry, this.#dashboard, name)
      .filter(({ id }) => !UNWATCHED.has(id) && (attrKey(id) !== undefined || !id.includes('.')))
      .filter(({ id }) => !isOfMetric || isOfPoints({ field: id }))
      .map((field) => ({ ...field, negatable: false }))
    const metrics = this.#metrics.value?.metrics ?? []
    return editor({
      draft,
      fields,
      metricNames: [...new Set(metrics.map((one) => one.name))],
      reads: readsOfDraft(draft, metrics),
      groupings: isOfMetric ? groupingsOf(registry) : [],
      t,
      isNew: !this.params.has('edit'),
      isSending: this._isSending,
      isTrying: this._isTrying,
      problem: this._problem,
      preview: this._preview,
      bucketed: this.#bucketed,
      activity: activityFamilies(registry),
      milestones: milestoneFamilies(registry),
      recordMetrics: [...metricKeys(registry, name), 'durationMs'],
      dimensions: dimensions(registry, name, t),
      duration: (ms) => this.format.duration(ms),
      date: (at) => this.format.dateTime(at),
      number: (value) => amountText(value, this.format),
      onChange: (change) => this.#change(change),
      onTry: () => void this.#try(),
      onSave: () => void this.#save(),
      onClose: () => this.#closeDraft()
    })
  }
}

registerTexts()
registerRecordTexts()
registerCatalog('en', about, { de: () => import('./about.de.json', { with: { type: 'json' } }) })
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(
  KeelsonPageHeader,
  KeelsonTable,
  KeelsonDrawer,
  KeelsonDialog,
  KeelsonFilterChips,
  KeelsonEmpty,
  KeelsonCopy
)
definePage('telemetry-dashboard-alerts', AlertsPage)
