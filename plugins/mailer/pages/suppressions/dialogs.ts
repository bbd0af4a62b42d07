// The fields of the dialogs of the Suppressions page: add an address, remove a suppression for a reason.
import { formField } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { isGuarded, type Suppression } from './suppression.ts'

type T = (key: string) => string

/** Suppress an address by hand. */
export const addFields = (t: T): TemplateResult =>
  html`${formField(t('suppressions.email'), html`<input class="field" name="email" autocomplete="off" spellcheck="false" inputmode="email" />`)}
    ${formField(
      t('suppressions.scope'),
      html`<select class="field" name="scope">
        ${['all', 'marketing', 'transactional'].map((scope) => html`<option value=${scope}>${t(`scope.${scope}`)}</option>`)}
      </select>`
    )}
    ${formField(t('suppressions.notes'), html`<input class="field" name="notes" maxlength="500" autocomplete="off" />`)}`

/** Remove a suppression; after a bounce or a complaint with a reason. */
export const removeFields = (row: Suppression, t: T): TemplateResult =>
  html`<p>${t('suppressions.removeText')}</p>
    ${
      isGuarded(row)
        ? formField(
            t('suppressions.removeReason'),
            html`<input class="field" name="reason" required maxlength="200" autocomplete="off" />`,
            t('suppressions.removeHint')
          )
        : nothing
    }`
