// The form for two moments of the range picker: a separate file, loaded beside the data.
import { html, nothing, type TemplateResult } from 'lit'
import { customRange, localField, type Range, rangeBounds } from '../../controllers/range.ts'
import { KeelsonElement } from '../element.ts'
import { rangeFormStyles } from './form-styles.ts'

/** @fires keelson-range - `{value: Range}`. @fires keelson-close - Cancel, Escape, a press outside the picker. */
export class KeelsonRangeForm extends KeelsonElement {
  static readonly tag = 'keelson-range-form'
  static override readonly styles = rangeFormStyles
  static override readonly properties = {
    value: { attribute: false },
    _problem: { state: true }
  }
  declare value: Range
  declare _problem: string

  constructor() {
    super()
    this.value = { range: '24h' }
    this._problem = ''
  }

  override connectedCallback(): void {
    super.connectedCallback()
    document.addEventListener('pointerdown', this.#onOutside, true)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    document.removeEventListener('pointerdown', this.#onOutside, true)
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector('input')?.focus()
  }

  readonly #onOutside = (event: Event): void => {
    const { host } = this.getRootNode() as ShadowRoot
    if (!event.composedPath().includes(host)) this.#close(false)
  }

  #close(withFocus: boolean): void {
    if (withFocus) this.#giveFocusBack()
    this.send('keelson-close', {})
  }

  /** To the control of the picker that opened the form. The other one is hidden, and takes no focus. */
  #giveFocusBack(): void {
    const picker = this.getRootNode() as ShadowRoot
    for (const one of picker.querySelectorAll<HTMLElement>('.custom, select')) one.focus()
  }

  #onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    const fields = new FormData(event.target as HTMLFormElement)
    const value = (name: string) => String(fields.get(name))
    const read = customRange(value('from'), value('to'), this.format.timeZone)
    if (typeof read === 'string') {
      this._problem = read
      return
    }
    this.#giveFocusBack()
    this.send('keelson-range', { value: read })
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    event.preventDefault()
    this.#close(true)
  }

  override render(): TemplateResult {
    const { from, to } = rangeBounds(this.value, new Date())
    const { timeZone } = this.format
    const isInvalid = this._problem !== ''
    const field = (name: 'from' | 'to', at: Date) => html`<label
      >${this.t(`range.${name}`)}
      <input
        class="field"
        type="datetime-local"
        name=${name}
        .value=${localField(at, timeZone)}
        aria-invalid=${isInvalid ? 'true' : nothing}
        aria-describedby=${isInvalid ? 'problem' : nothing}
    /></label>`
    return html`<div role="dialog" aria-label=${this.t('range.custom')}
      ><form novalidate @submit=${this.#onSubmit} @keydown=${this.#onKey}>
      ${field('from', from)} ${field('to', to)}
      <small class="dim">${this.t('range.zone', { zone: timeZone })}</small>
      ${isInvalid ? html`<p id="problem" role="alert">${this.t(this._problem)}</p>` : nothing}
      <div class="row">
        <button class="btn primary">${this.t('ui.apply')}</button>
        <button class="btn quiet" type="button" @click=${() => this.#close(true)}>${this.t('ui.cancel')}</button>
      </div>
    </form></div>`
  }
}
