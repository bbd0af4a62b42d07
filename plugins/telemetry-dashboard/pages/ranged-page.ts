// A page that looks at a range of time: range and filters of its address, fixed until asked anew, or live.
import {
  type Filter,
  type FilterField,
  icon,
  type Range,
  rangeBounds,
  type Shortcut
} from '@keelson/ui'
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import {
  type Changes,
  filterChanges,
  filterParams,
  filtersOf,
  rangeChanges,
  rangeOf,
  settleFilters,
  withFilter
} from './address.ts'
import { chooseInterval, type Interval, type Span } from './buckets.ts'
import type { EmptyReason } from './empty.ts'
import type { Counts } from './requests.ts'
import { TelemetryPage } from './telemetry-page.ts'

/** How often Live looks for something new, and relative times are written anew, in milliseconds. */
const LIVE_EVERY = 5000
const TIMES_EVERY = 30_000

export class RangedPage extends TelemetryPage {
  static override readonly properties: Record<string, object> = {
    ...TelemetryPage.properties,
    _now: { state: true }
  }
  /** The moment that a range such as `7d` ends at: fixed until something else is asked. */
  declare _now: number
  #asked = ''
  #ticker: ReturnType<typeof setInterval> | undefined
  #lastWritten = 0

  constructor() {
    super()
    this._now = Date.now()
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#ticker = setInterval(() => this.#tick(), 1000)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#ticker)
  }

  #tick(): void {
    if (document.visibilityState !== 'visible') return
    const now = Date.now()
    if (this.isLive && now - this._now >= LIVE_EVERY && !this.isWaiting) this.refresh()
    else if (now - this.#lastWritten >= TIMES_EVERY) this.requestUpdate()
  }

  protected get filters(): Filter[] {
    return filtersOf(this.params)
  }

  /** The filters as the API is asked with them. */
  protected get asking(): URLSearchParams {
    return filterParams(this.params)
  }

