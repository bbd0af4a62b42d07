// The Traces page: how long spans take, the spans themselves, and one trace as a waterfall.
import {
  controls,
  define,
  definePage,
  icon,
  KeelsonCopy,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonFilterChips,
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonStat,
  KeelsonTable
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { type Changes, filterChanges, metricField, withFilter } from '../address.ts'
import { alertParams } from '../alert-link.ts'
import { bucketStarts, change, fillBuckets, total } from '../buckets.ts'
import { whyEmpty } from '../empty.ts'
import { filterFields } from '../events/fields.ts'
import { exportButtons } from '../export.ts'
import { recordCells } from '../records/export.ts'
import { recordBody, recordHead } from '../records/panel.ts'
import type { FilterValue, RecordRow } from '../records/record.ts'
import { recordStyles } from '../records/styles.ts'
import { registerRecordTexts } from '../records/texts.ts'
import { caveatOf } from '../requests.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { spanColumns, type TraceWords, waterfallColumns } from './columns.ts'
import { type Bar, histogram } from './histogram.ts'
import { overviewStrip, stretchOf, stretchText, within } from './overview-strip.ts'
import { TracesState } from './state.ts'
import { tracesStyles } from './styles.ts'
import { registerTracesTexts } from './texts.ts'
import type { TraceItem, TraceView } from './tree.ts'

const LIST: Changes = { trace: null, span: null, zoom: null }
const DURATION = metricField('durationMs')

class TracesPage extends TracesState {
  static override readonly styles = [controls, recordStyles, pageStyles, tracesStyles]

  get #words(): TraceWords {
    return {
      format: this.format,
      now: Date.now(),
      isPlatform: this.registry.value?.platform === true,
      t: (key) => this.t(key)
    }
  }

  readonly #say = (key: string, values: Record<string, string>): string => this.t(key, values)

  protected override content(): TemplateResult {
    return this.traceId === null ? this.#list() : this.#trace(this.traceId)
  }

  // The list.

  #list(): TemplateResult {
    return html`<keelson-page-header heading=${this.t('traces.title')}>
        ${this.rangePicker()} ${this.liveButton()}
        ${this.alertLink(alertParams(this.filters, { kind: 'span', measure: 'avg:durationMs' }))}
        ${this.viewsButton()}
      </keelson-page-header>
      <div class="main">
        ${this.#chips()}
        <h2 class="visually-hidden">${this.t('traces.figures')}</h2>
        <div class="tiles">${this.#countTile()} ${this.#durationTiles()}</div>
        ${this.#histogram()} ${this.#spans()}
      </div>`
  }

  #chips(): TemplateResult {
    const registry = this.registry.value
    const t = (key: string) => this.t(key)
    const rows = this.spans.value?.items ?? []
    const fields =
      registry === undefined ? [] : filterFields(registry, rows, this.params.get('name'), t)
    const duration = { id: DURATION, label: this.t('fact.durationMs'), values: [], multiple: true }
    const shown = fields.filter(({ id }) => id !== 'kind' && id !== 'fingerprint')
    return this.filterChips([...shown, duration])
  }

  #countTile(): TemplateResult {
    const counts = this.counts.value
    const values =
      counts === undefined
        ? []
        : fillBuckets(counts.now.buckets, bucketStarts(counts.span, counts.interval), 0)
    const before = total(counts?.before.buckets.map(({ value }) => value) ?? [])
    const sum = total(values)
    return html`<keelson-stat
      label=${this.t('traces.spans')}
      value=${this.format.compact(sum)}
      .change=${change(sum, before)}
      against=${this.t('tile.against', { value: this.format.compact(before) })}
      .points=${values}
      source=${counts?.now.source ?? ''}
      caveat=${counts === undefined ? '' : caveatOf(counts.now)}
      ?loading=${this.counts.isFirst}
    ></keelson-stat>`
  }

  #durationTiles(): TemplateResult[] {
    const { now, before } = this.durations.value ?? {}
    const slowest = now?.max === undefined ? '' : this.format.duration(now.max)
    const note = now?.truncated === true ? this.t('tile.truncated', { n: now.n }) : ''
    return (['p50', 'p95', 'p99'] as const).map((key) => {
      const value = now?.[key]
      const earlier = before?.[key]
      const against =
        key === 'p99' && slowest !== '' ? this.t('traces.slowest', { value: slowest }) : note
      return html`<keelson-stat
        label=${this.t(`traces.${key}`)}
        value=${value === undefined ? '–' : this.format.duration(value)}
        .change=${value === undefined || earlier === undefined ? null : change(value, earlier)}
        against=${against}
        good="down"
        source="raw"
        caveat=${now?.truncated === true ? 'truncated' : ''}
        ?loading=${this.durations.isFirst}
      ></keelson-stat>`
    })
  }

  #histogram(): TemplateResult | typeof nothing {
    if (this.durations.status === 'error') {
      return html`<keelson-error
        .error=${this.durations.error}
        retry
        @keelson-retry=${() => this.durations.reload()}
      ></keelson-error>`
    }
    const bars = this.durations.value?.now.histogram ?? []
    if (bars.length === 0) return nothing
    const others = this.filters.filter(({ field }) => field !== DURATION)
    const barHref = ({ min, max }: Bar) =>
      this.address(
        filterChanges([
          ...others,
          { field: DURATION, value: `≥ ${min}` },
          { field: DURATION, value: `≤ ${max}` }
        ])
      )
    return html`<div class="card panel histogram">
      <header>
        <h2>${this.t('traces.histogram')}</h2>
        <span class="dim">${this.t('traces.histogramNote')}</span>
      </header>
      ${histogram(bars, { format: this.format, t: (key, values) => this.t(key, values), barHref })}
    </div>`
  }

  #traceChanges(row: RecordRow): Changes {
    return { trace: row.traceId ?? null, span: this.rowId(row) }
  }

  #spans(): TemplateResult {
    const page = this.spans.value
    const counts = this.counts.value
    const count = total(counts?.now.buckets.map(({ value }) => value) ?? [])
    const rows = page?.items ?? []
    const longest = Math.max(0, ...rows.map(({ durationMs = 0 }) => durationMs))
    return html`<keelson-table
      keys
      heading=${this.t('traces.spans')}
      note=${counts === undefined ? '' : this.t('traces.noteCount', { count })}
      .columns=${spanColumns(this.#words, longest)}
      .rows=${rows}
      .rowId=${(row: RecordRow) => this.rowId(row)}
      .rowHref=${(row: RecordRow) => this.address(this.#traceChanges(row))}
      .loading=${this._loadingMore || this.spans.isFirst || (this.spans.isPending && !this.isLive)}
      .error=${this.spans.status === 'error' ? this.spans.error : undefined}
      ?more=${typeof page?.nextCursor === 'string'}
      @keelson-more=${() => this.loadMore()}
      @keelson-retry=${() => this.spans.reload()}
    >${exportButtons({ name: 'spans', rows, cells: () => recordCells(rows) }, this.#say)}
      ${this.whyEmpty(whyEmpty(this.filters, this.range, this.registry.value))}</keelson-table>`
  }

  // One trace.

  #trace(traceId: string): TemplateResult {
    const loaded = this.trace.value
    const view = loaded?.traceId === traceId ? loaded.view : undefined
    const isMissing = loaded?.traceId === traceId && view === undefined
    return html`<keelson-page-header heading=${view?.title ?? this.t('trace.title')}>
        <span slot="tags" class="mono dim id" title=${traceId}>${traceId}</span>
        <keelson-copy slot="tags" text=${traceId} label=${this.t('trace.id')}></keelson-copy>
        <a class="btn back" href=${this.address(LIST)}>${icon('chevron-left', 14)}${this.t('trace.back')}</a>
      </keelson-page-header>
      <div class="main">
        ${isMissing ? this.#missing() : html`${this.#traceTiles(view)} ${this.#strip(view)} ${this.#waterfall(view)}`}
      </div>`
  }

  #missing(): TemplateResult {
    return html`<div class="card">
      <keelson-empty heading=${this.t('trace.missing')} text=${this.t('trace.missingText')}>
        <a class="btn" href=${this.address(LIST)}>${this.t('trace.back')}</a>
      </keelson-empty>
    </div>`
  }

  #traceTiles(view: TraceView | undefined): TemplateResult {
    const isWaiting = view === undefined
    const tile = (label: string, value: string, against = '', isBad = false) => html`<keelson-stat
      label=${this.t(label)}
      value=${value}
      against=${against}
      source="raw"
      tone=${isBad ? 'bad' : ''}
      ?loading=${isWaiting}
    ></keelson-stat>`
    const began =
      view === undefined
        ? ''
        : this.t('trace.began', { time: this.format.dateTime(view.from, { millis: true }) })
    return html`<h2 class="visually-hidden">${this.t('traces.figures')}</h2>
      <div class="tiles">
        ${tile('trace.duration', this.format.duration(view?.duration ?? 0), began)}
        ${tile('trace.spans', this.format.number(view?.spans ?? 0))}
        ${tile('trace.services', this.format.number(view?.services.length ?? 0), this.format.list(view?.services ?? []))}
        ${tile('trace.errors', this.format.number(view?.errors ?? 0), '', (view?.errors ?? 0) > 0)}
      </div>`
  }

  #strip(view: TraceView | undefined): TemplateResult | typeof nothing {
    if (view === undefined) return nothing
    const stretch = stretchOf(this.params.get('zoom'), view.duration)
    return html`<div class="card panel">
      <header>
        <h2>${this.t('trace.overview')}</h2>
        <span class="dim">${this.t('trace.brushHint')}</span>
        <span class="push"></span>
        ${
          stretch === undefined
            ? nothing
            : html`<a class="link" href=${this.address({ zoom: null })}>${this.t('trace.whole')}</a>`
        }
      </header>
      ${overviewStrip({
        items: view.items,
        duration: view.duration,
        stretch,
        label: this.t('trace.overview'),
        onStretch: (next) =>
          this.go({ zoom: next === undefined ? null : stretchText(next) }, { replace: true })
      })}
    </div>`
  }

  #waterfall(view: TraceView | undefined): TemplateResult {
    const wanted = this.params.get('span')
    const all = view?.items ?? []
    const duration = view?.duration ?? 0
    const stretch = stretchOf(this.params.get('zoom'), duration)
    const items = within(all, stretch)
    const open = all.find(({ row }) => this.rowId(row) === wanted)
    const { truncated = false, count = 0 } = this.trace.value ?? {}
    return html`<keelson-drawer
      ?open=${open !== undefined}
      label=${this.t('record.label', { name: open?.row.name ?? '', id: open?.row._id ?? '' })}
      @keelson-close=${() => this.go({ span: null }, { replace: true })}
    >
      <keelson-table
        slot="list"
        keys
        heading=${this.t('trace.waterfall')}
        note=${truncated ? this.t('trace.truncated', { count }) : this.t('trace.legend')}
        .columns=${waterfallColumns(this.#words, stretch ?? { from: 0, to: duration })}
        .rows=${items}
        .rowId=${({ row }: TraceItem) => this.rowId(row)}
        .rowHref=${({ row }: TraceItem) => this.address({ span: this.rowId(row) })}
        .selected=${open === undefined ? null : wanted}
        .loading=${this.trace.isFirst || view === undefined}
        .error=${this.trace.status === 'error' ? this.trace.error : undefined}
        @keelson-retry=${() => this.trace.reload()}
        @keelson-open=${(event: CustomEvent<{ id: string }>) => {
          event.preventDefault()
          this.go({ span: event.detail.id })
        }}
        @keelson-move=${({ detail }: CustomEvent<{ id: string }>) =>
          wanted !== null && this.go({ span: detail.id }, { replace: true })}
      ></keelson-table>
      ${open === undefined ? nothing : this.#panel(open.row)}
    </keelson-drawer>`
  }

  #panel(row: RecordRow): TemplateResult {
    const options = {
      format: this.format,
      t: (key: string, values?: Record<string, string>) => this.t(key, values),
      traceHref: (trace: string) => this.address({ ...LIST, trace }),
      // A value of a record leads to every record that has it.
      filterHref: (filter: FilterValue) => {
        const changes = Object.entries(filterChanges(withFilter([], filter)))
        const said = changes.filter((entry): entry is [string, string] => entry[1] !== null)
        return this.pageHref('events', Object.fromEntries(said))
      }
    }
    return html`${recordHead(row, options)}${recordBody(row, options)}`
  }
}

registerTexts()
registerRecordTexts()
registerTracesTexts()
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
definePage('telemetry-dashboard-traces', TracesPage)
