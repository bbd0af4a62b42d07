// The Metrics page: the metrics that came over OTLP, and one of them over time with the traces of its exemplars.
import {
  chartLoad,
  controls,
  define,
  definePage,
  exportButtons,
  KeelsonEmpty,
  KeelsonFilterChips,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonTable,
  registerCatalog,
  tableView
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { alertParams } from '../alert-link.ts'
import { bucketStarts, INTERVAL_MS, partialBuckets } from '../buckets.ts'
import { emptyList, whyEmpty } from '../empty.ts'
import { filterFields } from '../events/fields.ts'
import { Look } from '../look.ts'
import { groupPick, intervalPick, pick, sourceTag } from '../parts.ts'
import { registerRecordTexts } from '../records/texts.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { groupingsOf, ofPoints, POINTS, readsOf } from './choices.ts'
import { exemplarColumns, groupColumns, metricColumns } from './columns.ts'
import { metricOf, metricsOf } from './loads.ts'
import { type MetricAnswer, type MetricRow, metricLines, metricText } from './metric.ts'
import texts from './texts.en.json' with { type: 'json' }

class MetricsPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles]
  readonly #look: Look = new Look(this, { loads: () => [this.#metrics, this.#metric] })
  readonly #dashboard = this.#look.dashboard
  readonly #filters = this.#look.filters
  readonly #metrics = metricsOf(this.#look)
  readonly #metric = metricOf(this.#look)
  protected readonly chart = chartLoad(this)

  get #chosen(): string | null {
    return this.params.get('metric')
  }

  get #by(): string | null {
    return this.params.get('by')
  }

  /** What was read, once it is of the metric and the measure that are asked for. */
  get #shown(): MetricAnswer | undefined {
    const answer = this.#metric.value?.answer
    const measure = this.params.get('measure')
    const isAsked =
      answer?.name === this.#chosen && (measure ?? answer?.measure) === answer?.measure
    return isAsked ? answer : undefined
  }

  protected override get windowTitle(): string {
    const title = this.t('metrics.title')
    return this.#chosen === null ? title : `${this.#chosen} · ${title}`
  }

  protected override content(): TemplateResult {
    return html`<keelson-page-header ranged heading=${this.t('metrics.title')}>
        ${this.#look.range.picker()} ${this.#look.live.button()} ${this.#alertLink()}
      </keelson-page-header>
      <div class="main">
        ${this.#chips()} ${this.#chosen === null ? nothing : this.#detail(this.#chosen)} ${this.#list()}
      </div>`
  }

  /** To a rule on what is shown. */
  #alertLink(): TemplateResult | typeof nothing {
    const answer = this.#shown
    const measure = answer?.measure ?? this.params.get('measure')
    const metric = this.#chosen
    if (metric === null || measure === null) return nothing
    const by = this.#by === null ? {} : { by: this.#by }
    const asked = { source: 'metric', metric, measure, ...by }
    return this.#dashboard.alertLink(alertParams(this.#filters.value, asked))
  }

  #chips(): TemplateResult {
    const points = ofPoints(this.#dashboard.registry.value)
    const fields = points === undefined ? [] : filterFields(points, this.#dashboard, POINTS)
    return this.#filters.chips(fields.filter(({ id }) => id !== 'kind' && id !== 'name'))
  }

  #detail(name: string): TemplateResult {
    const answer = this.#shown
    return html`${this.#chart(name, answer)}
    ${answer === undefined || this.#by === null ? nothing : this.#groups(answer, this.#by)}
    ${answer === undefined || answer.exemplars.length === 0 ? nothing : this.#exemplars(answer)}`
  }

  #chart(name: string, answer: MetricAnswer | undefined): TemplateResult {
    const { span = this.#look.range.span, interval = this.#look.interval } =
      this.#metric.value ?? {}
    const starts = answer === undefined ? [] : bucketStarts(span, interval, this.format.timeZone)
    return html`<keelson-chart
      heading=${this.t('metrics.by', { name, interval: this.t(`interval.${interval}`) })}
      .times=${starts}
      partial=${partialBuckets(starts, span)}
      .interval=${INTERVAL_MS[interval]}
      .series=${answer === undefined ? [] : metricLines(answer, starts, name)}
      .value=${(value: number) => (answer === undefined ? '' : metricText(answer, value, this.format))}
      kind=${starts.length > 3 ? 'line' : 'bars'}
      ?grouped=${this.#by !== null}
      view=${this.#look.chart.value}
      .loading=${this.#metric.isPending && !this.#look.live.isOn}
      .error=${this.#metric.failure}
      @keelson-brush=${this.#look.range.onBrush}
      @keelson-view=${this.#look.chart.onView}
      @keelson-retry=${() => this.#metric.reload()}
    >${sourceTag(this.#look, answer && { source: 'raw', truncated: answer.truncated, sampled: false })}
    ${this.#measuring(answer)}${this.#grouping()}${intervalPick(this.#look)}</keelson-chart>`
  }

  #measuring(answer: MetricAnswer | undefined): TemplateResult {
    const reads = answer === undefined ? [] : readsOf(answer)
    const chosen = answer?.measure ?? this.params.get('measure') ?? ''
    const choices = reads.length === 0 && chosen !== '' ? [chosen] : reads
    return pick({
      label: this.t('metrics.measure'),
      chosen,
      choices: choices.map((read) => [read, this.t(`metrics.read.${read}`)]),
      isDisabled: answer === undefined,
      onPick: (measure) => this.go({ measure }, { replace: true })
    })
  }

  #grouping(): TemplateResult {
    const by = this.#by ?? ''
    const choices = groupingsOf(this.#dashboard.registry.value)
    return by === ''
      ? pick({
          label: this.t('group.by'),
          chosen: '',
          choices: [
            ['', this.t('metrics.ungrouped')],
            ...choices.map((one) => [one, one.replace(/^attr:/, '')] as const)
          ],
          onPick: (one) => this.go({ by: one === '' ? null : one }, { replace: true })
        })
      : groupPick(this, { by, choices: choices.includes(by) ? choices : [by, ...choices] })
  }

  #groups(answer: MetricAnswer, by: string): TemplateResult {
    const { groups, values } = answer
    return tableView({
      heading: this.t('metrics.groups'),
      note:
        values > groups.length ? this.t('metrics.groupsCut', { count: groups.length, values }) : '',
      columns: groupColumns({
        t: this.t,
        format: this.format,
        by,
        answer,
        filterHref: this.#filters.href,
        exclude: this.#filters.exclude
      }),
      rows: groups,
      idOf: ({ value }) => value ?? '',
      read: this.#metric,
      isLive: this.#look.live.isOn
    })
  }

  #exemplars(answer: MetricAnswer): TemplateResult {
    return tableView({
      heading: this.t('metrics.exemplars'),
      note: this.t('metrics.exemplarsNote'),
      columns: exemplarColumns({
        t: this.t,
        format: this.format,
        answer,
        traceHref: (trace) => this.#dashboard.href('trace', { trace })
      }),
      rows: answer.exemplars,
      idOf: ({ at, value, traceId, spanId }) => `${at} ${value} ${traceId} ${spanId}`,
      read: this.#metric,
      isLive: this.#look.live.isOn
    })
  }

  #list(): TemplateResult {
    const { metrics = [], truncated = false } = this.#metrics.value ?? {}
    const registry = this.#dashboard.registry.value
    return tableView<MetricRow>({
      heading: this.t('metrics.title'),
      note: truncated ? this.t('metrics.truncated') : '',
      columns: metricColumns({ t: this.t, format: this.format }),
      rows: metrics,
      keys: true,
      idOf: ({ name, type, unit, temporality }) => `${name} ${type} ${unit} ${temporality}`,
      href: ({ name }) => this.address({ metric: name, measure: null, by: null }),
      read: this.#metrics,
      isLive: this.#look.live.isOn,
      actions: exportButtons({ name: 'metrics', rows: metrics }, this.t),
      empty: emptyList(this.#look, whyEmpty(this.#filters.value, this.#look.range.value, registry))
    })
  }
}

registerTexts()
registerRecordTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonRangePicker, KeelsonFilterChips, KeelsonTable, KeelsonEmpty)
definePage('telemetry-dashboard-metrics', MetricsPage)
