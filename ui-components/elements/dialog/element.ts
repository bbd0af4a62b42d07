// A modal dialog on the browser's own, in the top layer.
import { html, type PropertyValues, type TemplateResult } from 'lit'
import { controls } from '../../controls.ts'
import { deepActive } from '../../focus.ts'
import { icon } from '../../icons.ts'
import type { PageElement } from '../../page.ts'
import { KeelsonElement } from '../element.ts'
import { dialogStyles } from './styles.ts'
import type { UnsentForm } from './unsent-form.ts'

/**
 * A dialog. A field of a form inside it that is refused says why below itself, until it is changed. What was typed into
 * it is asked about before Escape, the backdrop, the close button, a link or Back loses it; the page may close it at once.
 *
 * @fires keelson-close - Escape, the close button or the backdrop; set `open` to false then.
 * @slot - Content.
 * @slot actions - Buttons.
 */
export class KeelsonDialog extends KeelsonElement {
  static readonly tag = 'keelson-dialog'
  static override readonly styles = [controls, dialogStyles]
  static override readonly properties = {
    open: { type: Boolean, reflect: true },
    heading: {},
    width: { type: Number }
  }
  declare open: boolean
  declare heading: string
  declare width: number
  #opener: HTMLElement | null = null
  /** The page around, while the dialog is open. */
  #page: PageElement | undefined
  #unsent: UnsentForm | undefined

  constructor() {
    super()
    this.open = false
    this.heading = ''
    this.width = 420
    // `invalid` does not bubble.
    this.addEventListener('invalid', (event) => void this.#refuse(event), true)
    this.addEventListener('input', (event) => void this.#watch(event))
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('width')) this.style.setProperty('--_width', `${this.width}px`)
    const dialog = this.renderRoot.querySelector('dialog')
    if (dialog === null || dialog.open === this.open) return
    if (this.open) {
      this.#opener = deepActive()
      this.#page = pageAround(this)
      dialog.showModal()
      return
    }
    dialog.close()
    this.#forget()
    this.#returnFocus()
  }

  /** A dialog that is taken away while it is open gives the focus back as one that closes does. */
  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#forget()
    this.#returnFocus()
  }

  /** To what had it; to the page's heading where that is nothing, as after the load of an address, or gone. */
  #returnFocus(): void {
    const isThere = this.#opener?.isConnected && this.#opener !== document.body
    if (isThere) this.#opener?.focus()
    else this.#page?.focusHeading?.()
    this.#opener = null
    this.#page = undefined
  }

  /** In place of the browser's bubble, which is gone in seconds. */
  async #refuse(event: Event): Promise<void> {
    event.preventDefault()
    const field = event.target as HTMLInputElement
    const { showFieldProblem } = await import('./field-problem.ts')
    showFieldProblem(field, this.t)
  }

  /** From the first key on. */
  async #watch(event: Event): Promise<void> {
    // The path of an event is empty once it was handled.
    const [field] = event.composedPath()
    const { UnsentForm: form } = await import('./unsent-form.ts')
    if (!this.open || !this.isConnected) return
    this.#unsent ??= new form(this, this.#page)
    this.#unsent.note(field as Element)
  }

  #forget(): void {
    this.#unsent?.end()
    this.#unsent = undefined
  }

  async #close(): Promise<void> {
    if (this.#unsent?.isTyped && !(await this.#unsent.settle())) return
    this.send('keelson-close', {})
  }

  override render(): TemplateResult {
    return html`<dialog
      aria-labelledby="heading"
      @cancel=${(event: Event) => {
        event.preventDefault()
        void this.#close()
      }}
      @click=${(event: Event) => event.target === event.currentTarget && void this.#close()}
    >
      <div class="box">
        <header>
          <h2 id="heading">${this.heading}</h2>
          <button class="btn quiet icon" aria-label=${this.t('ui.close')} @click=${() => void this.#close()}>
            ${icon('close')}
          </button>
        </header>
        <div class="content"><slot></slot></div>
        <footer><slot name="actions"></slot></footer>
      </div>
    </dialog>`
  }
}

/** The nearest element around that can put the focus at its heading. */
function pageAround(element: Element): PageElement | undefined {
  const { host } = element.getRootNode() as Partial<ShadowRoot>
  if (host === undefined || 'focusHeading' in host) return host as PageElement | undefined
  return pageAround(host)
}
