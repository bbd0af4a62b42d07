// The page of one trace: its records as a waterfall, with the path that the duration hangs on.
import {
  controls,
  define,
  definePage,
  exportButtons,
  icon,
  KeelsonCopy,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonPageHeader,
  KeelsonStat,
  KeelsonTable
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { filterChanges, withFilter } from '../address.ts'
import { recordCells } from '../records/export.ts'
import { recordBody, recordHead } from '../records/panel.ts'
import type { FilterValue, RecordRow } from '../records/record.ts'
import { recordStyles } from '../records/styles.ts'
import { registerRecordTexts } from '../records/texts.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { laneStyles } from '../traces/lane.ts'
import { type TraceWords, waterfallColumns } from './columns.ts'
import { overviewStrip, stretchOf, stretchText, within } from './overview-strip.ts'
import { TraceState } from './state.ts'
import { traceStyles } from './styles.ts'
import { registerTraceTexts } from './texts.ts'
import type { TraceItem, TraceView } from './tree.ts'

class TracePage extends TraceState {
  static override readonly styles = [controls, recordStyles, pageStyles, laneStyles, traceStyles]

  get #words(): TraceWords {
    return {
      format: this.format,
      isPlatform: this.registry.value?.platform === true,
      t: this.#say
    }
  }

  readonly #say = (key: string, values?: Record<string, string>): string => this.t(key, values)

  protected override get shortcuts() {
    const again = { keys: 'r', label: this.t('page.refresh'), run: () => void this.trace.reload() }
    return [...super.shortcuts, again]
  }

  /** The list that one came from: its range and filters are in the address. */
  get #listHref(): string {
    const { trace: _trace, span: _span, zoom: _zoom, ...rest } = Object.fromEntries(this.params)
    return this.pageHref('traces', rest)
  }

  #eventsHref(filter: FilterValue): string {
    const changes = Object.entries(filterChanges(withFilter([], filter)))
    const said = changes.filter((entry): entry is [string, string] => entry[1] !== null)
    return this.pageHref('events', Object.fromEntries(said))
  }

  protected override content(): TemplateResult {
    const { traceId } = this
    const loaded = this.trace.value
    const view = loaded?.traceId === traceId ? loaded.view : undefined
    const isMissing = loaded?.traceId === traceId && view === undefined
    const isFailed = this.trace.status === 'error' && view === undefined
    return html`<keelson-page-header heading=${view?.title ?? this.t('trace.title')}>
        <span slot="tags" class="mono dim id" title=${traceId}>${traceId}</span>
        <keelson-copy slot="tags" text=${traceId} label=${this.t('trace.id')}></keelson-copy>
        <a class="btn back" href=${this.#listHref}>${icon('chevron-left', 14)}${this.t('trace.back')}</a>
      </keelson-page-header>
      <div class="main">
        ${isMissing ? this.#missing() : html`${isFailed ? nothing : this.#traceTiles(view)} ${this.#strip(view)} ${this.#waterfall(view)}`}
      </div>`
  }

  #missing(): TemplateResult {
    return html`<div class="card">
      <keelson-empty heading=${this.t('trace.missing')} text=${this.t('trace.missingText')}>
        <a class="btn" href=${this.#listHref}>${this.t('trace.back')}</a>
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
        .loading=${view === undefined && this.trace.status !== 'error'}
        .error=${this.trace.status === 'error' ? this.trace.error : undefined}
        @keelson-retry=${() => this.trace.reload()}
        @keelson-open=${(event: CustomEvent<{ id: string }>) => {
          event.preventDefault()
          this.go({ span: event.detail.id })
        }}
        @keelson-move=${({ detail }: CustomEvent<{ id: string }>) =>
          wanted !== null && this.go({ span: detail.id }, { replace: true })}
      >${exportButtons({ name: `trace ${this.traceId}`, rows: all.map(({ row }) => row), cells: () => recordCells(all.map(({ row }) => row)) }, this.#say)}</keelson-table>
      ${open === undefined ? nothing : this.#panel(open.row)}
    </keelson-drawer>`
  }

  #panel(row: RecordRow): TemplateResult {
    const options = {
      format: this.format,
      t: this.#say,
      traceHref: (trace: string) => this.address({ span: null, zoom: null, trace }),
      journeyHref: (subject: string) => this.pageHref('journey', { subject }),
      // A value of a record leads to every record that has it, or to every one that has not.
      filterHref: (filter: FilterValue) => this.#eventsHref(filter),
      exclude: (filter: FilterValue) =>
        this.page.navigate(this.#eventsHref({ ...filter, not: true }))
    }
    return html`${recordHead(row, options)}${recordBody(row, options)}`
  }
}

registerTexts()
registerRecordTexts()
registerTraceTexts()
define(
  KeelsonPageHeader,
  KeelsonStat,
  KeelsonTable,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonCopy
)
definePage('telemetry-dashboard-trace', TracePage)
