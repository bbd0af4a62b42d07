// The line at the top of a page: its heading, and the controls that hold for the whole page.
import { html, type TemplateResult } from 'lit'
import { KeelsonElement } from '../element.ts'
import { pageHeaderStyles } from './styles.ts'

/**
 * Heading and controls of a page. With the attribute `ranged`, on phones the heading has its own row: controls
 * that come with an answer, beside those of a range, then move nothing.
 *
 * @slot parent - Before the heading: the page that this one belongs to, as `breadcrumb` shows it.
 * @slot tags - Beside the heading.
 * @slot - Controls, at the end of the line.
 * @csspart bar, heading, actions
 */
export class KeelsonPageHeader extends KeelsonElement {
  static readonly tag = 'keelson-page-header'
  static override readonly properties = { heading: {} }
  static override readonly styles = pageHeaderStyles
  declare heading: string
  /** Heads of tables stay below this line, however many rows its controls take. */
  readonly #resize = new ResizeObserver(() => {
    const { host } = this.getRootNode() as Partial<ShadowRoot>
    ;(host as HTMLElement | undefined)?.style.setProperty('--_head', `${this.offsetHeight}px`)
  })

  constructor() {
    super()
    this.heading = ''
    this.#resize.observe(this)
  }

  /** Puts the reader at the heading, as after a navigation. */
  focusHeading(): void {
    this.renderRoot.querySelector('h1')?.focus()
  }

  override render(): TemplateResult {
    return html`<header part="bar">
      <slot name="parent"></slot>
      <div class="title">
        <h1 part="heading" tabindex="-1">${this.heading}</h1>
        <slot name="tags"></slot>
      </div>
      <div class="actions" part="actions"><slot></slot></div>
    </header>`
  }
}
