// The Events page: figures, a chart and the records behind them, for what the address says.
import {
  controls,
  define,
  definePage,
  type Filter,
  icon,
  KeelsonCopy,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonFilterChips,
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonStat,
  KeelsonTable,
  loadChart,
  type Range,
  Shortcuts
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { type Changes, filterChanges, rangeChanges, settleFilters, withFilter } from '../address.ts'
import {
  bucketStarts,
  cutBuckets,
  fillBuckets,
  fits,
  ghostValues,
  INTERVAL_MS,
  INTERVALS,
  total
} from '../buckets.ts'
import { whyEmpty } from '../empty.ts'
import { recordColumns } from '../records/columns.ts'
import { toCsv, toJson } from '../records/export.ts'
import { recordBody, recordHead } from '../records/panel.ts'
import type { FilterValue, RecordRow } from '../records/record.ts'
import { recordStyles } from '../records/styles.ts'
import { measureOf, namesByKind } from '../registry.ts'
import { registerTexts } from '../texts.ts'
import { filterFields } from './fields.ts'
import { EventsState } from './state.ts'
import { eventsStyles } from './styles.ts'
import { busiestTile, countTile, type TileView, tileView } from './tile-view.ts'

/** How often Live looks for new rows, in milliseconds. */
const LIVE_EVERY = 5000
/** How often relative times are written anew, in milliseconds. */
const TIMES_EVERY = 30_000
const MOST_TILES = 4
const CLOSED: Changes = { record: null, at: null }

class EventsPage extends EventsState {
  static override readonly styles = [controls, recordStyles, eventsStyles]
  #ticker: ReturnType<typeof setInterval> | undefined
  #lastWritten = 0

  constructor() {
    super()
    new Shortcuts(this, () => [
      { keys: 'l', label: this.t('events.liveHint'), run: () => this.#toggleLive() },
      { keys: 't', label: this.t('events.view'), run: () => this.#toggleView() },
      { keys: 'r', label: this.t('events.refresh'), run: () => this.refresh() }
    ])
  }

  override connectedCallback(): void {
    super.connectedCallback()
    void loadChart()
    this.#ticker = setInterval(() => this.#tick(), 1000)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#ticker)
  }

  #tick(): void {
    if (document.visibilityState !== 'visible') return
    const now = Date.now()
    if (this.isLive && now - this._now >= LIVE_EVERY && !this.records.isPending) this.refresh()
    else if (now - this.#lastWritten >= TIMES_EVERY) this.requestUpdate()
  }

  #toggleLive(): void {
    if (this.isMoving) this.go({ live: this.isLive ? null : '1' }, { replace: true })
  }

  #toggleView(): void {
    const isTable = this.params.get('chart') === 'table'
    this.go({ chart: isTable ? null : 'table' }, { replace: true })
  }

  readonly #filterHref = (filter: FilterValue): string =>
    this.address({ ...filterChanges(withFilter(this.filters, filter)), ...CLOSED })

  #recordChanges(row: RecordRow): Changes {
    return { record: this.rowId(row), at: row.occurredAt }
  }

  #onOpen(event: CustomEvent<{ row: RecordRow }>): void {
    event.preventDefault()
    this.go(this.#recordChanges(event.detail.row))
  }

  /** While a record is open, moving through the list shows the next one. */
  #onMove({ detail }: CustomEvent<{ row: RecordRow }>): void {
    if (this.wanted.record !== null) this.go(this.#recordChanges(detail.row), { replace: true })
  }

  #onFilters({ detail }: CustomEvent<{ filters: Filter[] }>): void {
    this.go({ ...filterChanges(settleFilters(detail.filters)), ...CLOSED })
  }

  #onName(event: Event): void {
    const { value } = event.target as HTMLSelectElement
    const filters = this.filters.filter(({ field }) => field !== 'name')
    const named = value === '' ? filters : [{ field: 'name', value }, ...filters]
    this.go({ ...filterChanges(named), ...CLOSED })
  }

  #onBrush({ detail }: CustomEvent<{ from: number; to: number }>): void {
    const iso = (at: number) => new Date(at).toISOString()
    this.go(rangeChanges({ from: iso(detail.from), to: iso(detail.to) }))
  }

  #download(format: 'csv' | 'json'): void {
    const rows = this.records.value?.items ?? []
    const text = format === 'csv' ? toCsv(rows) : toJson(rows)
    const type = format === 'csv' ? 'text/csv' : 'application/json'
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([text], { type }))
    link.download = `${this.eventName ?? 'events'}.${format}`
    link.click()
    URL.revokeObjectURL(link.href)
  }

  protected override content(): TemplateResult {
    this.#lastWritten = Date.now()
    return html`${this.#header()}
      <div class="main">
        ${this.#chips()}
        <h2 class="visually-hidden">${this.t('events.figures')}</h2>
        <div class="tiles">${this.#tileViews().map((tile) => this.#stat(tile))}</div>
        ${this.#chart()}
        <keelson-drawer
          ?open=${this.wanted.record !== null}
          label=${this.t('record.label', { name: this.openRow?.name ?? '', id: this.openRow?._id ?? '' })}
          @keelson-close=${() => this.go(CLOSED, { replace: true })}
        >
          ${this.#rows()}${this.#panel()}
        </keelson-drawer>
      </div>`
  }

  #header(): TemplateResult {
    const name = this.eventName
    const groups = this.registry.value === undefined ? [] : namesByKind(this.registry.value)
    const isKnown = groups.some(({ names }) => names.some((one) => one === name))
    const option = (one: string) => html`<option ?selected=${one === name}>${one}</option>`
    return html`<keelson-page-header heading=${this.t('events.title')}>
      <select
        slot="tags"
        class="field pick"
        aria-label=${this.t('events.pick')}
        .value=${name ?? ''}
        @change=${this.#onName}
      >
        <option value="" ?selected=${name === null}>${this.t('events.all')}</option>
        ${name !== null && !isKnown ? option(name) : nothing}
        ${groups.map(({ kind, names }) => html`<optgroup label=${kind}>${names.map(option)}</optgroup>`)}
      </select>
      <keelson-range-picker
        .value=${this.range}
        @keelson-range=${({ detail }: CustomEvent<{ value: Range }>) =>
          this.go({ ...rangeChanges(detail.value), ...CLOSED })}
      ></keelson-range-picker>
      <button
        class="btn"
        aria-pressed=${this.isLive ? 'true' : 'false'}
        ?disabled=${!this.isMoving}
        title=${this.t(this.isMoving ? 'events.liveHint' : 'events.liveFixed')}
        @click=${() => this.#toggleLive()}
      >${icon('live', 14)}${this.t('events.live')}<kbd class="hide" aria-hidden="true">L</kbd></button>
    </keelson-page-header>`
  }

  #chips(): TemplateResult | typeof nothing {
    const registry = this.registry.value
    const t = (key: string) => this.t(key)
    const rows = this.records.value?.items ?? []
    return html`<keelson-filter-chips
      keys
      .fields=${registry === undefined ? [] : filterFields(registry, rows, this.eventName, t)}
      .filters=${this.filters}
      @keelson-filters=${this.#onFilters}
    ></keelson-filter-chips>`
  }

  get #words() {
    return {
      format: this.format,
      t: (key: string, values?: Record<string, string | number>) => this.t(key, values)
    }
  }

  get #countLabel(): string {
    return this.eventName ?? this.t('events.records')
  }

  /** The tiles that can be shown; null stands for one that is on its way. */
  #tileViews(): (TileView | null)[] {
    const counts = this.counts.value
    const tiles = this.tiles.value
    if (counts === undefined) return this.counts.status === 'error' ? [] : [null, null, null, null]
    const { now, before, span, interval } = counts
    const starts = bucketStarts(span, interval)
    const values = fillBuckets(now.buckets, starts, 0)
    const sumBefore = total(before.buckets.map(({ value }) => value))
    const own = (tiles?.tiles ?? []).flatMap((tile, at) => {
      const pair = tiles?.pairs[at]
      return pair?.status === 'fulfilled' && tiles !== undefined
        ? [tileView(tile, pair.value, tiles.span, this.#words)]
        : []
    })
    const views: (TileView | null)[] = [
      countTile(this.#countLabel, now, values, sumBefore, this.#words),
      ...(this.tiles.isFirst ? [null, null] : own),
      busiestTile(now, values, starts, interval, this.#words)
    ]
    return views.slice(0, MOST_TILES)
  }

  #stat(tile: TileView | null): TemplateResult {
    if (tile === null) return html`<keelson-stat label="…" loading></keelson-stat>`
    const isErrors = tile.id === 'errors'
    return html`<keelson-stat
      label=${tile.label}
      value=${tile.value}
      .change=${tile.change}
      against=${tile.against}
      good=${tile.good}
      .points=${tile.points}
      source=${tile.source}
      tone=${tile.isBad ? 'bad' : ''}
      href=${isErrors ? this.#filterHref({ field: 'kind', value: 'error' }) : ''}
    ></keelson-stat>`
  }

  #chart(): TemplateResult {
    const counts = this.counts.value
    const starts = counts === undefined ? [] : bucketStarts(counts.span, counts.interval)
    const values = counts === undefined ? [] : fillBuckets(counts.now.buckets, starts, 0)
    const ghost =
      counts === undefined
        ? []
        : ghostValues(counts.before.buckets, counts.span, counts.interval, starts.length)
    const cut = cutBuckets(starts, counts?.span ?? this.span)
    const label = this.#countLabel
    const totals = {
      total: this.format.number(total(values)),
      before: this.format.number(total(ghost))
    }
    const interval = counts?.interval ?? this.interval
    return html`<keelson-chart
      heading=${this.t('events.by', { name: label, interval: this.t(`interval.${interval}`) })}
      caption=${this.t('events.caption', totals)}
      .times=${starts.slice(cut)}
      .interval=${INTERVAL_MS[interval]}
      .series=${[
        { id: 'now', label, values: values.slice(cut) },
        { id: 'before', label: this.t('events.previous'), values: ghost.slice(cut), ghost: true }
      ]}
      kind=${starts.length > 3 ? 'line' : 'bars'}
      view=${this.params.get('chart') === 'table' ? 'table' : 'chart'}
      .loading=${this.counts.isPending && !this.isLive}
      .error=${this.counts.status === 'error' ? this.counts.error : undefined}
      @keelson-brush=${this.#onBrush}
      @keelson-view=${({ detail }: CustomEvent<{ view: string }>) =>
        this.go({ chart: detail.view === 'table' ? 'table' : null }, { replace: true })}
      @keelson-retry=${() => this.counts.reload()}
    >${this.#intervals()}</keelson-chart>`
  }

  #intervals(): TemplateResult {
    return html`<select
      slot="actions"
      class="field small"
      aria-label=${this.t('events.interval')}
      @change=${(event: Event) =>
        this.go({ interval: (event.target as HTMLSelectElement).value }, { replace: true })}
    >
      ${INTERVALS.filter((interval) => fits(interval, this.span)).map(
        (interval) => html`<option value=${interval} ?selected=${interval === this.interval}
          >${this.t(`interval.${interval}`)}</option>`
      )}
    </select>`
  }

  #rows(): TemplateResult {
    const page = this.records.value
    const registry = this.registry.value
    const counts = this.counts.value
    const count = total(counts?.now.buckets.map(({ value }) => value) ?? [])
    const measure = registry === undefined ? undefined : measureOf(registry, this.eventName)
    return html`<keelson-table
      slot="list"
      keys
      heading=${this.t('events.rows')}
      note=${counts === undefined ? this.t('events.note') : this.t('events.noteCount', { count })}
      .columns=${recordColumns({
        now: Date.now(),
        format: this.format,
        t: (key) => this.t(key),
        measure,
        isPlatform: registry?.platform === true,
        filterHref: this.#filterHref
      })}
      .rows=${page?.items ?? []}
      .rowId=${(row: RecordRow) => this.rowId(row)}
      .rowHref=${(row: RecordRow) => this.address(this.#recordChanges(row))}
      .selected=${this.wanted.record}
      .loading=${this._loadingMore || this.records.isFirst || (this.records.isPending && !this.isLive)}
      .error=${this.records.status === 'error' ? this.records.error : undefined}
      ?more=${typeof page?.nextCursor === 'string'}
      @keelson-open=${this.#onOpen}
      @keelson-move=${this.#onMove}
      @keelson-more=${() => this.loadMore()}
      @keelson-retry=${() => this.records.reload()}
    >${this.#exports()}${this.#empty()}</keelson-table>`
  }

  #exports(): TemplateResult | typeof nothing {
    if ((this.records.value?.items.length ?? 0) === 0) return nothing
    const button = (format: 'csv' | 'json') => {
      const name = this.t(format === 'csv' ? 'events.exportCsv' : 'events.exportJson')
      const hint = this.t('events.export', { format: name })
      return html`<button
        slot="actions"
        class="export"
        title=${hint}
        aria-label=${hint}
        @click=${() => this.#download(format)}
      >${name}</button>`
    }
    return html`${button('csv')}${button('json')}`
  }

  #empty(): TemplateResult {
    const reason = whyEmpty(this.filters, this.range, this.registry.value)
    return html`<keelson-empty
      slot="empty"
      heading=${this.t(reason.heading, reason.values)}
      text=${this.t(reason.text, reason.values)}
    >
      <div class="actions">
        ${reason.actions.map(
          ({ label, values, changes }) =>
            html`<a class="btn" href=${this.address({ ...changes, ...CLOSED })}>${this.t(label, values)}</a>`
        )}
      </div>
    </keelson-empty>`
  }

  #panel(): TemplateResult | typeof nothing {
    if (this.wanted.record === null) return nothing
    const row = this.openRow
    const options = {
      ...this.#words,
      filterHref: this.#filterHref,
      traceHref: (trace: string) => this.pageHref('traces', { trace })
    }
    if (row === undefined) {
      return html`<div class="bones" aria-busy="true">${Array.from({ length: 8 }, () => html`<span class="bone"></span>`)}</div>`
    }
    if (row === null) {
      return html`<keelson-empty
        heading=${this.t('record.missing')}
        text=${this.t('record.missingText')}
      ></keelson-empty>`
    }
    return html`${recordHead(row, options)}${recordBody(row, options)}`
  }
}

registerTexts()
define(
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonFilterChips,
  KeelsonStat,
  KeelsonTable,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonCopy
)
definePage('telemetry-dashboard-events', EventsPage)
