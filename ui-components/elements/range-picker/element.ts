// Chooses the range of time that a page looks at.
import { html, nothing, type TemplateResult } from 'lit'
import { DEFAULT_RANGES, type Range } from '../../controllers/range.ts'
import { define } from '../../define.ts'
import { KeelsonElement } from '../element.ts'
import { rangePickerStyles } from './styles.ts'

/**
 * The last so and so much, or two moments of one's own: buttons, in a narrow window a list.
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

  #pick(value: Range): void {
    this._isOpen = false
    this.value = value
    this.send('keelson-range', { value })
  }

  override render(): TemplateResult {
    const { value } = this
    const isCustom = 'from' in value
    const chosen = isCustom ? this.#days(value) : value.range
    const custom = this.t('range.custom')
    const label = this.t('range.label')
    return html`<div class="seg" role="group" aria-label=${label}>
        ${this.ranges.map(
          (range) => html`<button
            part="option"
            aria-pressed=${range === chosen}
            @click=${() => this.#pick({ range })}
          >${range}</button>`
        )}
        <button
          class="custom"
          part="option"
          aria-haspopup="dialog"
          aria-expanded=${this._isOpen}
          aria-pressed=${isCustom}
          @click=${() => {
            this._isOpen = !this._isOpen
          }}
        >${isCustom ? chosen : custom}</button>
      </div>
      <select
        class="btn"
        aria-label=${label}
        @change=${({ target }: Event) => {
          // Custom opens the form, and the list keeps its value.
          const list = target as HTMLSelectElement
          const range = list.value
          list.value = chosen
          if (range) this.#pick({ range })
          else this._isOpen = true
        }}
      >
        ${[...new Set(this.ranges).add(chosen)].map(
          (range) => html`<option .selected=${range === chosen}>${range}</option>`
        )}
        <option value="">${custom}</option>
      </select>
      ${this._isOpen ? this.#form() : nothing}`
  }

  #days({ from, to }: { readonly from: string; readonly to: string }): string {
    const { locale, timeZone } = this.format
    const days = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone })
    return days.formatRange(new Date(from), new Date(to))
  }

  #form(): TemplateResult {
    return html`<keelson-range-form
      part="popover"
      .value=${this.value}
      @keelson-range=${({ detail }: CustomEvent<{ value: Range }>) => {
        this._isOpen = false
        this.value = detail.value
      }}
      @keelson-close=${(event: Event) => {
        event.stopPropagation()
        this._isOpen = false
      }}
    ></keelson-range-form>`
  }
}
