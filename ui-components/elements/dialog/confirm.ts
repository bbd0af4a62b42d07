// A question with two answers, in a dialog.
import { html, type TemplateResult } from 'lit'
import { controls } from '../../controls.ts'
import type { ConfirmOptions } from '../../page.ts'
import { KeelsonElement } from '../element.ts'
import { KeelsonDialog } from './element.ts'

/** @fires keelson-answer - `{isConfirmed}`, once. */
export class KeelsonConfirm extends KeelsonElement {
  static readonly tag = 'keelson-confirm'
  static readonly uses = [KeelsonDialog]
  static override readonly styles = controls
  static override readonly properties = { options: { attribute: false } }
  declare options: ConfirmOptions | undefined

  constructor() {
    super()
    this.options = undefined
  }

  #answer(isConfirmed: boolean): void {
    this.send('keelson-answer', { isConfirmed })
  }

  override render(): TemplateResult {
    const { heading = '', text = '', action = '', tone = 'neutral' } = this.options ?? {}
    const keep = this.options?.keep ?? this.t('ui.cancel')
    return html`<keelson-dialog
      open
      heading=${heading}
      @keelson-close=${(event: Event) => {
        event.stopPropagation()
        this.#answer(false)
      }}
    >
      ${text}
      <button slot="actions" class="btn" @click=${() => this.#answer(false)}>${keep}</button>
      <button slot="actions" class="btn ${tone === 'bad' ? 'danger' : 'primary'}" @click=${() => this.#answer(true)}>
        ${action}
      </button>
    </keelson-dialog>`
  }
}
