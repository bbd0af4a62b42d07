// The form of the Clients page: what a client is when it is made or changed, with faults beside their fields.
import type { FieldError } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { OptionsAnswer } from '../../operations/answers.ts'
import type { DialogForm, T } from './client-dialog.ts'
import { BRANDING, type ClientDraft, toggled } from './draft.ts'
import { namedId } from './named-id.ts'

export interface ClientFormOptions {
  readonly t: T
  readonly draft: ClientDraft
  readonly options: OptionsAnswer
  /** The name of the client that is changed; undefined for a new one. */
  readonly changes: string | undefined
  /** Only its scopes and resources can be changed. */
  readonly isLimited: boolean
  /** What the server refused, by the names of the API. */
  readonly faults: readonly FieldError[]
  onPreset(id: string): void
  onDraft(draft: ClientDraft): void
}

/** Names of the API whose faults have a place in the form. */
const PLACES = new Set([
  'name',
  'redirectUris',
  'postLogoutRedirectUris',
  'jwksUri',
  'jwks',
  'idTokenAlg',
  'pkce',
  'allowedScopes',
  'allowedResources',
  ...BRANDING.map((name) => `branding.${name}`)
])

const placeOf = ({ path }: FieldError): string | undefined =>
  [...PLACES].find(
    (name) => path === name || (/^[./[]/.test(path.slice(name.length)) && path.startsWith(name))
  )

/** Whether something is refused that the folded part of the form holds. */
const isFolded = (fault: FieldError): boolean =>
  /^(branding|postLogout|idTokenAlg|pkce)/.test(placeOf(fault) ?? '')

const textOf = (event: Event): string => (event.target as HTMLInputElement).value
const isOn = (event: Event): boolean => (event.target as HTMLInputElement).checked

export function clientForm(options: ClientFormOptions): DialogForm {
  const { t, draft, changes } = options
  const isNew = changes === undefined
  return {
    width: 560,
    heading: isNew ? t('form.new') : t('form.edit', { name: changes }),
    action: t(isNew ? 'form.create' : 'form.save'),
    isLocked: draft.resources.length === 0,
    places: (fault) => placeOf(fault) !== undefined,
    body: options.isLimited
      ? html`${scopes(options)} ${resources(options)}`
      : described(options, isNew)
  }
}

/** Everything that an administrator says about a client. */
const described = (options: ClientFormOptions, isNew: boolean): TemplateResult =>
  html`${isNew ? preset(options) : nothing}
    ${field(options, 'name', { at: 'name', isRequired: true, hint: 'form.nameHint' })}
    ${isNew ? proof(options) : nothing}
    ${field(options, 'redirects', { at: 'redirectUris', isRequired: true, rows: 3, hint: 'form.redirectsHint' })}
    ${scopes(options)} ${resources(options)} ${more(options)}`

/** Fields of the draft that are text. */
type TextField = {
  [Name in keyof ClientDraft]: ClientDraft[Name] extends string ? Name : never
}[keyof ClientDraft]

interface FieldOptions {
  /** Its name in the API. */
  readonly at: string
  readonly isRequired?: boolean
  /** A field of several lines. */
  readonly rows?: number
  readonly hint?: string
  readonly placeholder?: string
}

function field(
  { t, draft, faults, onDraft }: ClientFormOptions,
  name: TextField,
  { at, isRequired = false, rows, hint, placeholder }: FieldOptions
): TemplateResult {
  const fault = faults.find((one) => placeOf(one) === at)
  const id = `about-${name}`
  const onInput = (event: Event) => onDraft({ ...draft, [name]: textOf(event) })
  const describedBy = fault === undefined && hint === undefined ? nothing : id
  const invalid = fault === undefined ? nothing : 'true'
  return html`<div class="part">
    <label for=${`field-${name}`}>${t(`form.${name}`)}</label>
    ${
      rows === undefined
        ? html`<input id=${`field-${name}`} class="field" name=${name} maxlength="2048" autocomplete="off"
            placeholder=${placeholder ?? nothing} ?required=${isRequired} aria-invalid=${invalid}
            aria-describedby=${describedBy} .value=${draft[name]} @input=${onInput} />`
        : html`<textarea id=${`field-${name}`} class="field mono" name=${name} rows=${rows}
            ?required=${isRequired} spellcheck="false" aria-invalid=${invalid}
            aria-describedby=${describedBy} .value=${draft[name]} @input=${onInput}></textarea>`
    }
    ${faultOrHint(id, fault, hint === undefined ? undefined : t(hint))}
  </div>`
}

function faultOrHint(
  id: string,
  fault: FieldError | undefined,
  hint: string | undefined
): TemplateResult | typeof nothing {
  if (fault !== undefined)
    return html`<small id=${id} class="problem" role="alert">${fault.message}</small>`
  return hint === undefined ? nothing : html`<small id=${id} class="dim">${hint}</small>`
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

function choice(
  { t, draft, onDraft, faults }: ClientFormOptions,
  name: 'type' | 'proof' | 'idTokenAlg',
  values: readonly string[]
): TemplateResult {
  const fault = faults.find((one) => placeOf(one) === name)
  return html`<label class="part">
    <span>${t(`form.${name}`)}</span>
    <select class="field" name=${name} .value=${draft[name]}
      @change=${(event: Event) => onDraft({ ...draft, [name]: textOf(event) })}>
      ${values.map(
        (value) =>
          html`<option value=${value} ?selected=${draft[name] === value}>${t(`form.${name}.${value}`)}</option>`
      )}
    </select>
    ${faultOrHint(`about-${name}`, fault, undefined)}
  </label>`
}

function proof(options: ClientFormOptions): TemplateResult {
  const { draft } = options
  const isConfidential = draft.type === 'confidential'
  return html`${choice(options, 'type', ['confidential', 'public'])}
    ${isConfidential ? choice(options, 'proof', ['secret', 'key', 'inline']) : nothing}
    ${
      isConfidential && draft.proof === 'key'
        ? field(options, 'jwksUri', { at: 'jwksUri', isRequired: true, placeholder: 'https://' })
        : nothing
    }
    ${
      isConfidential && draft.proof === 'inline'
        ? field(options, 'jwks', { at: 'jwks', isRequired: true, rows: 4, hint: 'form.jwksHint' })
        : nothing
    }`
}

function scopes({ t, draft, options, faults, onDraft }: ClientFormOptions): TemplateResult {
  const fault = faults.find((one) => placeOf(one) === 'allowedScopes')
  return html`<fieldset>
    <legend>${t('form.scopes')}</legend>
    <div class="choices">
      ${options.scopes.map(
        ({ id, isSensitive }) => html`<label class="choice" title=${id}>
          <input type="checkbox" name="scope" value=${id} .checked=${draft.scopes.includes(id)}
            @change=${(event: Event) =>
              onDraft({ ...draft, scopes: toggled(draft.scopes, id, isOn(event)) })} />
          <span>${namedId(id, options.scopes)}</span>
          ${isSensitive ? html`<span class="tag warn">${t('form.sensitive')}</span>` : nothing}
        </label>`
      )}
    </div>
    ${faultOrHint('about-scopes', fault, undefined)}
  </fieldset>`
}

function resources(options: ClientFormOptions): TemplateResult | typeof nothing {
  const { t, draft, faults, onDraft } = options
  const known = options.options.resources
  if (known.length < 2 && draft.resources.length > 0) return nothing
  const fault = faults.find((one) => placeOf(one) === 'allowedResources')
  return html`<fieldset>
    <legend>${t('form.resources')}</legend>
    <div class="choices">
      ${known.map(
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
        : faultOrHint('about-resources', fault, t('form.resourcesHint'))
    }
  </fieldset>`
}

/** What few clients need: folded, and open when it holds something that was refused. */
function more(options: ClientFormOptions): TemplateResult {
  const { t, draft, faults, onDraft } = options
  const flag = (name: 'dpop' | 'par' | 'noPkce') => html`<label class="choice">
    <input type="checkbox" name=${name} .checked=${draft[name]}
      @change=${(event: Event) => onDraft({ ...draft, [name]: isOn(event) })} />
    <span>${t(`form.${name}`)}</span>
  </label>`
  return html`<details ?open=${faults.some(isFolded)}>
    <summary>${t('form.more')}</summary>
    <div class="form">
      ${BRANDING.map((name) =>
        field(options, name, {
          at: `branding.${name}`,
          ...(name !== 'publisher' && { placeholder: 'https://' })
        })
      )}
      ${field(options, 'logoutUris', { at: 'postLogoutRedirectUris', rows: 2, hint: 'form.logoutUrisHint' })}
      ${choice(options, 'idTokenAlg', ['', 'ES256', 'RS256'])} ${flag('dpop')} ${flag('par')}
      ${draft.type === 'public' ? nothing : flag('noPkce')} ${faultOrHint(
        'about-pkce',
        faults.find((one) => placeOf(one) === 'pkce'),
        undefined
      )}
    </div>
  </details>`
}
