// The Events page: figures, a chart and the records behind them, for what the address says.
import {
  controls,
  define,
  definePage,
  exportButtons,
  KeelsonCopy,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonFilterChips,
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonStat,
  KeelsonTable,
  loadChart
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { type Changes, filterChanges } from '../address.ts'
import { alertParams } from '../alert-link.ts'
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
import { recordCells } from '../records/export.ts'
import { recordBody, recordHead } from '../records/panel.ts'
import type { RecordRow } from '../records/record.ts'
import { recordStyles } from '../records/styles.ts'
import { registerRecordTexts } from '../records/texts.ts'
import { measureOf, namesByKind } from '../registry.ts'
import { shareStyles } from '../share-bar.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { filterFields } from './fields.ts'
import { type Dimension, dimensions, type Group, groupColumns, groupSeries } from './groups.ts'
import { EventsState } from './state.ts'
import { registerEventsTexts } from './texts.ts'
import { busiestTile, countTile, type TileView, tileView } from './tile-view.ts'

const MOST_TILES = 4
const CLOSED: Changes = { record: null, at: null }

class EventsPage extends EventsState {
  static override readonly styles = [controls, recordStyles, pageStyles, shareStyles]

  override connectedCallback(): void {
    super.connectedCallback()
    void loadChart()
  }

  protected override get closed(): Changes {
    return CLOSED
  }

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

  #onName(event: Event): void {
    const { value } = event.target as HTMLSelectElement
    const filters = this.filters.filter(({ field }) => field !== 'name')
    const named = value === '' ? filters : [{ field: 'name', value }, ...filters]
    this.go({ ...filterChanges(named), ...CLOSED })
  }

  protected override content(): TemplateResult {
    return html`${this.#header()}
      <div class="main">
        ${this.#chips()}
        <h2 class="visually-hidden">${this.t('events.figures')}</h2>
        <div class="tiles">${this.#tileViews().map((tile) => this.#stat(tile))}</div>
        ${this.#chart()} ${this.#groups()}
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
    const option = (one: string) => html`<option .selected=${one === name}>${one}</option>`
    return html`<keelson-page-header heading=${this.t('events.title')}>
      <select
        slot="tags"
        class="field pick"
        aria-label=${this.t('events.pick')}
        @change=${this.#onName}
      >
        <option value="" .selected=${name === null}>${this.t('events.all')}</option>
        ${name === null || groups.some(({ names }) => names.includes(name)) ? nothing : option(name)}
        ${groups.map(({ kind, names }) => html`<optgroup label=${kind}>${names.map(option)}</optgroup>`)}
      </select>
      ${this.rangePicker()} ${this.liveButton()} ${this.alertLink(alertParams(this.filters))}
      ${this.viewsButton()}
    </keelson-page-header>`
  }

  #chips(): TemplateResult {
    const registry = this.registry.value
    const t = (key: string) => this.t(key)
    const rows = this.records.value?.items ?? []
    return this.filterChips(
      registry === undefined ? [] : filterFields(registry, rows, this.eventName, t)
    )
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
      caveat=${tile.caveat}
      tone=${tile.isBad ? 'bad' : ''}
      href=${isErrors ? this.filterHref({ field: 'kind', value: 'error' }) : ''}
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
    const groups = this.#shownGroups
    const lines =
      groups === undefined
        ? [{ id: 'now', label, values: values.slice(cut) }]
        : groupSeries(groups, bucketStarts(groups.span, groups.interval), this.t('group.none')).map(
            (series) => ({ ...series, values: series.values.slice(cut) })
          )
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
        ...lines,
        { id: 'before', label: this.t('events.previous'), values: ghost.slice(cut), ghost: true }
      ]}
      kind=${starts.length > 3 ? 'line' : 'bars'}
      view=${this.chartView}
      .loading=${(this.counts.isPending || (this.by !== null && this.groups.isPending)) && !this.isLive}
      .error=${this.counts.status === 'error' ? this.counts.error : undefined}
      @keelson-brush=${this.onBrush}
      @keelson-view=${this.onView}
      @keelson-retry=${() => this.counts.reload()}
    >${this.sourceOf(groups ?? counts?.now)}${this.#grouping()}${this.#intervals()}</keelson-chart>`
  }

  /** The groups of the moment, once they are those that were asked for. */
  get #shownGroups() {
    const groups = this.groups.value
    return groups?.by === this.by ? groups : undefined
  }

  get #dimensions(): readonly Dimension[] {
    const registry = this.registry.value
    return registry === undefined ? [] : dimensions(registry, this.eventName, (key) => this.t(key))
  }

  #grouping(): TemplateResult {
    return html`<select
      slot="actions"
      class="field small"
      aria-label=${this.t('group.by')}
      @change=${(event: Event) =>
        this.go({ by: (event.target as HTMLSelectElement).value }, { replace: true })}
    >
      <option value="" .selected=${this.by === null}>${this.t('group.noneBy')}</option>
      ${this.#dimensions.map(
        ({ id, label }) =>
          html`<option value=${id} .selected=${id === this.by}>${this.t('group.byOne', { name: label })}</option>`
      )}
    </select>`
  }

  #groups(): TemplateResult | typeof nothing {
    const { by } = this
    if (by === null) return nothing
    const groups = this.#shownGroups
    const label = this.#dimensions.find(({ id }) => id === by)?.label ?? by
    const rows = groups?.groups ?? []
    return html`<keelson-table
      heading=${this.t('group.heading', { name: label })}
      note=${groups === undefined ? '' : this.t(groups.truncated ? 'group.truncated' : 'group.note')}
      skeleton="5"
      .columns=${groupColumns({
        ...this.#words,
        by,
        label,
        filterHref: this.filterHref,
        exclude: this.exclude
      })}
      .rows=${rows}
      .rowId=${({ value }: Group) => value}
      .loading=${groups === undefined && this.groups.status !== 'error'}
      .error=${this.groups.status === 'error' ? this.groups.error : undefined}
      @keelson-retry=${() => this.groups.reload()}
    >${exportButtons(
      {
        name: `${this.eventName ?? 'events'} by ${label}`,
        rows: rows.map(({ value, count }) => ({ [label]: value, count }))
      },
      (key, values) => this.t(key, values)
    )}</keelson-table>`
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
        (interval) => html`<option value=${interval} .selected=${interval === this.interval}
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
        t: (key, values) => this.t(key, values),
        measure,
        isPlatform: registry?.platform === true,
        filterHref: this.filterHref,
        exclude: this.exclude
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
    >${this.#exports()}${this.whyEmpty(whyEmpty(this.filters, this.range, registry))}</keelson-table>`
  }

  #exports(): TemplateResult | typeof nothing {
    const rows = this.records.value?.items ?? []
    return exportButtons(
      { name: this.eventName ?? 'events', rows, cells: () => recordCells(rows) },
      (key, values) => this.t(key, values)
    )
  }

  #panel(): TemplateResult | typeof nothing {
    if (this.wanted.record === null) return nothing
    const row = this.openRow
    const options = {
      ...this.#words,
      filterHref: this.filterHref,
      exclude: this.exclude,
      journeyHref: (subject: string) => this.pageHref('journey', { subject }),
      traceHref: (trace: string) => this.pageHref('trace', { ...this.rangeParams, trace })
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
registerRecordTexts()
registerEventsTexts()
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
