// The page of one chart: a measure of records over time, and nothing else, so that it can be shared alone.
import {
  apiOf,
  ChartView,
  chartLoad,
  controls,
  define,
  definePage,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonRangePicker,
  Load,
  registerCatalog,
  shareStyles,
  TimeRange
} from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import {
  bucketStarts,
  chooseInterval,
  fillBuckets,
  INTERVAL_MS,
  type Interval,
  partialBuckets
} from '../buckets.ts'
import { addsUp, measureLabel, measureText } from '../events/measures.ts'
import texts from '../events/texts.en.json' with { type: 'json' }
import { bucketParams, path, readCounts } from '../requests.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { chartQuery } from './chart-query.ts'

class ChartPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, shareStyles]
  readonly #api = apiOf(this)
  readonly #range = new TimeRange(this, { closes: {}, asked: () => chartQuery(this.params) })
  readonly #view = new ChartView(this)
  readonly #measured = new Load(this, {
    args: () => {
      const { from, to } = this.#range.span
      return [chartQuery(this.params), from, to, this.#interval, this.format.timeZone] as const
    },
    run: async ([asked, from, to, interval, timeZone], signal) => {
      const span = { from, to }
      const series = path(
        'series',
        new URLSearchParams(asked),
        span,
        bucketParams({ interval, timeZone })
      )
      return { counts: readCounts(await this.#api.read(series, signal)), span, interval }
    }
  })
  protected readonly chart = chartLoad(this)

  get #interval(): Interval {
    return chooseInterval(this.#range.span, this.params.get('interval'))
  }

  get #name(): string {
    return this.params.get('name') ?? this.t('events.records')
  }

  protected override get windowTitle(): string {
    return `${this.#name} · ${this.t('events.title')}`
  }

  protected override content(): TemplateResult {
    return html`<keelson-page-header ranged heading=${this.#name}>
        ${this.#range.picker()}
      </keelson-page-header>
      <div class="main">${this.#chart()}</div>`
  }

  #chart(): TemplateResult {
    const { value } = this.#measured
    const interval = value?.interval ?? this.#interval
    const measure = this.params.get('measure')
    const starts =
      value === undefined ? [] : bucketStarts(value.span, value.interval, this.format.timeZone)
    const missing = addsUp(measure) ? 0 : null
    const values = value === undefined ? [] : fillBuckets(value.counts.buckets, starts, missing)
    const label = measure === null ? this.t('events.records') : measureLabel(measure, this.t)
    return html`<keelson-chart
      heading=${this.t('events.by', { name: label, interval: this.t(`interval.${interval}`) })}
      .times=${starts}
      partial=${partialBuckets(starts, value?.span ?? this.#range.span)}
      .interval=${INTERVAL_MS[interval]}
      .series=${value === undefined ? [] : [{ id: 'now', label, values }]}
      .value=${(figure: number) => measureText(measure, figure, this.format)}
      kind=${starts.length > 3 ? 'line' : 'bars'}
      view=${this.#view.value}
      .loading=${this.#measured.isPending}
      .error=${this.#measured.failure}
      @keelson-brush=${this.#range.onBrush}
      @keelson-view=${this.#view.onView}
      @keelson-retry=${() => this.#measured.reload()}
    ></keelson-chart>`
  }
}

registerTexts()
registerCatalog('en', texts, {
  de: () => import('../events/texts.de.json', { with: { type: 'json' } })
})
define(KeelsonPageHeader, KeelsonRangePicker)
definePage('telemetry-dashboard-chart', ChartPage)
