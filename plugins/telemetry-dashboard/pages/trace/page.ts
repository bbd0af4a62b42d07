// The page of one trace: its records as a waterfall, with the path that the duration hangs on.
import {
  addedParams,
  breadcrumb,
  controls,
  define,
  definePage,
  exportButtons,
  KeelsonCopy,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonStat,
  KeelsonTable,
  registerCatalog,
  Selection,
  Shortcuts,
  tableView
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { filterChanges, withFilter } from '../address.ts'
import { Dashboard } from '../dashboard.ts'
import { panelStyles } from '../panel-styles.ts'
import { recordCells } from '../records/export.ts'
import { recordBody, recordHead, registerPanel } from '../records/panel.ts'
import type { FilterValue, RecordRow } from '../records/record.ts'
import { recordStyles } from '../records/styles.ts'
import { registerRecordTexts } from '../records/texts.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { laneStyles } from '../traces/lane.ts'
import { type TraceWords, waterfallColumns } from './columns.ts'
import { traceIdOf, traceOf } from './loads.ts'
import { overviewStrip, stretchOf, stretchText, within } from './overview-strip.ts'
import { traceStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }
import type { TraceItem, TraceView } from './tree.ts'

const NO_TRACE = { items: [], duration: 0 }

class TracePage extends KeelsonPage {
  static override readonly styles = [
    controls,
    recordStyles,
    pageStyles,
    panelStyles,
    laneStyles,
    traceStyles
  ]
  readonly #dashboard = new Dashboard(this)
  readonly #trace = traceOf(this.#dashboard)
  readonly #selection = new Selection<TraceItem>(this, {
    param: 'span',
    idOf: ({ row }) => rowId(row)
  })

  constructor() {
    super()
    new Shortcuts(this, () => [
      { keys: 'r', label: this.t('ui.refresh'), run: () => void this.#trace.reload() }
    ])
  }

  get #traceId(): string {
    return traceIdOf(this)
  }

  protected override get windowTitle(): string {
    const title = this.t('trace.title')
    const name = this.#trace.value?.view?.title
    return name === undefined ? title : `${name} · ${title}`
  }

  get #words(): TraceWords {
    return { format: this.format, isPlatform: this.#dashboard.isPlatform, t: this.t }
  }

  /** The list of traces, with the range and filters of this address. */
  get #listHref(): string {
    const { trace: _trace, span: _span, zoom: _zoom, ...rest } = Object.fromEntries(this.params)
    return this.#dashboard.href('traces', rest)
  }

  #eventsHref(filter: FilterValue): string {
    return this.#dashboard.href('events', addedParams(filterChanges(withFilter([], filter))))
  }

  protected override content(): TemplateResult {
    const traceId = this.#traceId
    const loaded = this.#trace.value
    const view = loaded?.traceId === traceId ? loaded.view : undefined
    const isMissing = loaded?.traceId === traceId && view === undefined
    return html`<keelson-page-header ranged heading=${view?.title ?? this.t('trace.title')}>
        ${breadcrumb(this, this.#listHref, this.t('trace.list'))}
        <span slot="tags" class="mono dim id" title=${traceId}>${traceId}</span>
        <keelson-copy slot="tags" text=${traceId} label=${this.t('trace.id')}></keelson-copy>
      </keelson-page-header>
      <div class="main">
        ${isMissing ? this.#missing() : html`${this.#traceTiles(view)} ${this.#strip(view)} ${this.#waterfall(view)}`}
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
    const error = view === undefined ? this.#trace.failure : undefined
    const tile = (label: string, value: string, against = '', isBad = false) => html`<keelson-stat
      label=${this.t(label)}
      value=${value}
      against=${against}
      source="raw"
      tone=${isBad ? 'bad' : ''}
      .error=${error}
      ?loading=${view === undefined && error === undefined}
    ></keelson-stat>`
    const failed = view?.failed ?? 0
    const began =
      view === undefined
        ? ''
        : this.t('trace.began', { time: this.format.dateTime(view.from, { millis: true }) })
    return html`<h2 class="visually-hidden">${this.t('trace.figures')}</h2>
      <div class="tiles">
        ${tile('trace.duration', this.format.duration(view?.duration ?? 0), began)}
        ${tile('trace.spans', this.format.number(view?.spans ?? 0))}
        ${tile('trace.services', this.format.number(view?.services.length ?? 0), this.format.list(view?.services ?? []))}
        ${tile('trace.errors', this.format.number(view?.errors ?? 0), failed === 0 ? '' : this.t('trace.failed', { count: failed }), failed + (view?.errors ?? 0) > 0)}
      </div>`
  }

  /** Its place is kept until the trace is there. */
  #strip({ items, duration }: Pick<TraceView, 'items' | 'duration'> = NO_TRACE): TemplateResult {
    const stretch = stretchOf(this.params.get('zoom'), duration)
    return html`<div class="card panel">
      <header>
        <h2>${this.t('trace.overview')}</h2>
        <span class="dim">${this.t('trace.brushHint')}<span class="keys">; ${this.t('trace.brushKeys')}</span></span>
        <span class="push"></span>
        ${
          stretch === undefined
            ? nothing
            : html`<a class="link" href=${this.address({ zoom: null })}>${this.t('trace.whole')}</a>`
        }
      </header>
      ${overviewStrip({
        items,
        duration,
        stretch,
        label: this.t('trace.overview'),
        onStretch: (next) =>
          this.go({ zoom: next === undefined ? null : stretchText(next) }, { replace: true })
      })}
    </div>`
  }

  #waterfall(view: TraceView | undefined): TemplateResult {
    const selection = this.#selection
    const all = view?.items ?? []
    const duration = view?.duration ?? 0
    const stretch = stretchOf(this.params.get('zoom'), duration)
    const items = within(all, stretch)
    const open = all.find(({ row }) => rowId(row) === selection.id)
    const { truncated = false, count = 0 } = this.#trace.value ?? {}
    return tableView<TraceItem>({
      heading: this.t('trace.waterfall'),
      note: truncated ? this.t('trace.truncated', { count }) : this.t('trace.legend'),
      columns: waterfallColumns(this.#words, stretch ?? { from: 0, to: duration }),
      rows: items,
      idOf: ({ row }) => rowId(row),
      read: this.#trace,
      selection,
      actions: exportButtons(
        {
          name: `trace ${this.#traceId}`,
          rows: all.map(({ row }) => row),
          cells: () => recordCells(all.map(({ row }) => row))
        },
        this.t
      ),
      panel: {
        label: this.t('record.label', { name: open?.row.name ?? '', id: open?.row._id ?? '' }),
        isOpen: open !== undefined,
        content: open && this.#panel(open.row)
      }
    })
  }

  #panel(row: RecordRow): TemplateResult {
    const options = {
      format: this.format,
      t: this.t,
      traceHref: (trace: string) => this.address({ span: null, zoom: null, trace }),
      journeyHref: (subject: string) => this.#dashboard.href('journey', { subject }),
      // A value of a record leads to every record that has it, or to every one that has not.
      filterHref: (filter: FilterValue) => this.#eventsHref(filter),
      exclude: (filter: FilterValue) =>
        this.page.navigate(this.#eventsHref({ ...filter, not: true }))
    }
    return html`${recordHead(row, options)}${recordBody(row, options)}`
  }
}

/** A trace may hold records of several tenants, whose ids may be equal. */
const rowId = ({ tenantId, _id }: RecordRow): string => `${tenantId} ${_id}`

registerTexts()
registerRecordTexts()
registerPanel()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonStat, KeelsonTable, KeelsonDrawer, KeelsonEmpty, KeelsonCopy)
definePage('telemetry-dashboard-trace', TracePage)
