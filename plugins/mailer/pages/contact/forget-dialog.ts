// The dialog that erases a contact: its id is typed again.
import { html, nothing, type TemplateResult } from 'lit'

/** What the dialog needs. */
export interface ForgetDialog {
  readonly id: string
  readonly email: string
  readonly problem: string
  readonly isSending: boolean
  t(key: string, values?: Readonly<Record<string, string | number>>): string
  onForget(confirm: string): void
  onClose(): void
}

/** The dialog. The button waits for nothing: the server refuses what is not the id, and says so. */
export function forgetDialog(dialog: ForgetDialog): TemplateResult {
  const { t, id, email, problem, isSending, onForget, onClose } = dialog
  const submit = (event: Event) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget as HTMLFormElement)
    onForget(String(data.get('confirm') ?? '').trim())
  }
  return html`<keelson-dialog open heading=${t('contact.forgetHeading', { email })} @keelson-close=${onClose}>
    <form id="forget" class="form" @submit=${submit}>
      <p>${t('contact.forgetText')}</p>
      <label class="part">
        <span>${t('contact.forgetMore', { id })}</span>
        <input class="field mono" name="confirm" autocomplete="off" spellcheck="false" />
      </label>
    </form>
    ${problem === '' ? nothing : html`<p role="alert" class="problem">${problem}</p>`}
    <button slot="actions" class="btn quiet" @click=${onClose}>${t('ui.cancel')}</button>
    <button slot="actions" class="btn danger" form="forget" ?disabled=${isSending}>${t('contact.forgetAction')}</button>
  </keelson-dialog>`
}
