// One figure: what it is, how it changed, how it went, and where it comes from.
import { html, nothing, type TemplateResult } from 'lit'
import { controls } from '../../controls.ts'
import { LEAST_BASE, trendText } from '../../trend.ts'
import { KeelsonElement } from '../element.ts'
import { errorText } from '../error/message.ts'
import { sparkline } from './sparkline.ts'
import { statStyles } from './styles.ts'

/**
 * A stat tile.
 *
 * @csspart label, value, change, source
 */
export class KeelsonStat extends KeelsonElement {
  static readonly tag = 'keelson-stat'
  static override readonly styles = [controls, statStyles]
  static override readonly properties = {
    label: {},
    value: {},
    change: { attribute: false },
    base: { attribute: false },
    changeText: { attribute: 'change-text' },
    against: {},
    good: {},
    points: { attribute: false },
    source: {},
    caveat: {},
    tone: { reflect: true },
    loading: { type: Boolean },
    error: { attribute: false },
    href: {}
  }
  declare label: string
  declare value: string
  /** Against the time before, as a fraction: 0.124 is 12.4 % more. */
  declare change: number | null
  /** The count that `change` is against: of fewer than 20 both counts are shown in place of a percentage. */
  declare base: number | null
  declare changeText: string
  declare against: string
  /** Which way is good. */
  declare good: 'up' | 'down' | 'none'
  declare points: readonly number[]
  declare source: '' | 'raw' | 'rollup'
  /** What else to know of the figure: only a part was counted, or a sample stands for all. */
  declare caveat: '' | 'truncated' | 'sampled'
  declare tone: '' | 'bad'
  declare loading: boolean
  /** Why there is no figure: shown below a dash, never as a zero. */
  declare error: unknown
  declare href: string

  constructor() {
    super()
    this.label = ''
    this.value = ''
    this.change = null
    this.base = null
    this.changeText = ''
    this.against = ''
    this.good = 'up'
    this.points = []
    this.source = ''
    this.caveat = ''
    this.tone = ''
    this.loading = false
    this.href = ''
  }

  override render(): TemplateResult {
    const isBroken = this.#isBroken
    const label =
      this.href === '' ? html`${this.label}` : html`<a href=${this.href}>${this.label}</a>`
    return html`<div class="tile" role="group" aria-labelledby="label" aria-busy=${this.loading}>
      <div class="top">
        <div class="label" id="label" part="label">${label}</div>
        ${isBroken ? nothing : this.#source()}
      </div>
      <div class="value" part="value">${this.loading ? html`<span class="bone"></span>` : isBroken ? '–' : this.value}</div>
      ${isBroken ? nothing : this.#line()}
      <div class="change" part="change">${this.loading ? html`<span class="bone"></span>` : this.#change()}</div>
    </div>`
  }

  get #isBroken(): boolean {
    return this.error !== undefined && this.error !== null
  }

  #source(): TemplateResult | typeof nothing {
    if (this.source === '') return nothing
    const said = [this.source, this.caveat].filter((word) => word !== '')
    return html`<span
      class=${this.caveat === '' ? 'source' : 'source warn'}
      part="source"
      title=${said.map((word) => this.t(`stat.${word}Hint`)).join('. ')}
      >${said.map((word) => this.t(`stat.${word}`)).join(', ')}</span
    >`
  }

  #line(): TemplateResult | typeof nothing {
    const path = sparkline(this.points, 84, 26)
    if (path === '') return nothing
    return html`<svg viewBox="0 -2 84 30" preserveAspectRatio="none" fill="none" aria-hidden="true">
      <path d=${path} vector-effect="non-scaling-stroke"></path>
    </svg>`
  }

  #change(): TemplateResult {
    if (this.#isBroken) {
      const reason = errorText(this.error, this.t)
      return html`<span class="dim" title=${reason}>${reason}</span>`
    }
    const { base } = this
    const isOfFew = this.change !== null && (base ?? LEAST_BASE) < LEAST_BASE
    const against =
      this.against === '' || isOfFew ? nothing : html`<span class="dim">${this.against}</span>`
    if (this.change === null && this.changeText === '') return html`${against}`
    const change = this.change ?? 0
    const direction = change > 0 ? 'up' : change < 0 ? 'down' : 'same'
    const sign = { up: '▲', down: '▼', same: '±' }[direction]
    const isJudged = direction !== 'same' && this.good !== 'none'
    const tone = isJudged ? (direction === this.good ? 'better' : 'worse') : 'same'
    const text = this.changeText || trendText(change, base, this.format)
    return html`<span class=${tone}
        ><span aria-hidden="true">${sign} </span><span class="visually-hidden">${this.t(`stat.${direction}`)} </span>${text}</span
      >
      ${against}`
  }
}
