// A form in a dialog that was typed into: closing the dialog or leaving the page asks first. Loaded with the first key.
import { holdPage, type Unsaved } from '../../controllers/unsaved.ts'
import { registerDraftTexts } from '../../locales/draft-texts.ts'
import type { ConfirmOptions, PageElement } from '../../page.ts'
import type { KeelsonElement } from '../element.ts'

type Dialog = KeelsonElement & { readonly open: boolean }
/** A page asks in its host. */
type Asking = { confirm?(options: ConfirmOptions): Promise<boolean> }
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
const FIELDS = 'input:not([type=hidden]), textarea, select'
/** What a dialog with one field may lose without a question: a number typed to confirm, a word. */
const BRIEF = 20

/** What was typed and not sent. It ends with the dialog, which the page closes after sending. */
export class UnsentForm implements Unsaved {
  readonly #dialog: Dialog
  readonly #page: PageElement | undefined
  readonly #release: () => void
  readonly #typed = new Set<Element>()

  constructor(dialog: Dialog, page: PageElement | undefined) {
    registerDraftTexts()
    this.#dialog = dialog
    this.#page = page
    this.#release = holdPage(page ?? dialog, this)
    dialog.addEventListener('reset', this.#onReset)
    addEventListener('beforeunload', this.#onUnload)
  }

  /** Notes a field that was typed into. */
  note(field: Element): void {
    this.#typed.add(field)
  }

  /** Whether something would be lost with the dialog. */
  get isTyped(): boolean {
    const typed = [...this.#typed].filter((field) => field.isConnected)
    if (typed.length === 0) return false
    const all = this.#dialog.querySelectorAll(FIELDS)
    return all.length > 1 || typed.some((field) => ((field as Field).value?.length ?? 0) > BRIEF)
  }

  /** The page closes its own dialogs; a link, Back and Forward close them without asking the page. */
  isLostAt(_to: URL, isByPage: boolean): boolean {
    return !isByPage && this.#dialog.open && this.isTyped
  }

  /** Asks whether what was typed may be lost. */
  async settle(): Promise<boolean> {
    const { t } = this.#dialog
    const heading = t('draft.discard')
    const options = { heading, text: t('draft.discardText'), action: t('draft.discardAction') }
    const page = (this.#page ?? {}) as Asking
    return page.confirm?.({ ...options, tone: 'bad' }) ?? window.confirm(heading)
  }

  /** The dialog is closed. */
  end(): void {
    this.#release()
    this.#dialog.removeEventListener('reset', this.#onReset)
    removeEventListener('beforeunload', this.#onUnload)
  }

  readonly #onReset = (): void => this.#typed.clear()
  readonly #onUnload = (event: BeforeUnloadEvent): void => {
    if (this.#dialog.open && this.isTyped) event.preventDefault()
  }
}
