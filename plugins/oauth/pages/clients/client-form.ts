// The form of the Clients page: what a client is when it is made or changed, with faults beside their fields.
import type { FieldError } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { accessFields, tenantField } from './access-fields.ts'
import type { DialogForm } from './client-dialog.ts'
import { BRANDING, toggled } from './draft.ts'
import { type ClientFormOptions, faultOrHint, field, isOn, placeOf, textOf } from './form-field.ts'
import { namedId } from './named-id.ts'

/** Whether something is refused that the folded part of the form holds. */
const isFolded = (fault: FieldError): boolean =>
  /^(branding|postLogout|backchannel|idTokenAlg|pkce|grantTypes|owner|tenants|expiresAt|accessToken|refresh)/.test(
    placeOf(fault) ?? ''
  )

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
      ? html`${scopes(options)} ${resources(options)} ${tenantField(options)}`
      : described(options, isNew)
  }
}

/** Everything that an administrator says about a client. */
const described = (options: ClientFormOptions, isNew: boolean): TemplateResult =>
  html`${isNew ? preset(options) : nothing}
    ${field(options, 'name', { at: 'name', isRequired: true, hint: 'form.nameHint' })}
    ${isNew ? proof(options) : nothing}
    ${field(options, 'redirects', {
      at: 'redirectUris',
      isRequired: options.draft.grants.includes('authorization_code'),
      rows: 3,
      hint: 'form.redirectsHint'
    })}
    ${scopes(options)} ${resources(options)} ${more(options)}`

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
      ${field(options, 'backchannelUri', {
        at: 'backchannelLogoutUri',
        placeholder: 'https://',
        hint: 'form.backchannelUriHint'
      })}
      ${accessFields(options)}
      ${choice(options, 'idTokenAlg', ['', 'ES256', 'RS256'])} ${flag('dpop')} ${flag('par')}
      ${draft.type === 'public' ? nothing : flag('noPkce')} ${faultOrHint(
        'about-pkce',
        faults.find((one) => placeOf(one) === 'pkce'),
        undefined
      )}
    </div>
  </details>`
}
