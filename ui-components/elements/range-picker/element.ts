// Chooses the range of time that a page looks at.
import { html, nothing, type TemplateResult } from 'lit'
import { define } from '../../define.ts'
import { KeelsonElement } from '../element.ts'
import { DEFAULT_RANGES, type Range } from './range.ts'
import { rangePickerStyles } from './styles.ts'

/**
 * The last so and so much, or two moments of one's own.
 *
 * @fires keelson-range - `{value: Range}`.
 * @csspart option, popover
 */
export class KeelsonRangePicker extends KeelsonElement {
  static readonly tag = 'keelson-range-picker'
  static override readonly styles = rangePickerStyles
  static override readonly properties = {
    value: { attribute: false },
    ranges: { attribute: false },
    _isOpen: { state: true }
  }
  declare value: Range
  declare ranges: readonly string[]
  declare _isOpen: boolean

  constructor() {
    super()
    this.value = { range: '24h' }
    this.ranges = DEFAULT_RANGES
    this._isOpen = false
  }

  /** The form is a separate file: the page is drawn before it is loaded. */
  protected override firstUpdated(): void {
    void import('./form.ts').then(({ KeelsonRangeForm }) => define(KeelsonRangeForm))
  }

  #close(withFocus: boolean): void {
    this._isOpen = false
    if (withFocus) this.renderRoot.querySelector<HTMLElement>('.custom')?.focus()
  }

  #pick(value: Range): void {
    this._isOpen = false
    this.value = value
    this.send('keelson-range', { value })
  }

  override render(): TemplateResult {
    const current = 'range' in this.value ? this.value.range : undefined
    return html`<div class="seg" role="group" aria-label=${this.t('range.label')}>
        ${this.ranges.map((range) => this.#option(range, range === current))}
        <button
          class="custom"
          part="option"
          aria-haspopup="dialog"
          aria-expanded=${this._isOpen ? 'true' : 'false'}
          aria-pressed=${current === undefined ? 'true' : 'false'}
          @click=${() => {
            this._isOpen = !this._isOpen
          }}
        >${this.#customText()}</button>
      </div>
      ${this._isOpen ? this.#form() : nothing}`
  }

  #option(range: string, isCurrent: boolean): TemplateResult {
    const words = /^(\d+)([hd])$/.exec(range)
    const label =
      words === null ? range : this.t(`range.last.${words[2]}`, { count: Number(words[1]) })
    return html`<button
      part="option"
      aria-pressed=${isCurrent ? 'true' : 'false'}
      title=${label}
      @click=${() => this.#pick({ range })}
    >${range}</button>`
  }

  #customText(): string {
    if (!('from' in this.value)) return this.t('range.custom')
    const day = (at: string) =>
      new Intl.DateTimeFormat(this.format.locale, {
        day: 'numeric',
        month: 'short',
        timeZone: this.format.timeZone
      }).format(new Date(at))
    const from = day(this.value.from)
    const to = day(this.value.to)
    return from === to ? from : `${from} – ${to}`
  }

  #form(): TemplateResult {
    return html`<keelson-range-form
      part="popover"
      .value=${this.value}
      @keelson-range=${(event: CustomEvent<{ value: Range }>) => {
        event.stopPropagation()
        this.#close(true)
        this.#pick(event.detail.value)
      }}
      @keelson-close=${(event: CustomEvent<{ withFocus: boolean }>) => {
        event.stopPropagation()
        this.#close(event.detail.withFocus)
      }}
    ></keelson-range-form>`
  }
}
