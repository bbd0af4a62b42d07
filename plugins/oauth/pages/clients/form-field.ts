// One field of the client form with its hint or fault, and what all its fields share.
import type { FieldError } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { OptionsAnswer } from '../../operations/answers.ts'
import type { T } from './client-dialog.ts'
import { BRANDING, type ClientDraft } from './draft.ts'

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
  'backchannelLogoutUri',
  'jwksUri',
  'jwks',
  'grantTypes',
  'owner',
  'tenants',
  'expiresAt',
  'accessTokenTtl',
  'refreshTokenTtl',
  'refreshAbsoluteTtl',
  'idTokenAlg',
  'pkce',
  'allowedScopes',
  'allowedResources',
  ...BRANDING.map((name) => `branding.${name}`)
])

export const placeOf = ({ path }: FieldError): string | undefined =>
  [...PLACES].find(
    (name) => path === name || (/^[./[]/.test(path.slice(name.length)) && path.startsWith(name))
  )

/** What is wrong with a field, by its name in the API. */
export const faultOf = ({ faults }: ClientFormOptions, at: string): FieldError | undefined =>
  faults.find((one) => placeOf(one) === at)

export const textOf = (event: Event): string => (event.target as HTMLInputElement).value
export const isOn = (event: Event): boolean => (event.target as HTMLInputElement).checked

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

export function field(
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

export function faultOrHint(
  id: string,
  fault: FieldError | undefined,
  hint: string | undefined
): TemplateResult | typeof nothing {
  if (fault !== undefined)
    return html`<small id=${id} class="problem" role="alert">${fault.message}</small>`
  return hint === undefined ? nothing : html`<small id=${id} class="dim">${hint}</small>`
}
