// Says that there is nothing, why, and what to do about it.
import { html, nothing, type TemplateResult } from 'lit'
import { controls } from '../../controls.ts'
import { KeelsonElement } from '../element.ts'
import { emptyStyles } from './styles.ts'

/**
 * An empty state.
 *
 * @slot - What to do: text, a link, a button.
 */
export class KeelsonEmpty extends KeelsonElement {
  static readonly tag = 'keelson-empty'
  static override readonly styles = [controls, emptyStyles]
  static override readonly properties = { heading: {}, text: {} }
  declare heading: string
  declare text: string

  constructor() {
    super()
    this.heading = ''
    this.text = ''
  }

  override render(): TemplateResult {
    return html`${this.heading === '' ? nothing : html`<h2>${this.heading}</h2>`}
      ${this.text === '' ? nothing : html`<p>${this.text}</p>`}
      <slot></slot>`
  }
}
