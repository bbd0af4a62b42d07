// The forms of the Agent tokens page: a new token, a narrower one, a new secret.
import { type FieldError, formField, type ListDialog, plainName } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { TokenAnswer, TokensAnswer } from '../../operations/token-operations.ts'
import { SCOPES, type T } from './words.ts'

/** A dialog with a form, without what sends it. */
export type DialogForm = Omit<ListDialog, 'send'>

/** What forms show. */
export interface FormWords {
  readonly t: T
  /** What the server refused, by the names of the API. */
  readonly faults: readonly FieldError[]
}

const DAY = 86_400_000
/** Days until a new token expires, as they are offered; 0 is never. */
const EXPIRIES = [30, 90, 365, 0]
/** How long the secret before works on, by the words of the catalog, in milliseconds. */
const GRACES = [
  ['now', 0],
  ['hour', DAY / 24],
  ['day', DAY],
  ['week', 7 * DAY]
] as const

const placeOf = ({ path }: FieldError): string => path.split(/[.[]/, 1)[0] ?? ''
const places = (fault: FieldError): boolean => ['name', 'routes'].includes(placeOf(fault))

export const createForm = (words: FormWords, mayGive: TokensAnswer['mayGive']): DialogForm => ({
  width: 560,
  heading: words.t('form.new'),
  action: words.t('form.create'),
  places,
  body: html`${nameField(words, '')}
    ${scopeFields(words, { isOn: (id) => id === 'mail:read', mayHave: mayGive })}
    ${formField(
      words.t('form.expiry'),
      html`<select class="field" name="days">
        ${EXPIRIES.map(
          (days) =>
            html`<option value=${days} ?selected=${days === 90}>
              ${days === 0 ? words.t('form.noExpiry') : words.t('form.days', { count: days })}
            </option>`
        )}
      </select>`
    )}
    <details><summary>${words.t('form.more')}</summary>${routesField(words, [])}</details>`
})

export const editForm = (words: FormWords, token: TokenAnswer): DialogForm => ({
  width: 560,
  heading: words.t('form.edit', { name: plainName(token.name) }),
  action: words.t('form.save'),
  places,
  body: html`<p>${words.t('form.narrowText')}</p>
    ${nameField(words, token.name)}
    ${scopeFields(words, {
      isOn: (id) => token.scopes.includes(id),
      mayHave: token.scopes.includes('mail:write') ? ['mail:read', 'mail:write'] : token.scopes
    })}
    ${routesField(words, token.routes ?? [])}`
})

export const rotateForm = (t: T, { name }: TokenAnswer): DialogForm => ({
  width: 520,
  heading: t('rotate.heading', { name: plainName(name) }),
  action: t('rotate.action'),
  body: html`<p>${t('rotate.text')}</p>
    ${formField(
      t('rotate.grace'),
      html`<select class="field" name="grace">
        ${GRACES.map(([id, ms]) => html`<option value=${ms}>${t(`rotate.${id}`)}</option>`)}
      </select>`
    )}`
})

function nameField({ t, faults }: FormWords, name: string): TemplateResult {
  const fault = faults.find((one) => placeOf(one) === 'name')
  return html`<label class="part">
    <span>${t('tokens.name')}</span>
    <input class="field" name="name" required maxlength="80" autocomplete="off" .value=${name}
      aria-invalid=${fault === undefined ? nothing : 'true'} aria-describedby="about-name" />
    ${about('name', fault, t('form.nameHint'))}
  </label>`
}

function scopeFields(
  { t }: FormWords,
  {
    isOn,
    mayHave
  }: {
    isOn(id: TokenAnswer['scopes'][number]): boolean
    readonly mayHave: TokenAnswer['scopes']
  }
): TemplateResult {
  return html`<fieldset>
    <legend>${t('tokens.scopes')}</legend>
    ${SCOPES.map(
      ({ id, isSensitive }) => html`<label class="choice" title=${id}>
        <input type="checkbox" name="scope" value=${id} ?checked=${isOn(id)} ?disabled=${!mayHave.includes(id)} />
        <span>${t(`scope.${id}`)}</span>
        ${isSensitive ? html`<span class="tag warn">${t('form.sensitive')}</span>` : nothing}
      </label>`
    )}
    ${mayHave.includes('mail:write') ? nothing : html`<small class="dim">${t('form.readOnly')}</small>`}
  </fieldset>`
}

function routesField({ t, faults }: FormWords, routes: readonly string[]): TemplateResult {
  const fault = faults.find((one) => placeOf(one) === 'routes')
  return html`<label class="part">
    <span>${t('token.routes')}</span>
    <textarea class="field mono" name="routes" rows="3" spellcheck="false" ?required=${routes.length > 0}
      aria-invalid=${fault === undefined ? nothing : 'true'} aria-describedby="about-routes"
      .value=${routes.join('\n')}></textarea>
    ${about('routes', fault, t('form.routesHint'))}
  </label>`
}

const about = (name: string, fault: FieldError | undefined, hint: string): TemplateResult =>
  fault === undefined
    ? html`<small id="about-${name}" class="dim">${hint}</small>`
    : html`<small id="about-${name}" class="problem" role="alert">${fault.message}</small>`

/** What the form of a token says, for the API. @throws when no scope is ticked. */
export function tokenBody(form: HTMLFormElement, t: T): Readonly<Record<string, unknown>> {
  const fields = new FormData(form)
  const scopes = fields.getAll('scope')
  if (scopes.length === 0) throw new Error(t('form.noScope'))
  const routes = String(fields.get('routes') ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const days = Number(fields.get('days') ?? 0)
  return {
    name: String(fields.get('name')).trim(),
    scopes,
    ...(routes.length > 0 && { routes }),
    ...(days > 0 && { expiresAt: new Date(Date.now() + days * DAY).toISOString() })
  }
}
