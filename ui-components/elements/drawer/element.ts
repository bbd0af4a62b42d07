// A panel that opens beside a list where there is room, and over it where there is none.
import { html, type PropertyValues, type TemplateResult } from 'lit'
import { Shortcuts } from '../../controllers/shortcuts.ts'
import { controls } from '../../controls.ts'
import { deepActive } from '../../focus.ts'
import { icon } from '../../icons.ts'
import { KeelsonElement } from '../element.ts'
import { drawerStyles } from './styles.ts'

/** From this width on, in pixels, the panel stands beside the list. */
const BESIDE = 880

/**
 * List and detail.
 *
 * @fires keelson-close - Escape, the close button or the backdrop; the page then sets `open`.
 * @slot list - What the panel opens beside.
 * @slot header - Head of the panel.
 * @slot - Content of the panel.
 * @csspart panel, header, content
 */
export class KeelsonDrawer extends KeelsonElement {
  static readonly tag = 'keelson-drawer'
  static override readonly styles = [controls, drawerStyles]
  static override readonly properties = {
    open: { type: Boolean, reflect: true },
    label: {},
    width: { type: Number },
    beside: { state: true }
  }
  declare open: boolean
  declare label: string
  declare width: number
  declare beside: boolean
  #opener: HTMLElement | null = null
  readonly #resize = new ResizeObserver(() => this.#measure())

  constructor() {
    super()
    this.open = false
    this.label = ''
    this.width = 380
    this.beside = true
    new Shortcuts(this, () =>
      this.open
        ? [{ keys: 'Escape', label: this.t('shell.shortcut.close'), run: () => this.#close() }]
        : []
    )
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#resize.observe(this)
    this.#measure()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#resize.disconnect()
  }

  #measure(): void {
    this.beside = this.getBoundingClientRect().width >= BESIDE
  }

  #close(): void {
    this.send('keelson-close', {})
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('open') && this.open) this.#opener = deepActive()
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('width')) this.style.setProperty('--_panel', `${this.width}px`)
    if (changed.has('open') || changed.has('beside')) this.#place(changed.get('open') === true)
  }

  /** Shows the dialog the way the room allows. Beside the list the focus stays where it is. */
  #place(wasOpen: boolean): void {
    const dialog = this.renderRoot.querySelector('dialog')
    if (dialog === null) return
    this.toggleAttribute('beside', this.open && this.beside)
    const hadFocus = isWithin(deepActive(), this, dialog)
    if (dialog.open) dialog.close()
    dialog.removeAttribute('open')
    if (this.open && this.beside) {
      dialog.setAttribute('open', '')
      const { top } = dialog.getBoundingClientRect()
      // Most of it would be below the screen. The rows come along: they begin where the panel does.
      if (top < 0 || top > innerHeight / 2) dialog.scrollIntoView()
    } else if (this.open) dialog.showModal()
    else if (wasOpen && hadFocus) this.#restoreFocus()
  }

  #restoreFocus(): void {
    const [list] =
      this.renderRoot.querySelector<HTMLSlotElement>('slot[name=list]')?.assignedElements() ?? []
    const rows = [list, ...(list?.querySelectorAll('*') ?? [])].find(
      (element): element is HTMLElement & { focusActive(): boolean } =>
        element !== undefined && 'focusActive' in element
    )
    if (rows?.focusActive() === true) return
    if (this.#opener?.isConnected) this.#opener.focus()
  }

  #onCancel(event: Event): void {
    event.preventDefault()
    this.#close()
  }

  #onBackdrop(event: MouseEvent): void {
    if (!this.beside && event.target === event.currentTarget) this.#close()
  }

  override render(): TemplateResult {
    return html`<div class="list"><slot name="list"></slot></div>
      <dialog
        part="panel"
        class=${this.beside ? 'beside' : 'over'}
        aria-label=${this.label}
        @cancel=${this.#onCancel}
        @click=${this.#onBackdrop}
      >
        <div class="panel">
          <div class="head" part="header">
            <slot name="header"></slot>
            <button class="btn quiet icon" aria-label=${this.t('ui.close')} @click=${() => this.#close()}>
              ${icon('close')}
            </button>
          </div>
          <div class="content" part="content" tabindex="-1"><slot></slot></div>
        </div>
      </dialog>`
  }
}

/** Whether a focused element is in the panel: in the dialog itself, or slotted into it. */
function isWithin(
  active: HTMLElement | null,
  host: HTMLElement,
  dialog: HTMLDialogElement
): boolean {
  for (let at: Node | null = active; at !== null && at !== host; ) {
    if (at === dialog) return true
    at = at instanceof ShadowRoot ? at.host : ((at as Element).assignedSlot ?? at.parentNode)
  }
  return false
}
