// Says what failed and offers to try again, without taking the page away.
import { html, nothing, type TemplateResult } from 'lit'
import { controls } from '../../controls.ts'
import { icon } from '../../icons.ts'
import { KeelsonElement } from '../element.ts'
import { errorText, type RequestError } from './message.ts'
import { errorStyles } from './styles.ts'

/**
 * An error state. A 401 whose host gives a sign-in address is shown with a link there, any other 401 without
 * a button. With the attribute `banner` it stays at the bottom of the window.
 *
 * @fires keelson-retry - Try again was pressed.
 * @slot - More buttons.
 */
export class KeelsonError extends KeelsonElement {
  static readonly tag = 'keelson-error'
  static override readonly styles = [controls, errorStyles]
  static override readonly properties = {
    error: { attribute: false },
    heading: {},
    text: {},
    retry: { type: Boolean }
  }
  declare error: unknown
  declare heading: string
  declare text: string
  declare retry: boolean

  constructor() {
    super()
    this.heading = ''
    this.text = ''
    this.retry = false
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.setAttribute('role', 'alert')
  }

  override render(): TemplateResult {
    const hasError = this.error !== undefined && this.error !== null
    const text =
      this.text || (hasError ? errorText(this.error, (key, values) => this.t(key, values)) : '')
    const button = html`<button class="btn" @click=${() => this.send('keelson-retry', {})}>
      ${icon('refresh', 14)}${this.t('ui.retry')}
    </button>`
    return html`${icon('alert', 18)}
      <div>
        <h2>${this.heading || this.t('error.heading')}</h2>
        ${text === '' ? nothing : html`<p>${text}</p>`}
      </div>
      ${this.#signIn() ?? (this.retry ? button : nothing)}<slot></slot>`
  }

  /** On a 401, in place of another try, which cannot help. */
  #signIn(): TemplateResult | typeof nothing | undefined {
    const { signIn, status } = (this.error ?? {}) as Partial<RequestError>
    if (signIn) return html`<a class="btn" href=${signIn}>${this.t('error.signIn')}</a>`
    return status === 401 ? nothing : undefined
  }
}
