// The Events page: figures, a chart and the records behind them, for what the address says.
import {
  chartLoad,
  controls,
  define,
  definePage,
  exportButtons,
  KeelsonDrawer,
  KeelsonFilterChips,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonStat,
  KeelsonTable,
  registerCatalog,
  Selection,
  shareStyles,
  tableView
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { alertParams } from '../alert-link.ts'
import { bucketStarts, fillBuckets, INTERVAL_MS, partialBuckets, total } from '../buckets.ts'
import { countsOf } from '../counts.ts'
import { Look } from '../look.ts'
import { intervalPick, pick, sourceTag } from '../parts.ts'
import { recordColumns } from '../records/columns.ts'
import type { RecordRow } from '../records/record.ts'
import { recordsOf } from '../records/records-list.ts'
import { recordStyles } from '../records/styles.ts'
import { registerRecordTexts } from '../records/texts.ts'
import { measureOf, namesByKind } from '../registry.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { drawn } from './chart.ts'
import { alsoOf, type Dimension, dimensions } from './dimensions.ts'
import { filterFields } from './fields.ts'
import type { Group } from './groups.ts'
import {
  emptyOf,
  groupParts,
  groupsOf,
  measuredOf,
  OpenRecord,
  panelParts,
  searchParts,
  tilesOf
} from './loads.ts'
import { measureChoices, measureLabel, measureText } from './measures.ts'
import texts from './texts.en.json' with { type: 'json' }
import { countTile, rateTile, type TileView, tileView } from './tile-view.ts'

const MOST_TILES = 4
const CLOSED = { record: null, at: null }

/** What tiles are called while it is not known which there are. */
const WAITING = ['events.records', 'tile.people', 'tile.errors', 'tile.rate']

class EventsPage extends KeelsonPage {
  static override readonly styles = [controls, recordStyles, pageStyles, shareStyles]
  readonly #look: Look = new Look(this, {
    view: 'events',
    closes: CLOSED,
    loads: () => [this.#records, this.#counts, this.#tiles]
  })
  readonly #dashboard = this.#look.dashboard
  readonly #registry = this.#dashboard.registry
  readonly #range = this.#look.range
  readonly #filters = this.#look.filters
  readonly #counts = countsOf(this.#look, () => this.#filters.params)
  readonly #records = recordsOf(this.#look, () => this.#filters.params)
  readonly #groups = groupsOf(this.#look)
  readonly #measured = measuredOf(this.#look)
  readonly #tiles = tilesOf(this.#look)
  readonly #open = new OpenRecord(this.#look, this.#records)
  readonly #selection = new Selection<RecordRow>(this, {
    param: 'record',
    closes: CLOSED,
    idOf: (row) => this.#dashboard.rowId(row),
    also: ({ occurredAt }) => ({ at: occurredAt })
  })

  readonly #parts = panelParts(this)
  readonly #search = searchParts(this)
  readonly #grouped = groupParts(this)
  readonly #empty = emptyOf(this.#look, this.#records)
  protected readonly chart = chartLoad(this)

  /** The event name that is looked at; `null` for all. */
  get #name(): string | null {
    return this.params.get('name')
  }

  /** What is measured; `null` counts. */
  get #measure(): string | null {
    return this.params.get('measure')
  }

  /** The dimension that records are grouped by; `null` for none. */
  get #by(): string | null {
    return this.params.get('by')
  }

  protected override get windowTitle(): string {
    const title = this.t('events.title')
    return this.#name === null ? title : `${this.#name} · ${title}`
  }

  #onName(event: Event): void {
    const { value } = event.target as HTMLSelectElement
    const filters = this.#filters.value.filter(({ field }) => field !== 'name')
    const named = value === '' ? filters : [{ field: 'name', value }, ...filters]
    this.go(this.#filters.changes(named))
  }

  protected override content(): TemplateResult {
    const open = this.#open.row
    return html`${this.#header()}
      <div class="main">
        ${this.#chips()}
        <h2 class="visually-hidden">${this.t('events.figures')}</h2>
        <div class="tiles still">${this.#tileViews().map((tile, at) => this.#stat(tile, at))}</div>
        ${this.#chart()} ${this.#groupTable()}
        ${this.#rows(open)}
      </div>`
  }

  #header(): TemplateResult {
    const name = this.#name
    const groups = this.#registry.value === undefined ? [] : namesByKind(this.#registry.value)
    const option = (one: string) => html`<option .selected=${one === name}>${one}</option>`
    return html`<keelson-page-header ranged heading=${this.t('events.title')}>
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
      ${this.#range.picker()} ${this.#look.live.button()}
      ${this.#dashboard.alertLink(alertParams(this.#filters.value))} ${this.#dashboard.views()}
    </keelson-page-header>`
  }

  #chips(): TemplateResult {
    const registry = this.#registry.value
    const fields = registry === undefined ? [] : filterFields(registry, this.#dashboard, this.#name)
    return html`<div class="searched">
      ${this.#filters.chips(fields)} ${this.#search.value?.searchBox(this, this.#filters)}
    </div>`
  }

  get #words() {
    return { format: this.format, t: this.t }
  }

  get #countLabel(): string {
    return this.#name ?? this.t('events.records')
  }

  /** The tiles that can be shown; null stands for one that is on its way. */
  #tileViews(): (TileView | null)[] {
    const counts = this.#counts.value
    const tiles = this.#tiles.value
    if (counts === undefined) return [null, null, null, null]
    const { now, before, span, interval } = counts
    const starts = bucketStarts(span, interval, this.format.timeZone)
    const values = fillBuckets(now.buckets, starts, 0)
    const sumBefore = total(before.buckets.map(({ value }) => value))
    const own = (tiles?.tiles ?? []).flatMap((tile, at) => {
      const pair = tiles?.pairs[at]
      return pair === undefined || tiles === undefined
        ? []
        : [tileView(tile, pair, tiles.span, this.#words)]
    })
    const views: (TileView | null)[] = [
      countTile(this.#countLabel, now, values, sumBefore, this.#words),
      ...(tiles === undefined ? [null, null] : own),
      rateTile(counts, values, this.#words)
    ]
    return views.slice(0, MOST_TILES)
  }

  #stat(tile: TileView | null, at: number): TemplateResult {
    if (tile === null) {
      const error = this.#counts.missing ?? this.#tiles.missing
      return html`<keelson-stat
        label=${this.t(WAITING[at] ?? '', { interval: this.t(`interval.${this.#look.interval}`) })}
        .error=${error}
        ?loading=${error === undefined}
      ></keelson-stat>`
    }
    const isErrors = tile.id === 'errors'
    return html`<keelson-stat
      label=${tile.label}
      value=${tile.value}
      .change=${tile.change}
      .base=${tile.base}
      against=${tile.against}
      good=${tile.good}
      .points=${tile.points}
      source=${tile.source}
      caveat=${tile.caveat}
      .error=${tile.error}
      tone=${tile.isBad ? 'bad' : ''}
      href=${isErrors ? this.#filters.href({ field: 'kind', value: 'error' }) : ''}
    ></keelson-stat>`
  }

  #chart(): TemplateResult {
    const measure = this.#measure
    const load = measure === null ? this.#counts : this.#measured
    const [measured, groups] = [this.#shownMeasured, this.#shownGroups]
    const name = measure === null ? this.#countLabel : measureLabel(measure, this.t)
    const { starts, series, caption } = drawn(
      measured,
      { measure, label: name, groups },
      this.#words
    )
    const interval = measured?.interval ?? this.#look.interval
    return html`<keelson-chart
      heading=${this.t('events.by', { name, interval: this.t(`interval.${interval}`) })}
      caption=${caption}
      .times=${starts}
      partial=${partialBuckets(starts, measured?.span ?? this.#range.span)}
      .interval=${INTERVAL_MS[interval]}
      .series=${series}
      .value=${(value: number) => measureText(measure, value, this.format)}
      kind=${starts.length > 3 ? 'line' : 'bars'}
      grouped
      view=${this.#look.chart.value}
      .loading=${(load.isPending || (this.#by !== null && this.#groups.isPending)) && !this.#look.live.isOn}
      .error=${load.failure}
      @keelson-brush=${this.#range.onBrush}
      @keelson-view=${this.#look.chart.onView}
      @keelson-retry=${() => load.reload()}
    >${sourceTag(this.#look, groups ?? measured?.now)}${this.#measuring()}${this.#grouping()}${intervalPick(this.#look)}</keelson-chart>`
  }

  /** What was measured, once it is what was asked for. */
  get #shownMeasured() {
    const measure = this.#measure
    if (measure === null) return this.#counts.value
    const measured = this.#measured.value
    return measured?.measure === measure ? measured : undefined
  }

  #measuring(): TemplateResult {
    const { value } = this.#registry
    const known = value === undefined ? [] : measureChoices(value, this.#name, this.t)
    const chosen = this.#measure ?? ''
    const isKnown = known.some(([id]) => id === chosen)
    return pick({
      label: this.t('measure.pick'),
      chosen,
      choices: isKnown ? known : [...known, [chosen, measureLabel(chosen, this.t)]],
      onPick: (measure) => this.go({ measure: measure === '' ? null : measure }, { replace: true })
    })
  }

  /** The groups of the moment, once they are those that were asked for. */
  get #shownGroups() {
    const groups = this.#groups.value
    const isAsked = groups?.by === this.#by && groups.also === alsoOf(this.params)
    return isAsked && groups.measure === this.#measure ? groups : undefined
  }

  get #dimensions(): readonly Dimension[] {
    const registry = this.#registry.value
    return registry === undefined ? [] : dimensions(registry, this.#name, this.t)
  }

  #grouping(): TemplateResult {
    const by = this.#by
    return html`${pick({
      label: this.t('group.by'),
      chosen: by ?? '',
      choices: [
        ['', this.t('group.noneBy')],
        ...this.#dimensions.map(
          ({ id, label }) => [id, this.t('group.byOne', { name: label })] as const
        )
      ],
      onPick: (by) => this.go({ by }, { replace: true })
    })}${by && this.#grouped.value?.alsoPick(this, this.#dimensions)}`
  }

  #groupTable(): TemplateResult | typeof nothing {
    const by = this.#by
    if (by === null) return nothing
    const groups = this.#shownGroups
    return tableView<Group>({
      heading: this.t('group.heading', { name: by }),
      note: groups === undefined ? '' : this.t(groups.truncated ? 'group.truncated' : 'group.note'),
      skeleton: 5,
      columns: [],
      rows: groups?.groups ?? [],
      idOf: ({ id }) => id,
      read: this.#groups,
      isLive: this.#look.live.isOn && groups !== undefined,
      ...this.#grouped.value?.groupTable(this, {
        dimensions: this.#dimensions,
        groups,
        filterHref: this.#filters.href,
        exclude: this.#filters.exclude
      })
    })
  }

  #rows(open: RecordRow | null | undefined): TemplateResult {
    const records = this.#records
    const registry = this.#registry.value
    const counts = this.#counts.value
    const count = total(counts?.now.buckets.map(({ value }) => value) ?? [])
    const measure = registry === undefined ? undefined : measureOf(registry, this.#name)
    return tableView({
      heading: this.t('events.records'),
      note: counts === undefined ? this.t('events.note') : this.t('events.noteCount', { count }),
      columns: recordColumns({
        now: Date.now(),
        format: this.format,
        t: this.t,
        measure,
        isPlatform: this.#dashboard.isPlatform,
        filterHref: this.#filters.href,
        exclude: this.#filters.exclude
      }),
      rows: records.rows,
      idOf: (row) => this.#dashboard.rowId(row),
      read: records,
      isLive: this.#look.live.isOn,
      selection: this.#selection,
      actions: exportButtons(
        {
          name: this.#name ?? 'events',
          rows: records.rows,
          whole: (format) =>
            this.#dashboard.recordFile(this.#filters.params, this.#range.span, format)
        },
        this.t
      ),
      empty: this.#empty(),
      panel: {
        label: this.t('record.label', { name: open?.name ?? '', id: open?._id ?? '' }),
        content: this.#panel(open)
      }
    })
  }

  #panel(row: RecordRow | null | undefined): TemplateResult {
    const options = {
      ...this.#words,
      filterHref: this.#filters.href,
      exclude: this.#filters.exclude,
      journeyHref: (subject: string) => this.#dashboard.href('journey', { subject }),
      traceHref: (trace: string) => this.#dashboard.href('trace', { trace })
    }
    const parts = this.#parts.value
    if (row === undefined || parts === undefined) {
      return html`<div class="bones" aria-busy="true"><span class="bone"></span></div>`
    }
    if (row === null) return parts.recordBody(row, options)
    return html`${parts.recordHead(row, options)}${parts.recordBody(row, options)}`
  }
}

registerTexts()
registerRecordTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonFilterChips,
  KeelsonStat,
  KeelsonTable,
  KeelsonDrawer
)
definePage('telemetry-dashboard-events', EventsPage)
