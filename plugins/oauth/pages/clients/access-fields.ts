// The fields of the client form about grants, tenants, expiry and lifetimes.
import { html, nothing, type TemplateResult } from 'lit'
import { toggled } from './draft.ts'
import { type ClientFormOptions, faultOf, faultOrHint, field, isOn, textOf } from './form-field.ts'

/** Names of grants in the catalog. */
const GRANTS: Readonly<Record<string, string>> = {
  authorization_code: 'code',
  refresh_token: 'refresh',
  client_credentials: 'service',
  'urn:ietf:params:oauth:grant-type:device_code': 'device',
  'urn:ietf:params:oauth:grant-type:jwt-bearer': 'assertion',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'exchange'
}

/** Those that a public client cannot have. */
const CONFIDENTIAL = new Set(['service', 'assertion', 'exchange'])

export const accessFields = (options: ClientFormOptions): TemplateResult =>
  html`${grants(options)}
    ${
      options.draft.grants.includes('client_credentials')
        ? field(options, 'owner', { at: 'owner', hint: 'form.ownerHint' })
        : nothing
    }
    ${tenantField(options)} ${expiry(options)}
    ${(['accessTokenTtl', 'refreshTokenTtl', 'refreshAbsoluteTtl'] as const).map((name) =>
      field(options, name, { at: name, hint: `form.${name}Hint` })
    )}`

/** Where the host knows the tenants of people. */
export const tenantField = (options: ClientFormOptions): TemplateResult | typeof nothing =>
  options.options.hasTenants
    ? field(options, 'tenants', { at: 'tenants', rows: 2, hint: 'form.tenantsHint' })
    : nothing

function grants(options: ClientFormOptions): TemplateResult {
  const { t, draft, onDraft } = options
  const known = options.options.grantTypes.filter(
    (id) => draft.type === 'confidential' || !CONFIDENTIAL.has(GRANTS[id] ?? '')
  )
  return html`<fieldset>
    <legend>${t('form.grants')}</legend>
    <div class="choices">
      ${known.map(
        (id) => html`<label class="choice" title=${id}>
          <input type="checkbox" name="grant" value=${id} .checked=${draft.grants.includes(id)}
            @change=${(event: Event) =>
              onDraft({ ...draft, grants: toggled(draft.grants, id, isOn(event)) })} />
          <span>${t(`form.grant.${GRANTS[id] ?? 'code'}`)}</span>
        </label>`
      )}
    </div>
    ${faultOrHint('about-grants', faultOf(options, 'grantTypes'), undefined)}
  </fieldset>`
}

function expiry(options: ClientFormOptions): TemplateResult {
  const { t, draft, onDraft } = options
  const fault = faultOf(options, 'expiresAt')
  return html`<div class="part">
    <label for="field-expiresAt">${t('form.expiresAt')}</label>
    <input id="field-expiresAt" class="field" type="date" name="expiresAt"
      aria-invalid=${fault === undefined ? nothing : 'true'} aria-describedby="about-expiresAt"
      .value=${draft.expiresAt.slice(0, 10)}
      @input=${(event: Event) => onDraft({ ...draft, expiresAt: textOf(event) })} />
    ${faultOrHint('about-expiresAt', fault, t('form.expiresAtHint'))}
  </div>`
}
