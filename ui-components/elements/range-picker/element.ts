// Chooses the range of time that a page looks at.
import { html, nothing, type TemplateResult } from 'lit'
import { KeelsonElement } from '../element.ts'
import { customRange, DEFAULT_RANGES, localField, type Range, rangeBounds } from './range.ts'
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
    _isOpen: { state: true },
    _problem: { state: true }
  }
  declare value: Range
  declare ranges: readonly string[]
  declare _isOpen: boolean
  declare _problem: string

  constructor() {
    super()
    this.value = { range: '24h' }
    this.ranges = DEFAULT_RANGES
    this._isOpen = false
    this._problem = ''
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    document.removeEventListener('pointerdown', this.#onOutside, true)
  }

  readonly #onOutside = (event: Event): void => {
    if (!event.composedPath().includes(this)) this.#close(false)
  }

  #open(): void {
    this._isOpen = true
    this._problem = ''
    document.addEventListener('pointerdown', this.#onOutside, true)
    void this.updateComplete.then(() => this.renderRoot.querySelector('input')?.focus())
  }

  #close(withFocus: boolean): void {
    this._isOpen = false
    document.removeEventListener('pointerdown', this.#onOutside, true)
    if (withFocus) this.renderRoot.querySelector<HTMLElement>('.custom')?.focus()
  }

  #pick(value: Range): void {
    this.value = value
    this.send('keelson-range', { value })
  }

  #onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    const fields = new FormData(event.target as HTMLFormElement)
    const read = customRange(String(fields.get('from')), String(fields.get('to')))
    if (typeof read === 'string') {
      this._problem = read
      return
    }
    this.#close(true)
    this.#pick(read)
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !this._isOpen) return
    event.preventDefault()
    this.#close(true)
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
          @click=${() => (this._isOpen ? this.#close(true) : this.#open())}
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
      new Intl.DateTimeFormat(this.format.locale, { day: 'numeric', month: 'short' }).format(
        new Date(at)
      )
    const from = day(this.value.from)
    const to = day(this.value.to)
    return from === to ? from : `${from} – ${to}`
  }

  #form(): TemplateResult {
    const { from, to } = rangeBounds(this.value, new Date())
    const field = (name: 'from' | 'to', at: Date) => html`<label
      >${this.t(`range.${name}`)}
      <input
        class="field"
        type="datetime-local"
        name=${name}
        .value=${localField(at)}
        aria-invalid=${this._problem === '' ? nothing : 'true'}
        aria-describedby=${this._problem === '' ? nothing : 'problem'}
    /></label>`
    return html`<div class="popover" part="popover" role="dialog" aria-label=${this.t('range.custom')}
      ><form novalidate @submit=${this.#onSubmit} @keydown=${this.#onKey}>
      ${field('from', from)} ${field('to', to)}
      ${this._problem === '' ? nothing : html`<p id="problem" role="alert">${this.t(this._problem)}</p>`}
      <div class="row">
        <button class="btn primary">${this.t('ui.apply')}</button>
        <button class="btn quiet" type="button" @click=${() => this.#close(true)}>${this.t('ui.cancel')}</button>
      </div>
    </form></div>`
  }
}
