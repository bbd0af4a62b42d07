// The dialogs of the Clients page: make or change a client, a new secret, and what is shown once.
import { html, nothing, type TemplateResult } from 'lit'
import type { OptionsAnswer } from '../../routes/own-schemas.ts'
import { plainName } from '../names.ts'
import { type FreshClient, GRACES } from './answer.ts'
import { type ClientDraft, toggled } from './draft.ts'

type T = (key: string, values?: Readonly<Record<string, string | number>>) => string

export interface DialogBasics {
  readonly isSending: boolean
  /** Something is missing that the browser does not check. */
  readonly isIncomplete?: boolean
  /** Why it was refused. */
  readonly problem: string
  readonly t: T
  onClose(): void
}

export interface ClientFormOptions extends DialogBasics {
  readonly draft: ClientDraft
  readonly options: OptionsAnswer
  /** The name of the client that is changed; undefined for a new one. */
  readonly changes: string | undefined
  onPreset(id: string): void
  onDraft(draft: ClientDraft): void
  onSubmit(): void
}

const textOf = (event: Event): string => (event.target as HTMLInputElement).value
const isOn = (event: Event): boolean => (event.target as HTMLInputElement).checked

function dialog(
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

const submit = (onSubmit: () => void) => (event: Event) => {
  event.preventDefault()
  onSubmit()
}

export function clientForm(options: ClientFormOptions): TemplateResult {
  const { t, draft, changes, onDraft } = options
  const heading = changes === undefined ? t('form.new') : t('form.edit', { name: changes })
  const form = html`<form id="form" class="form" @submit=${submit(options.onSubmit)}>
    ${changes === undefined ? preset(options) : nothing}
    <label class="part">
      <span>${t('form.name')}</span>
      <input class="field" name="name" required maxlength="200" autocomplete="off"
        .value=${draft.name} @input=${(event: Event) => onDraft({ ...draft, name: textOf(event) })} />
      <small class="dim">${t('form.nameHint')}</small>
    </label>
    ${changes === undefined ? proof(options) : nothing}
    <label class="part">
      <span>${t('form.redirects')}</span>
      <textarea class="field mono" name="redirects" rows="3" required spellcheck="false"
        .value=${draft.redirects}
        @input=${(event: Event) => onDraft({ ...draft, redirects: textOf(event) })}></textarea>
      <small class="dim">${t('form.redirectsHint')}</small>
    </label>
    ${scopes(options)} ${resources(options)}
  </form>`
  const basics = { ...options, isIncomplete: draft.resources.length === 0 }
  return dialog(basics, heading, t(changes === undefined ? 'form.create' : 'form.save'), form)
}

function preset({ t, options, onPreset }: ClientFormOptions): TemplateResult {
  return html`<label class="part">
    <span>${t('form.preset')}</span>
    <select class="field" name="preset" @change=${(event: Event) => onPreset(textOf(event))}>
      <option value="">${t('form.noPreset')}</option>
      ${options.presets.map(({ id, name }) => html`<option value=${id}>${name}</option>`)}
    </select>
  </label>`
}

function proof({ t, draft, onDraft }: ClientFormOptions): TemplateResult {
  const choice = (name: 'type' | 'proof', values: readonly string[]) => html`<label class="part">
    <span>${t(`form.${name}`)}</span>
    <select class="field" name=${name} .value=${draft[name]}
      @change=${(event: Event) => onDraft({ ...draft, [name]: textOf(event) })}>
      ${values.map(
        (value) =>
          html`<option value=${value} ?selected=${draft[name] === value}>${t(`form.${name}.${value}`)}</option>`
      )}
    </select>
  </label>`
  const isConfidential = draft.type === 'confidential'
  return html`${choice('type', ['confidential', 'public'])}
    ${isConfidential ? choice('proof', ['secret', 'key']) : nothing}
    ${
      isConfidential && draft.proof === 'key'
        ? html`<label class="part">
          <span>${t('form.jwksUri')}</span>
          <input class="field mono" name="jwksUri" type="url" required placeholder="https://"
            .value=${draft.jwksUri}
            @input=${(event: Event) => onDraft({ ...draft, jwksUri: textOf(event) })} />
        </label>`
        : nothing
    }`
}

function scopes({ t, draft, options, onDraft }: ClientFormOptions): TemplateResult {
  return html`<fieldset>
    <legend>${t('form.scopes')}</legend>
    <div class="choices">
      ${options.scopes.map(
        ({ id, label, isSensitive }) => html`<label class="choice" title=${label}>
          <input type="checkbox" name="scope" value=${id} .checked=${draft.scopes.includes(id)}
            @change=${(event: Event) =>
              onDraft({ ...draft, scopes: toggled(draft.scopes, id, isOn(event)) })} />
          <span class="mono">${id}</span>
          ${isSensitive ? html`<span class="tag warn">${t('form.sensitive')}</span>` : nothing}
        </label>`
      )}
    </div>
  </fieldset>`
}

function resources({
  t,
  draft,
  options,
  onDraft
}: ClientFormOptions): TemplateResult | typeof nothing {
  if (options.resources.length < 2 && draft.resources.length > 0) return nothing
  return html`<fieldset>
    <legend>${t('form.resources')}</legend>
    <div class="choices">
      ${options.resources.map(
        ({ id, label }) => html`<label class="choice" title=${id}>
          <input type="checkbox" name="resource" value=${id} .checked=${draft.resources.includes(id)}
            @change=${(event: Event) =>
              onDraft({ ...draft, resources: toggled(draft.resources, id, isOn(event)) })} />
          <span>${label}</span>
        </label>`
      )}
    </div>
    ${
      draft.resources.length === 0
        ? html`<p class="problem" role="status">${t('form.noResources')}</p>`
        : html`<small class="dim">${t('form.resourcesHint')}</small>`
    }
  </fieldset>`
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
  return dialog(basics, t('rotate.heading', { name: plainName(name) }), t('rotate.action'), form)
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
