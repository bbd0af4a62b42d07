// The dialogs of the Suppressions page: add an address, remove a suppression for a reason.
import { html, nothing, type TemplateResult } from 'lit'
import { isGuarded, type Suppression } from './suppression.ts'

/** What every dialog needs. */
export interface DialogBasics {
  readonly problem: string
  readonly isSending: boolean
  t(key: string, values?: Readonly<Record<string, string | number>>): string
  onSubmit(data: FormData): void
  onClose(): void
}

interface Frame {
  readonly heading: string
  readonly action: string
  readonly tone: 'primary' | 'danger'
  readonly fields: TemplateResult
}

function frame(dialog: DialogBasics, { heading, action, tone, fields }: Frame): TemplateResult {
  const { t, problem, isSending, onSubmit, onClose } = dialog
  return html`<keelson-dialog open heading=${heading} @keelson-close=${onClose}>
    <form id="form" class="form" @submit=${(event: Event) => {
      event.preventDefault()
      onSubmit(new FormData(event.currentTarget as HTMLFormElement))
    }}>${fields}</form>
    ${problem === '' ? nothing : html`<p role="alert" class="problem">${problem}</p>`}
    <button slot="actions" class="btn quiet" @click=${onClose}>${t('ui.cancel')}</button>
    <button slot="actions" class="btn ${tone}" form="form" ?disabled=${isSending}>${action}</button>
  </keelson-dialog>`
}

/** Suppress an address by hand. */
export function addSuppression(dialog: DialogBasics): TemplateResult {
  const { t } = dialog
  return frame(dialog, {
    heading: t('suppressions.add'),
    action: t('suppressions.addAction'),
    tone: 'primary',
    fields: html`<label class="part">
        <span>${t('suppressions.email')}</span>
        <input class="field" name="email" autocomplete="off" spellcheck="false" inputmode="email" />
      </label>
      <label class="part">
        <span>${t('suppressions.scope')}</span>
        <select class="field" name="scope">
          ${['all', 'marketing', 'transactional'].map((scope) => html`<option value=${scope}>${t(`scope.${scope}`)}</option>`)}
        </select>
      </label>
      <label class="part">
        <span>${t('suppressions.notes')}</span>
        <input class="field" name="notes" maxlength="500" autocomplete="off" />
      </label>`
  })
}

/** Remove a suppression; after a bounce or a complaint with a reason. */
export function removeSuppression(row: Suppression, dialog: DialogBasics): TemplateResult {
  const { t } = dialog
  return frame(dialog, {
    heading: t('suppressions.removeHeading', { email: row.email ?? row.emailHash }),
    action: t('suppressions.remove'),
    tone: 'danger',
    fields: html`<p>${t('suppressions.removeText')}</p>
      ${
        isGuarded(row)
          ? html`<label class="part">
            <span>${t('suppressions.removeReason')}</span>
            <input class="field" name="reason" required maxlength="200" autocomplete="off" />
            <small class="dim">${t('suppressions.removeHint')}</small>
          </label>`
          : nothing
      }`
  })
}
