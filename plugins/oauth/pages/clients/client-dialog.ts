// The dialogs of the Clients page around a form: a new secret, and what is shown once.
import { html, nothing, type TemplateResult } from 'lit'
import { plainName } from '../names.ts'
import { type FreshClient, GRACES } from './answer.ts'

/** Words of the catalog. */
export type T = (key: string, values?: Readonly<Record<string, string | number>>) => string

export interface DialogBasics {
  readonly isSending: boolean
  /** Something is missing that the browser does not check. */
  readonly isIncomplete?: boolean
  /** Why it was refused. */
  readonly problem: string
  readonly t: T
  onClose(): void
}

/** A dialog around a form with the id `form`. */
export function formDialog(
  { isSending, isIncomplete, problem, t, onClose }: DialogBasics,
  heading: string,
  action: string,
  form: TemplateResult
): TemplateResult {
  return html`<keelson-dialog open heading=${heading} width="560" @keelson-close=${onClose}>
    ${form}
    ${problem === '' ? nothing : html`<p role="alert" class="problem">${problem}</p>`}
    <button slot="actions" class="btn quiet" @click=${onClose}>${t('ui.cancel')}</button>
    <button slot="actions" class="btn primary" form="form" ?disabled=${isSending || isIncomplete === true}>${action}</button>
  </keelson-dialog>`
}

export interface RotateOptions extends DialogBasics {
  readonly name: string
  onSubmit(form: HTMLFormElement): void
}

export function rotateForm({ name, onSubmit, ...basics }: RotateOptions): TemplateResult {
  const { t } = basics
  const form = html`<form id="form" class="form" @submit=${(event: Event) => {
    event.preventDefault()
    onSubmit(event.currentTarget as HTMLFormElement)
  }}>
    <p>${t('rotate.text')}</p>
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
    </label>
  </form>`
  return formDialog(
    basics,
    t('rotate.heading', { name: plainName(name) }),
    t('rotate.action'),
    form
  )
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
  const value = (name: string, text: string, copy: string) => html`<div class="shown-once">
    <span class="dim">${t(name)}</span>
    <div class="secret">
      <code>${text}</code>
      <keelson-copy text=${text} label=${t(copy)}></keelson-copy>
    </div>
  </div>`
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
