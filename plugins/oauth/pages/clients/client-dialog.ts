// The dialogs of the Clients page beside its form: a new secret, and what is shown once.
import { type ListDialog, plainName, shownOnce } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { type FreshClient, GRACES } from './answer.ts'

/** Words of the catalog. */
export type T = (key: string, values?: Readonly<Record<string, string | number>>) => string

/** A dialog with a form, without what sends it. */
export type DialogForm = Omit<ListDialog, 'send'>

export function rotateForm(name: string, t: T): DialogForm {
  return {
    width: 560,
    heading: t('rotate.heading', { name: plainName(name) }),
    action: t('rotate.action'),
    body: html`<p>${t('rotate.text')}</p>
      <label class="part">
        <span>${t('rotate.grace')}</span>
        <select class="field" name="grace">
          ${GRACES.map(
            ([id, ms]) =>
              html`<option value=${ms} ?selected=${id === 'day'}>${t(`rotate.${id}`)}</option>`
          )}
        </select>
      </label>
      <label class="part">
        <span>${t('rotate.label')}</span>
        <input class="field" name="label" maxlength="100" autocomplete="off" />
        <small class="dim">${t('rotate.labelHint')}</small>
      </label>`
  }
}

export interface FreshOptions {
  readonly fresh: FreshClient
  readonly isNew: boolean
  readonly issuer: string
  readonly t: T
  onClose(): void
}

/** What is shown once: nowhere else, and not again. */
export function freshDialog({ fresh, isNew, issuer, t, onClose }: FreshOptions): TemplateResult {
  const { clientId, clientSecret } = fresh
  const value = (name: string, text: string, copy: string) =>
    shownOnce({ label: t(name), text, copy: t(copy) })
  const hasSecret = clientSecret !== undefined
  return html`<keelson-dialog
    open
    heading=${t(isNew ? 'fresh.created' : 'fresh.rotated')}
    width="520"
    @keelson-close=${onClose}
  >
    <p>${t(hasSecret ? 'fresh.text' : 'fresh.publicText')}</p>
    ${value('fresh.id', clientId, 'client.copyId')}
    ${hasSecret ? value('fresh.secret', clientSecret, 'client.copySecret') : nothing}
    ${isNew ? value('fresh.issuer', issuer, 'fresh.copyIssuer') : nothing}
    <button slot="actions" class="btn primary" @click=${onClose}>
      ${t(hasSecret ? 'fresh.done' : 'fresh.close')}
    </button>
  </keelson-dialog>`
}
