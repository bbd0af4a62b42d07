// A chart with a table of the same data, drawn again when its room or the theme changes.
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import type uPlot from 'uplot'
import { controls } from '../controls.ts'
import { KeelsonElement } from '../elements/element.ts'
import { errorText } from '../elements/error/message.ts'
import { KeelsonSeriesTable } from '../elements/series-table/element.ts'
import {
  brushedBuckets,
  type ChartSeries,
  drawnSeries,
  isBlank,
  timeText,
  toneOf
} from '../elements/series-table/series.ts'
import { icon } from '../icons.ts'
import { type ColorName, drawPlot } from './plot.ts'
import { chartStyles } from './styles.ts'

/**
 * A chart of series over time.
 *
 * @fires keelson-brush - `{from, to}` in milliseconds: a stretch to look at.
 * @fires keelson-view - `{view}`.
 * @attr grouped - The legend gets a line of its own, kept until the series are there.
 * @slot actions - At the end of the heading's line.
 * @csspart heading, legend, plot, table
 */
export class KeelsonChart extends KeelsonElement {
  static readonly tag = 'keelson-chart'
  static readonly uses = [KeelsonSeriesTable]
  static override readonly styles = [controls, chartStyles]
  static override readonly properties = {
    times: { attribute: false },
    series: { attribute: false },
    interval: { attribute: false },
    partial: { type: Number },
    heading: {},
    caption: {},
    view: {},
    kind: {},
    stacked: { type: Boolean },
    height: { type: Number },
    value: { attribute: false },
    brush: { attribute: false },
    loading: { type: Boolean },
    error: { attribute: false },
    _hover: { state: true }
  }
  declare times: readonly number[]
  declare series: readonly ChartSeries[]
  declare interval: number | null
  /** How many buckets at the start hold only a part of their time: drawn paler, and named so. */
  declare partial: number
  declare heading: string
  declare caption: string
  declare view: 'chart' | 'table'
  declare kind: 'line' | 'bars'
  declare stacked: boolean
  declare height: number
  declare value: ((n: number) => string) | undefined
  declare brush: { readonly from: number; readonly to: number } | null
  declare loading: boolean
  declare error: unknown
  declare _hover: { readonly index: number; readonly left: number } | null
  #plot: uPlot | undefined
  #width = 0
  readonly #resize = new ResizeObserver(() => this.#onResize())
  readonly #theme = matchMedia('(prefers-color-scheme: dark)')
  readonly #scheme = new MutationObserver(() => this.#draw())

  constructor() {
    super()
    this.times = []
    this.series = []
    this.interval = null
    this.partial = 0
    this.heading = ''
    this.caption = ''
    this.view = 'chart'
    this.kind = 'line'
    this.stacked = false
    this.height = 200
    this.value = undefined
    this.brush = null
    this.loading = false
    this._hover = null
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#resize.observe(this)
    this.#theme.addEventListener('change', this.#onTheme)
    this.#scheme.observe(document.documentElement, { attributes: true })
    if (this.hasUpdated) this.requestUpdate('times')
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#resize.disconnect()
    this.#scheme.disconnect()
    this.#theme.removeEventListener('change', this.#onTheme)
    this.#destroy()
  }

  readonly #onTheme = (): void => this.#draw()

  #onResize(): void {
    const target = this.renderRoot.querySelector('.plot')
    const width = Math.floor(target?.clientWidth ?? 0)
    if (width === 0 || width === this.#width) return
    this.#width = width
    if (this.#plot === undefined) this.#draw()
    else this.#plot.setSize({ width, height: this.height })
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('height')) this.style.setProperty('--_height', `${this.height}px`)
    if (changed.size === 1 && changed.has('_hover')) this.#placeTip()
    else this.#draw()
  }

