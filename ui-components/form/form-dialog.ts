// A dialog with a form: its heading, its fields, why it was refused, its button.
import { html, nothing, type TemplateResult } from 'lit'

/** What the dialog shows and does. */
export interface FormDialog {
  readonly heading: string
  /** What the button says. */
  readonly action: string
  readonly isSending: boolean
  /** Why it was refused; empty when it was not. */
  readonly problem: string
  readonly width?: number
  readonly tone?: 'primary' | 'danger'
  /** The button cannot be pressed yet. */
  readonly isLocked?: boolean
  readonly body: unknown
  t(key: string): string
  onClose(): void
  onSubmit(form: HTMLFormElement): void
}

/** The dialog. Its form has the id `form`. */
export function formDialog(options: FormDialog): TemplateResult {
  const { heading, action, isSending, problem, width = 480, tone = 'primary', body, t } = options
  const submit = (event: Event) => {
    event.preventDefault()
    options.onSubmit(event.currentTarget as HTMLFormElement)
  }
  return html`<keelson-dialog open heading=${heading} width=${width} @keelson-close=${options.onClose}>
    <form id="form" class="form" @submit=${submit}>${body}</form>
    ${problem === '' ? nothing : html`<p role="alert" class="problem">${problem}</p>`}
    <button slot="actions" class="btn quiet" @click=${options.onClose}>${t('ui.cancel')}</button>
    <button slot="actions" class="btn ${tone}" form="form" ?disabled=${isSending || options.isLocked === true}>${action}</button>
  </keelson-dialog>`
}

/** A field with its label. */
export const formField = (label: string, field: TemplateResult, hint = ''): TemplateResult =>
  html`<label class="part"><span>${label}</span>${field}${hint === '' ? nothing : html`<small class="dim">${hint}</small>`}</label>`

/** The text of a field of a form. */
export const formText = (form: HTMLFormElement, name: string): string =>
  String(new FormData(form).get(name) ?? '').trim()
