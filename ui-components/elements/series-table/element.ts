// The numbers of a chart as a table: for those who read rather than look, and by keyboard.
import { html, nothing, type TemplateResult } from 'lit'
import { controls } from '../../controls.ts'
import { KeelsonElement } from '../element.ts'
import { type ChartSeries, timeText } from './series.ts'
import { seriesTableStyles } from './styles.ts'

/**
 * Series over time as a table. Part of `keelson-chart`; stands alone as well.
 *
 * @fires keelson-brush - `{from, to}` in milliseconds: a bucket was chosen.
 */
export class KeelsonSeriesTable extends KeelsonElement {
  static readonly tag = 'keelson-series-table'
  static override readonly styles = [controls, seriesTableStyles]
  static override readonly properties = {
    times: { attribute: false },
    series: { attribute: false },
    interval: { attribute: false },
    partial: { type: Number },
    value: { attribute: false },
    label: {}
  }
  declare times: readonly number[]
  declare series: readonly ChartSeries[]
  /** Milliseconds of a bucket. Without it the times are text only. */
  declare interval: number | null
  /** How many buckets at the start hold only a part of their time. */
  declare partial: number
  declare value: ((n: number) => string) | undefined
  declare label: string

  constructor() {
    super()
    this.times = []
    this.series = []
    this.interval = null
    this.partial = 0
    this.value = undefined
    this.label = ''
  }

  override render(): TemplateResult {
    return html`<div tabindex="0" role="region" aria-label=${this.label}>
      <table>
        <thead>
          <tr>
            <th scope="col">${this.t('chart.time')}</th>
            ${this.series.map(({ label }) => html`<th scope="col" class="num">${label}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${this.times.map((time, at) => this.#row(time, at))}
        </tbody>
      </table>
    </div>`
  }

  #row(time: number, at: number): TemplateResult {
    const text = timeText(time, this.interval, this.format)
    const length = this.interval
    const button = html`<button
      aria-label=${this.t('chart.brush', { range: text })}
      @click=${() => this.send('keelson-brush', { from: time, to: time + (length ?? 0) })}
    >${text}</button>`
    return html`<tr>
      <th scope="row">${length === null ? text : button}${at < this.partial ? html` <span class="dim">${this.t('chart.partial')}</span>` : nothing}</th>
      ${this.series.map(({ values }) => html`<td class="num">${this.#text(values[at])}</td>`)}
    </tr>`
  }

  #text(value: number | null | undefined): string {
    if (value === null || value === undefined) return '–'
    return this.value?.(value) ?? this.format.number(value)
  }
}