  #destroy(): void {
    this.#plot?.destroy()
    this.#plot = undefined
  }

  #draw(): void {
    this.#destroy()
    const target = this.renderRoot.querySelector<HTMLElement>('.plot')
    if (target === null || this.times.length === 0 || isBlank(this.series)) return
    this.#width = Math.floor(target.clientWidth)
    if (this.#width === 0) return
    const style = getComputedStyle(this)
    this.#plot = drawPlot(target, {
      times: this.times,
      interval: this.interval,
      partial: this.partial,
      drawn: drawnSeries(this.series, this.stacked),
      kind: this.kind,
      isStacked: this.stacked,
      width: this.#width,
      height: this.height,
      format: this.format,
      brush: this.brush,
      value: (n) => this.#value(n),
      color: (name) => this.#color(name),
      font: `11px ${style.fontFamily}`,
      onBrush: (from, to) => this.#onBrush(from, to),
      onHover: (index, left) => {
        this._hover = index === null ? null : { index, left }
      }
    })
  }

  /** The colour as the browser has it now: what a probe element computes. */
  #color(name: ColorName): string {
    const probe = this.renderRoot.querySelector<HTMLElement>('.probe')
    if (probe === null) return 'currentColor'
    probe.style.color = `var(--_${typeof name === 'number' ? `series-${name}` : name})`
    return getComputedStyle(probe).color
  }

  #value(n: number): string {
    return this.value?.(n) ?? this.format.compact(n)
  }

  #onBrush(from: number, to: number): void {
    const buckets = brushedBuckets(this.times, this.interval, from, to)
    if (buckets !== undefined) this.send('keelson-brush', buckets)
  }

  #show(view: 'chart' | 'table'): void {
    this.view = view
    this.send('keelson-view', { view })
  }

  /** Keeps the tip beside the pointer and inside the chart. */
  #placeTip(): void {
    const tip = this.renderRoot.querySelector<HTMLElement>('.tip')
    const over = this.renderRoot.querySelector<HTMLElement>('.u-over')
    if (tip === null || over === null || this._hover === null) return
    const left = over.offsetLeft + this._hover.left
    const isRight = left + tip.offsetWidth + 14 > this.#width
    tip.style.insetInlineStart = `${isRight ? left - tip.offsetWidth - 12 : left + 12}px`
  }

  override render(): TemplateResult {
    // What was drawn before a failure stays; without anything drawn its place says why.
    const hasError = this.error !== undefined && this.error !== null && !this.loading
    const isBare = hasError && this.#isBlank
    const isTable = this.view === 'table'
    const other = isTable ? 'chart' : 'table'
    return html`<figure aria-busy=${this.loading ? 'true' : 'false'}>
      <div class="top">
        <h2 part="heading">${this.heading}</h2>
        ${this.#legend()}
        <span class="push"></span>
        <span class="dim zone" title=${this.t('range.zone', { zone: this.format.timeZone })}>${this.format.timeZone}</span>
        <button class="link" @click=${() => this.#show(other)}>
          ${icon(other, 14)}<span>${this.t(`chart.${other}`)}</span>
        </button>
        <div class="actions"><slot name="actions"></slot></div>
      </div>
      <div class=${this.loading ? 'body waiting' : 'body'}>
        ${isTable && !isBare ? this.#table() : this.#canvas(isBare)}
      </div>
      <figcaption class="visually-hidden">${isBare || this.loading ? '' : this.caption}</figcaption>
      <span class="probe" hidden></span>
    </figure>`
  }

  #legend(): TemplateResult | typeof nothing {
    // Its place is kept until the series are there.
    if (this.series.length < 2 && !this.loading) return nothing
    return html`<ul class="legend" part="legend">
      ${this.series.map(
        (series) => html`<li class="tone-${toneOf(this.series, series)}">${series.label}</li>`
      )}
    </ul>`
  }

  #table(): TemplateResult {
    return html`<keelson-series-table
      part="table"
      label=${this.heading || this.caption}
      .times=${this.times}
      .series=${this.series}
      .interval=${this.interval}
      partial=${this.partial}
      .value=${this.value}
    ></keelson-series-table>`
  }

  get #isBlank(): boolean {
    return this.times.length === 0 || isBlank(this.series)
  }

  #canvas(isBare: boolean): TemplateResult {
    const isEmpty = !this.loading && this.#isBlank
    const reason = isBare ? errorText(this.error, this.t) : this.t('chart.empty')
    return html`<div class="plot" part="plot" aria-hidden="true"></div>
      ${isEmpty ? html`<p class="nothing dim" role="status">${reason}</p>` : nothing}
      ${this._hover === null ? nothing : this.#tip(this._hover.index)}`
  }

  #tip(index: number): TemplateResult | typeof nothing {
    const time = this.times[index]
    if (time === undefined) return nothing
    return html`<div class="tip" aria-hidden="true">
      <b>${timeText(time, this.interval, this.format)}${index < this.partial ? ` (${this.t('chart.partial')})` : nothing}</b>
      ${this.series.map((series) => {
        const value = series.values[index]
        return html`<span class="tone-${toneOf(this.series, series)}">${series.label}</span
          ><span class="num">${value === null || value === undefined ? '–' : this.#value(value)}</span>`
      })}
    </div>`
  }
}
