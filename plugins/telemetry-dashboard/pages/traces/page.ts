// The Traces page: how long traces or spans take, and the list of them.
import {
  controls,
  define,
  definePage,
  exportButtons,
  KeelsonEmpty,
  KeelsonFilterChips,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonStat,
  KeelsonTable,
  registerCatalog,
  tableView
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { filterChanges, metricField } from '../address.ts'
import { alertParams } from '../alert-link.ts'
import { bucketStarts, change, fillBuckets, total } from '../buckets.ts'
import { countsOf } from '../counts.ts'
import { emptyList, whyEmpty } from '../empty.ts'
import { filterFields } from '../events/fields.ts'
import { Look } from '../look.ts'
import { panelStyles } from '../panel-styles.ts'
import { failedLine } from '../parts.ts'
import { recordsOf } from '../records/records-list.ts'
import { registerRecordTexts } from '../records/texts.ts'
import { ofKind } from '../registry.ts'
import { caveatOf } from '../requests.ts'
import { pageStyles } from '../styles.ts'
import { subId } from '../sub-id.ts'
import { registerTexts } from '../texts.ts'
import { spanColumns } from './columns.ts'
import { GroupsCard } from './groups-card.ts'
import { type Bar, histogram } from './histogram.ts'
import { laneStyles } from './lane.ts'
import { durationsOf } from './loads.ts'
import { type SpanScope, scopeFilter, scopeSwitch, spanScope, whyNoSpans } from './scope.ts'
import { tracesStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }

const DURATION = metricField('durationMs')

class TracesPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, panelStyles, laneStyles, tracesStyles]
  readonly #look: Look = new Look(this, {
    view: 'traces',
    asked: () => this.#scope,
    loads: () => [this.#records, this.#counts, this.#durations, this.#groups.load]
  })
  readonly #dashboard = this.#look.dashboard
  readonly #filters = this.#look.filters
  readonly #records = recordsOf(this.#look, () => this.#asked)
  readonly #counts = countsOf(this.#look, () => this.#asked)
  readonly #durations = durationsOf(this.#look, () => this.#asked)

  readonly #groups = new GroupsCard(this.#look, {
    asked: () => this.#asked,
    traceHref: (changes) => this.#traceHref(changes)
  })

  get #scope(): SpanScope {
    return spanScope(this.params)
  }

  /** The filters, for the spans that the page is about. */
  get #asked(): URLSearchParams {
    const asked = this.#filters.params
    for (const [name, value] of Object.entries(scopeFilter(this.#scope))) asked.set(name, value)
    return asked
  }

  protected override get windowTitle(): string {
    return this.t('traces.title')
  }

  protected override updated(): void {
    // Other pages may link to a trace at this address, and people write its ID behind it.
    const trace = this.params.get('trace') ?? subId(this.sub)
    if (trace !== undefined) this.page.navigate(this.#traceHref({ trace }), { replace: true })
  }

  /** The page of one trace. The filters of this list go with it, for the way back. */
  #traceHref(changes: Readonly<Record<string, string>> = {}): string {
    return this.#dashboard.href('trace', { ...Object.fromEntries(this.params), ...changes })
  }

  protected override content(): TemplateResult {
    return html`<keelson-page-header ranged heading=${this.t('traces.title')}>
        ${this.#look.range.picker()} ${this.#look.live.button()}
        ${this.#dashboard.alertLink(alertParams(this.#filters.value, { kind: 'span', measure: 'avg:durationMs' }))}
        ${this.#dashboard.views()}
      </keelson-page-header>
      <div class="main">
        ${this.#chips()} ${scopeSwitch(this)}
        <h2 class="visually-hidden">${this.t('traces.figures')}</h2>
        <div class="tiles">${this.#countTile()} ${this.#durationTiles()}</div>
        ${this.#histogram()} ${this.#groups.content()} ${this.#spans()}
      </div>`
  }

  #chips(): TemplateResult {
    const registry = this.#dashboard.registry.value
    const fields =
      registry === undefined
        ? []
        : filterFields(ofKind(registry, 'span'), this.#dashboard, this.params.get('name'))
    const duration = {
      id: DURATION,
      label: this.t('traces.durationField'),
      values: [],
      multiple: true
    }
    const shown = fields.filter(({ id }) => id !== 'kind')
    return this.#filters.chips([...shown, duration])
  }

  #countTile(): TemplateResult {
    const counts = this.#counts.value
    const values =
      counts === undefined
        ? []
        : fillBuckets(
            counts.now.buckets,
            bucketStarts(counts.span, counts.interval, this.format.timeZone),
            0
          )
    const before = total(counts?.before.buckets.map(({ value }) => value) ?? [])
    const sum = total(values)
    return html`<keelson-stat
      label=${this.t(`traces.${this.#scope}.count`)}
      value=${this.format.compact(sum)}
      .change=${change(sum, before)}
      .base=${before}
      against=${this.t('tile.against', { value: this.format.compact(before) })}
      good="none"
      .points=${values}
      source=${counts?.now.source ?? ''}
      caveat=${counts === undefined ? '' : caveatOf(counts.now)}
      .error=${this.#counts.missing}
      ?loading=${this.#counts.isFirst}
    ></keelson-stat>`
  }

  #durationTiles(): TemplateResult[] {
    const { now, before } = this.#durations.value ?? {}
    const slowest = now?.max === undefined ? '' : this.format.duration(now.max)
    const note = now?.truncated === true ? this.t('tile.truncated', { n: now.n }) : ''
    return (['p50', 'p95', 'p99'] as const).map((key) => {
      const value = now?.[key]
      const earlier = before?.[key]
      const notes = [
        earlier === undefined
          ? ''
          : this.t('tile.against', { value: this.format.duration(earlier) }),
        key === 'p99' && slowest !== '' ? this.t('traces.slowest', { value: slowest }) : note
      ]
      const against = notes.filter((one) => one !== '').join(' · ')
      return html`<keelson-stat
        label=${this.t(`traces.${key}`)}
        value=${value === undefined ? '–' : this.format.duration(value)}
        .change=${value === undefined || earlier === undefined ? null : change(value, earlier)}
        against=${against}
        good="down"
        source="raw"
        caveat=${now?.truncated === true ? 'truncated' : ''}
        .error=${this.#durations.missing}
        ?loading=${this.#durations.isFirst}
      ></keelson-stat>`
    })
  }

  #histogram(): TemplateResult {
    const bars = this.#durations.value?.now.histogram ?? []
    const others = this.#filters.value.filter(({ field }) => field !== DURATION)
    const barHref = ({ min, max }: Bar) =>
      this.address(
        filterChanges([
          ...others,
          { field: DURATION, value: `≥ ${Math.floor(min * 100) / 100}` },
          { field: DURATION, value: `≤ ${Math.ceil(max * 100) / 100}` }
        ])
      )
    return html`<div class="card panel histogram">
      <header>
        <h2>${this.t(`traces.${this.#scope}.histogram`)}</h2>
        <span class="dim">${this.t('traces.histogramNote')}</span>
      </header>
      ${histogram(bars, { format: this.format, t: this.t, barHref })}
      ${bars.length > 0 || this.#durations.isFirst ? nothing : this.#noDurations()}
    </div>`
  }

  #noDurations(): TemplateResult {
    const { missing } = this.#durations
    if (missing !== undefined) return failedLine(missing, this.t)
    return html`<p class="dim">${this.t('chart.empty')}</p>`
  }

  #spans(): TemplateResult {
    const records = this.#records
    const { rows } = records
    const counts = this.#counts.value
    const count = total(counts?.now.buckets.map(({ value }) => value) ?? [])
    const registry = this.#dashboard.registry.value
    const longest = Math.max(0, ...rows.map(({ durationMs = 0 }) => durationMs))
    const reason = whyEmpty(this.#filters.value, this.#look.range.value, registry)
    return tableView({
      heading: this.t(`traces.${this.#scope}.count`),
      note: counts === undefined ? '' : this.t('traces.noteCount', { count }),
      keys: true,
      columns: spanColumns(
        {
          format: this.format,
          now: Date.now(),
          isPlatform: this.#dashboard.isPlatform,
          scope: this.#scope,
          t: this.t,
          filterHref: this.#filters.href,
          exclude: this.#filters.exclude
        },
        longest
      ),
      rows,
      idOf: (row) => this.#dashboard.rowId(row),
      href: ({ traceId = '', tenantId, _id }) =>
        this.#traceHref({ trace: traceId, span: `${tenantId} ${_id}` }),
      read: records,
      isLive: this.#look.live.isOn,
      actions: exportButtons(
        {
          name: 'spans',
          rows,
          whole: (format) => this.#dashboard.recordFile(this.#asked, this.#look.range.span, format)
        },
        this.t
      ),
      empty: emptyList(this.#look, whyNoSpans(reason, this.#scope))
    })
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
  KeelsonEmpty
)
definePage('telemetry-dashboard-traces', TracesPage)
