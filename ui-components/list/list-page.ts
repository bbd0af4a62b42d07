// A page that is one list, declared: its source, its filters, its columns, what opens beside it, its dialogs.
import { type CSSResultGroup, html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { Shortcuts } from '../controllers/shortcuts.ts'
import { controls } from '../controls.ts'
import type { ElementClass } from '../define.ts'
import { KeelsonEmpty } from '../elements/empty/element.ts'
import { errorText, type FieldError } from '../elements/error/message.ts'
import { KeelsonPageHeader } from '../elements/page-header/element.ts'
import { KeelsonTable } from '../elements/table/element.ts'
import { type FormDialog, formDialog } from '../form/form-dialog.ts'
import { Sending } from '../form/sending.ts'
import { KeelsonPage } from '../keelson-page.ts'
import type { ParamChanges } from '../param-changes.ts'
import { List, type ListOptions } from './list.ts'

/** A dialog with a form that changes something. The page defines `KeelsonDialog`. */
export interface ListDialog
  extends Pick<FormDialog, 'heading' | 'action' | 'width' | 'tone' | 'isLocked' | 'body'> {
  /**
   * Sends the form. Resolves to changes of the address beside closing the dialog, or to null when it went to another
   * page. Where it throws, the dialog stays open and says why.
   */
  send(form: HTMLFormElement): Promise<ParamChanges | null>
  /** Whether the form says beside a field that it was refused: `page.faults`. The dialog then does not. */
  places?(fault: FieldError): boolean
}

/** What a page declares. */
export interface ListPageOptions<Row, Detail = Row> extends ListOptions<Row, Detail> {
  /** At the end of the line with the heading of the page. */
  header?(): unknown
  /** Between the heading of the page and the list. */
  above?(): unknown
  /**
   * The dialogs by the value of the parameter `dialog`, as they are now: a form, or a whole dialog of the page's own.
   * N opens `new`, which is the text of its shortcut.
   */
  readonly dialogs?: Readonly<Record<string, () => ListDialog | TemplateResult | undefined>>
  /** A dialog that no address opens: what is shown once, such as a new secret. */
  once?(): unknown
}

/** What a page is made of. */
export interface ListPageParts<Row, Detail = Row> {
  readonly styles?: CSSResultGroup
  /** The elements that the page uses, beside those of every list. */
  readonly uses?: readonly ElementClass[]
  /** Called once for each element of the page, before it is drawn; `page.list` exists afterwards. */
  open(page: KeelsonListPage<Row, Detail>): ListPageOptions<Row, Detail>
}

/** The page of `listPage`. R reads the list again. */
export class KeelsonListPage<Row, Detail = Row> extends KeelsonPage {
  static override readonly uses: readonly ElementClass[] = [
    ...KeelsonPage.uses,
    KeelsonPageHeader,
    KeelsonTable,
    KeelsonEmpty
  ]
  readonly list: List<Row, Detail>
  readonly #declared: ListPageOptions<Row, Detail>
  readonly #sending: Sending
  #shown: string | null = null

  constructor(open: ListPageParts<Row, Detail>['open']) {
    super()
    const declared = open(this)
    const { source, texts } = declared
    this.#declared = declared
    this.list = new List(this, declared)
    this.#sending = new Sending(this, (error) => source.words?.(error) ?? errorText(error, this.t))
    const fresh = () => this.go({ dialog: 'new' })
    new Shortcuts(this, () => [
      { keys: 'r', label: this.t('ui.refresh'), run: () => void this.list.reload() },
      ...(declared.dialogs?.['new']
        ? [{ keys: 'n', label: this.t(`${texts}.new`), run: fresh }]
        : [])
    ])
  }

  protected override get windowTitle(): string {
    return this.t(`${this.#declared.texts}.title`)
  }

  /** The fields of the form that the server refused. */
  get faults(): readonly FieldError[] {
    return this.#sending.faults
  }

  /** Closes the dialog, and forgets why its form was refused. */
  readonly closeDialog = (): void => {
    this.#sending.clear()
    this.go({ dialog: null }, { replace: true })
  }

  protected override content(): TemplateResult {
    const { texts, header, above, once } = this.#declared
    return html`<keelson-page-header heading=${this.t(`${texts}.title`)}>${header?.() ?? nothing}</keelson-page-header>
      <div class="main">${above?.() ?? nothing} ${this.list.view()}</div>
      ${this.#dialog()} ${once?.() ?? nothing}`
  }

  /** The first field, once the form is up: the browser would choose the close button of its dialog. */
  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    const dialog = this.params.get('dialog')
    const field = this.renderRoot.querySelector<HTMLElement>('#form :is(input, select, textarea)')
    if (dialog === this.#shown || (dialog !== null && field === null)) return
    this.#shown = dialog
    requestAnimationFrame(() => field?.focus())
  }

  #dialog(): unknown {
    const dialog = this.#declared.dialogs?.[this.params.get('dialog') ?? '']?.()
    if (dialog === undefined || !('send' in dialog)) return dialog ?? nothing
    const { isSending, problem, faults } = this.#sending
    const isPlaced = faults.length > 0 && faults.every((fault) => dialog.places?.(fault) === true)
    return formDialog({
      ...dialog,
      isSending,
      problem: isPlaced ? '' : problem,
      t: this.t,
      onClose: this.closeDialog,
      onSubmit: (form) => void this.#send(dialog, form)
    })
  }

  #focusFault(): void {
    requestAnimationFrame(() => {
      this.renderRoot.querySelector<HTMLElement>('#form [aria-invalid]')?.focus()
    })
  }

  async #send(dialog: ListDialog, form: HTMLFormElement): Promise<void> {
    const changes = await this.#sending.send(() => dialog.send(form))
    if (changes) this.go({ dialog: null, ...changes }, { replace: true })
    if (this.faults.length > 0) this.#focusFault()
  }
}

/**
 * Makes the class of a page that is one list. Its whole state is the address: what narrows the list, the open row, the
 * dialog. A closed panel gives the focus back to its row.
 *
 * @example
 * definePage('crm-people', listPage<Person>({
 *   open: (page) => ({
 *     texts: 'people',
 *     source: { read: (narrowing, { cursor }, signal) => readPeople(page, narrowing, cursor, signal) },
 *     columns: () => [{ id: 'name', header: page.t('people.name'), cell: ({ name }) => name }]
 *   })
 * }))
 */
export function listPage<Row, Detail = Row>({
  styles = [],
  uses = [],
  open
}: ListPageParts<Row, Detail>): CustomElementConstructor & Pick<ElementClass, 'uses'> {
  return class extends KeelsonListPage<Row, Detail> {
    static override readonly styles = [controls, styles]
    static override readonly uses = [...KeelsonListPage.uses, ...uses]

    constructor() {
      super(open)
    }
  }
}
