// One agent token beside the list: what it may do, its secrets, what can be done with it.
import { type Format, plainName } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { TokenAnswer } from '../../operations/token-operations.ts'
import { ownerName, stateTag, type T } from './words.ts'

export interface TokenPanelOptions {
  readonly token: TokenAnswer
  readonly format: Format
  readonly t: T
  onRotate(): void
  onEdit(): void
  onRevoke(): void
}

export function tokenPanel(options: TokenPanelOptions): TemplateResult {
  const { token, t, onRotate, onEdit, onRevoke } = options
  const isOver = token.state === 'expired' || token.state === 'revoked'
  return html`<div slot="header" class="panel-head">
      <h2>${plainName(token.name)}</h2>
      <p class="row">${stateTag(token, t)}</p>
    </div>
    ${
      isOver
        ? nothing
        : html`<section class="panel-part row">
            <button class="btn" @click=${onRotate}>${t('token.rotate')}</button>
            <button class="btn" @click=${onEdit}>${t('token.edit')}</button>
            <button class="btn push" @click=${onRevoke}>${t('token.revoke')}</button>
          </section>`
    }
    ${token.state === 'held' ? html`<p class="panel-part">${t('token.heldText')}</p>` : nothing}
    ${facts(options)}`
}

function facts({ token, t, format }: TokenPanelOptions): TemplateResult {
  const { actor, ending, before, scopes, routes, createdAt, revokedAt, revokedBy = '' } = token
  const fact = (name: string, value: unknown) => html`<dt>${t(name)}</dt><dd>${value}</dd>`
  const moment = (at: string | undefined) =>
    at === undefined ? t('token.never') : format.dateTime(at)
  const lines = (values: readonly unknown[]) =>
    html`<ul class="lines">${values.map((value) => html`<li>${value}</li>`)}</ul>`
  return html`<section class="panel-part">
    <dl class="facts">
      <dt>${t('token.actor')}</dt>
      <dd class="with-copy mono">
        <span>${actor}</span>
        <keelson-copy .text=${actor} label=${t('token.copyActor')}></keelson-copy>
      </dd>
      ${fact('tokens.scopes', lines(scopes.map((id) => t(`scope.${id}`))))}
      ${fact('token.routes', routes === undefined ? t('token.allRoutes') : lines(routes))}
      ${fact('token.secret', html`<span class="mono">…${ending}</span>`)}
      ${
        before === undefined
          ? nothing
          : fact(
              'token.before',
              t('token.until', { ending: before.ending, time: format.dateTime(before.until) })
            )
      }
      ${fact('tokens.owner', ownerName(token))} ${fact('token.made', moment(createdAt))}
      ${fact('tokens.used', moment(token.lastUsedAt))}
      ${fact('tokens.expires', moment(token.expiresAt))}
      ${
        revokedAt === undefined
          ? nothing
          : fact(
              'token.revoked',
              `${moment(revokedAt)}, ${plainName(revokedBy.replace(/^human:/, ''))}`
            )
      }
    </dl>
  </section>`
}
