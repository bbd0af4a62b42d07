// One client beside the list: what it is, its secrets, what can be done with it.
import { type Format, plainName } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { ClientAnswer } from '../../clients/client-schema.ts'
import type { OptionsAnswer } from '../../operations/answers.ts'
import { hasSecret, type SecretAnswer } from './answer.ts'
import { statusTag } from './columns.ts'
import { namedId } from './named-id.ts'

export interface ClientPanelOptions {
  readonly client: ClientAnswer
  /** Scopes and resources of the config; empty until they are loaded. */
  readonly known: Partial<Pick<OptionsAnswer, 'scopes' | 'resources'>>
  readonly format: Format
  t(key: string, values?: Readonly<Record<string, string | number>>): string
  href(page: string): string
  onEdit(): void
  onRotate(): void
  onDisable(): void
  onEnable(): void
  onDelete(): void
}

export function clientPanel(options: ClientPanelOptions): TemplateResult {
  const { client, t } = options
  return html`<div slot="header" class="panel-head">
      <h2>${plainName(client.name)}</h2>
      <p class="row">
        ${statusTag(client, t)}
        <span class="tag">${t(`clients.${client.type}`)}</span>
        <span class="dim">${t(`clients.from.${client.registration}`)}</span>
      </p>
    </div>
    ${actions(options)} ${facts(options)} ${hasSecret(client) ? secrets(options) : nothing}
    ${further(options)}`
}

function actions(options: ClientPanelOptions) {
  const { client, t, onEdit, onRotate, onDisable, onEnable, onDelete } = options
  const isActive = client.status === 'active'
  return html`<section class="panel-part row">
    ${
      isActive && hasSecret(client)
        ? html`<button class="btn" @click=${onRotate}>${t('client.rotate')}</button>`
        : nothing
    }
    ${html`<button class="btn" @click=${onEdit}>
        ${t(client.registration === 'cimd' ? 'client.limit' : 'client.edit')}
      </button>`}
    <button class="btn push" @click=${isActive ? onDisable : onEnable}>
      ${t(isActive ? 'client.disable' : client.awaitsApproval === true ? 'client.approve' : 'client.enable')}
    </button>
    ${
      client.registration === 'cimd'
        ? nothing
        : html`<button class="btn" @click=${onDelete}>${t('client.delete')}</button>`
    }
  </section>`
}

const lines = (values: readonly unknown[], className = '') =>
  html`<ul class="lines ${className}">${values.map((value) => html`<li>${value}</li>`)}</ul>`

function facts(options: ClientPanelOptions): TemplateResult {
  const { client, known, t, format } = options
  const { clientId, tokenEndpointAuthMethod, jwksUri, allowedResources } = client
  const { scopes = [], resources = [] } = known
  return html`<section class="panel-part">
    <h3>${t('client.facts')}</h3>
    <dl class="facts">
      <dt>${t('clients.id')}</dt>
      <dd class="with-copy mono">
        <span>${clientId}</span>
        <keelson-copy text=${clientId} label=${t('client.copyId')}></keelson-copy>
      </dd>
      <dt>${t('client.auth')}</dt>
      <dd>${t(`client.auth.${tokenEndpointAuthMethod}`)}</dd>
      ${jwksUri === undefined ? nothing : html`<dt>${t('client.keys')}</dt><dd class="mono">${jwksUri}</dd>`}
      <dt>${t('client.callbacks')}</dt>
      <dd>${lines(client.redirectUris, 'mono')}</dd>
      ${optionalFacts(options)}
      <dt>${t('client.scopes')}</dt>
      <dd>${lines(client.allowedScopes.map((id) => namedId(id, scopes)))}</dd>
      <dt>${t('client.resources')}</dt>
      <dd>${lines(allowedResources.map((id) => namedId(id, resources)))}</dd>
      <dt>${t('clients.made')}</dt>
      <dd>${format.dateTime(client.createdAt)}</dd>
      <dt>${t('client.updated')}</dt>
      <dd>${format.dateTime(client.updatedAt)}</dd>
    </dl>
  </section>`
}

/** What only some clients have. */
function optionalFacts({ client, t, format }: ClientPanelOptions): TemplateResult {
  const { postLogoutRedirectUris, branding, idTokenAlg, grantTypes, owner, tenants, expiresAt } =
    client
  const isBound = client.dpopBoundAccessTokens === true
  const mustPush = client.requirePushedAuthorizationRequests === true
  const rules = [...(isBound ? [t('client.dpop')] : []), ...(mustPush ? [t('client.par')] : [])]
  const fact = (name: string, value: unknown, isShown: boolean) =>
    isShown ? html`<dt>${t(name)}</dt><dd>${value}</dd>` : nothing
  const logout = lines(postLogoutRedirectUris, 'mono')
  return html`${fact('client.publisher', plainName(branding?.publisher ?? ''), branding?.publisher !== undefined)}
    ${fact('client.logout', logout, postLogoutRedirectUris.length > 0)}
    ${fact('client.idTokenAlg', idTokenAlg, idTokenAlg !== undefined)}
    ${fact('client.grantTypes', lines(grantTypes ?? [], 'mono'), grantTypes !== undefined)}
    ${fact('client.owner', owner, owner !== undefined)}
    ${fact('client.tenants', lines(tenants ?? []), tenants !== undefined)}
    ${fact('client.expiresAt', expiresAt && format.dateTime(expiresAt), expiresAt !== undefined)}
    ${fact('client.security', rules.join(', '), rules.length > 0)}`
}

function secrets({ client, t, format }: ClientPanelOptions): TemplateResult {
  const words = ({ createdAt, lastUsedAt, retiresAt }: SecretAnswer): string => {
    const used =
      lastUsedAt === undefined
        ? t('client.secretUnused')
        : t('client.secretUsed', { time: format.relative(lastUsedAt) })
    const parts = [t('client.secretMade', { time: format.relative(createdAt) }), used]
    if (retiresAt !== undefined) {
      parts.push(t('client.secretRetires', { time: format.dateTime(retiresAt) }))
    }
    return parts.join(' · ')
  }
  return html`<section class="panel-part">
    <h3>${t('client.secrets')}</h3>
    <ul class="lines">
      ${client.secrets.map(
        (secret) =>
          html`<li>
            ${secret.label === undefined ? t('client.secret') : plainName(secret.label)}
            <span class="dim">${words(secret)}</span>
          </li>`
      )}
    </ul>
  </section>`
}

function further({ t, href }: ClientPanelOptions): TemplateResult {
  return html`<section class="panel-part">
    <h3>${t('client.more')}</h3>
    <p class="row">
      ${['attempts', 'grants', 'audit'].map(
        (page) => html`<a class="link" href=${href(page)}>${t(`client.${page}`)}</a>`
      )}
    </p>
  </section>`
}
