// A small button that copies a text.
import { html, type TemplateResult } from 'lit'
import { controls } from '../../controls.ts'
import { icon } from '../../icons.ts'
import { KeelsonElement } from '../element.ts'
import { copyStyles } from './styles.ts'

/** Copies its `text` and says so. */
export class KeelsonCopy extends KeelsonElement {
  static readonly tag = 'keelson-copy'
  static override readonly styles = [controls, copyStyles]
  static override readonly properties = { text: {}, label: {}, _isCopied: { state: true } }
  declare text: string
  declare label: string
  declare _isCopied: boolean
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    this.text = ''
    this.label = ''
    this._isCopied = false
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#timer)
  }

  async #copy(): Promise<void> {
    await navigator.clipboard.writeText(this.text)
    this._isCopied = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this._isCopied = false
    }, 2000)
  }

  override render(): TemplateResult {
    const words = this._isCopied ? this.t('ui.copied') : this.label || this.t('ui.copy')
    return html`<button title=${words} aria-label=${words} @click=${() => void this.#copy()}>
        ${icon(this._isCopied ? 'check' : 'copy', 14)}
      </button>
      <span class="visually-hidden" role="status">${this._isCopied ? this.t('ui.copied') : ''}</span>`
  }
}