  protected readonly filterHref = (filter: Filter): string =>
    this.address(this.#filtered(withFilter(this.filters, filter)))

  protected readonly exclude = (filter: Filter): void =>
    this.go(this.#filtered(withFilter(this.filters, { ...filter, not: true })))

  #filtered(filters: readonly Filter[]): Changes {
    return { ...filterChanges(filters), ...this.closed }
  }

  /** The filters as chips, with what can be added. */
  protected filterChips(fields: readonly FilterField[]): TemplateResult {
    return html`<keelson-filter-chips
      keys
      .fields=${fields}
      .filters=${this.filters}
      @keelson-filters=${({ detail }: CustomEvent<{ filters: Filter[] }>) =>
        this.go(this.#filtered(settleFilters(detail.filters)))}
    ></keelson-filter-chips>`
  }

  protected get range(): Range {
    return rangeOf(this.params, this.usualRange)
  }

  protected get span(): Span {
    const { from, to } = rangeBounds(this.range, new Date(this._now))
    return { from: from.getTime(), to: to.getTime() }
  }

  protected get interval(): Interval {
    return chooseInterval(this.span, this.params.get('interval'))
  }

  /** Whether the range moves with time. */
  protected get isMoving(): boolean {
    return 'range' in this.range
  }

  protected get isLive(): boolean {
    return this.isMoving && this.params.get('live') === '1'
  }

  /** Whether an answer is still on its way: Live then does not ask again. */
  protected get isWaiting(): boolean {
    return false
  }

  /** Asks for everything again, up to now. */
  protected refresh(): void {
    this._now = Date.now()
  }

  /** What the window is called. */
  protected get windowTitle(): string {
    return ''
  }

  /** What a change of range or filter closes. */
  protected get closed(): Changes {
    return {}
  }

  /** The range, for links to the other pages. */
  protected get rangeParams(): Record<string, string> {
    const changes = Object.entries(rangeChanges(this.range))
    return Object.fromEntries(changes.filter((entry): entry is [string, string] => !!entry[1]))
  }

  protected override get shortcuts(): readonly Shortcut[] {
    return [
      ...super.shortcuts,
      { keys: 'r', label: this.t('page.refresh'), run: () => this.refresh() },
      { keys: 'l', label: this.t('page.liveHint'), run: () => this.#toggleLive() },
      { keys: 't', label: this.t('page.view'), run: () => this.#toggleView() }
    ]
  }

  #toggleLive(): void {
    if (this.isMoving) this.go({ live: this.isLive ? null : '1' }, { replace: true })
  }

  /** How a chart is shown. */
  protected get chartView(): 'chart' | 'table' {
    return this.params.get('chart') === 'table' ? 'table' : 'chart'
  }

  #toggleView(): void {
    this.go({ chart: this.chartView === 'table' ? null : 'table' }, { replace: true })
  }

  protected readonly onView = ({ detail }: CustomEvent<{ view: string }>): void =>
    this.go({ chart: detail.view === 'table' ? 'table' : null }, { replace: true })

  protected readonly onBrush = ({ detail }: CustomEvent<{ from: number; to: number }>): void => {
    const iso = (at: number) => new Date(at).toISOString()
    const range = { from: iso(detail.from), to: iso(detail.to) }
    this.go({ ...rangeChanges(range), ...this.closed })
  }

  protected rangePicker(): TemplateResult {
    return html`<keelson-range-picker
      .value=${this.range}
      @keelson-range=${({ detail }: CustomEvent<{ value: Range }>) =>
        this.go({ ...rangeChanges(detail.value, this.usualRange), ...this.closed })}
    ></keelson-range-picker>`
  }

  protected liveButton(): TemplateResult {
    return html`<button
      class="btn"
      aria-pressed=${this.isLive ? 'true' : 'false'}
      ?disabled=${!this.isMoving}
      title=${this.t(this.isMoving ? 'page.liveHint' : 'page.liveFixed')}
      @click=${() => this.#toggleLive()}
    >${icon('live', 14)}${this.t('page.live')}<kbd class="hide" aria-hidden="true">L</kbd></button>`
  }

  /** Leads whoever may make one to a new rule on what is shown. */
  protected alertLink(params: Readonly<Record<string, string>>): TemplateResult | typeof nothing {
    if (this.registry.value?.role !== 'admin') return nothing
    const hint = this.t('page.alertHint')
    return html`<a class="btn" title=${hint} aria-label=${hint} href=${this.pageHref('alerts', params)}
      >${icon('alert', 14)}<span class="hide">${this.t('page.alert')}</span></a
    >`
  }

  /** Where the numbers of a chart come from, for its line of actions. */
  protected sourceOf(counts: Omit<Counts, 'buckets'> | undefined): TemplateResult | typeof nothing {
    if (counts === undefined) return nothing
    const said = [counts.source, counts.truncated && 'truncated', counts.sampled && 'sampled']
    const words = said.filter((word) => typeof word === 'string')
    return html`<span
      slot="actions"
      class="dim source"
      title=${words.map((word) => this.t(`stat.${word}Hint`)).join('. ')}
      >${words.map((word) => this.t(`stat.${word}`)).join(', ')}</span
    >`
  }

  /** Why a list is empty, and the ways out. */
  protected whyEmpty(reason: EmptyReason): TemplateResult {
    return html`<keelson-empty
      slot="empty"
      heading=${this.t(reason.heading, reason.values)}
      text=${this.t(reason.text, reason.values)}
    >
      <div class="actions">
        ${reason.actions.map(
          ({ label, values, changes }) =>
            html`<a class="btn" href=${this.address({ ...changes, ...this.closed })}
              >${this.t(label, values)}</a
            >`
        )}
      </div>
    </keelson-empty>`
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed)
    this.#lastWritten = Date.now()
    const asked = `${this.asking} ${JSON.stringify(this.range)} ${this.windowTitle}`
    if (asked === this.#asked) return
    this.#asked = asked
    this._now = Date.now()
    this.setTitle(this.windowTitle)
  }
}
