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
    this._isCopied = await copyText(this.text)
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

/** Without a secure context there is no clipboard: the old command may still do it. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    document.body.append(field)
    field.select()
    const isCopied = document.execCommand('copy')
    field.remove()
    return isCopied
  }
}
