// One mail: what it is, what became of it, what its provider reported, and what can be done with it.

import type { Static } from '@keelson/sdk'
import { type Format, icon } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { renderedSchema, sendDetailSchema } from '../../admin/send-answers.ts'
import { addressWords } from '../address-words.ts'
import { type Linked, mailHref, oneHref } from '../addresses.ts'
import { campaignWords } from '../campaign-words.ts'
import { momentsOf } from '../contact/timeline.ts'
import { momentView } from '../contact/timeline-view.ts'
import { mailEndWords } from '../mail-end.ts'
import { holdWords } from '../refusals.ts'
import { statusTag } from '../status-tag.ts'

/** A mail with what its provider reported. */
export type SendDetail = Static<typeof sendDetailSchema>
/** A mail as it would be rendered today; without HTML it is a mail of text. */
export type RenderedSend = Static<typeof renderedSchema>

/** A verdict on a mail whose outcome is unknown. */
export type Verdict = 'sent' | 'not_sent' | 'resend'

/** What the panel shows and does. */
export interface SendPanel extends Linked {
  readonly answer: SendDetail
  readonly format: Format
  /** The rendered mail, or why there is none; undefined before it is asked for. */
  readonly mail: TemplateResult | undefined
  t(key: string, values?: Readonly<Record<string, string | number>>): string
  onShow(): void
  onResend(): void
  onResolve(verdict: Verdict): void
}

/** Mails that are not sent again by hand: what holds them is resumed, or their outcome is found out. */
const FIXED: readonly SendDetail['send']['status'][] = ['held', 'sending', 'unknown']

/** A mail that no provider has had: sending it again is sending it now. */
export const isWaiting = ({ status }: Pick<SendDetail['send'], 'status'>): boolean =>
  status === 'queued' || status === 'deferred'

/** The panel with its head, for the slots of a drawer. */
export function sendPanel(panel: SendPanel): TemplateResult {
  const { answer, t } = panel
  const { send } = answer
  return html`<div slot="header" class="panel-head">
      <h2>${send.subject ?? send.names?.template ?? send.templateSlug}</h2>
      <p>${statusTag(send, t)} <span class="dim">${t(`mail.${send.kind}`)}</span></p>
    </div>
    ${unknown(panel)} ${held(panel)} ${facts(panel)} ${history(panel)}
    <section class="panel-part">
      <h3>${t('sends.content')}</h3>
      ${panel.mail ?? html`<button class="btn" @click=${panel.onShow}>${t('sends.show')}</button>`}
    </section>
    <div class="panel-part row">
      <button class="btn" ?disabled=${FIXED.includes(send.status)} @click=${panel.onResend}>${t(isWaiting(send) ? 'sends.sendNow' : 'sends.resend')}</button>
      ${answer.journeyHref === undefined ? nothing : html`<a class="btn" href=${answer.journeyHref}>${icon('external', 14)}${t('sends.journey')}</a>`}
    </div>`
}

function unknown({ answer, t, onResolve }: SendPanel): TemplateResult | typeof nothing {
  if (answer.send.status !== 'unknown') return nothing
  const button = (verdict: Verdict) =>
    html`<button class="btn" @click=${() => onResolve(verdict)}>${t(`sends.resolve.${verdict}`)}</button>`
  return html`<section class="panel-part unknown">
    <h3>${t('sends.unknown')}</h3>
    <p>${t('sends.unknownText')}</p>
    <p class="row">${button('sent')} ${button('not_sent')} ${button('resend')}</p>
  </section>`
}

function held({ answer, t }: SendPanel): TemplateResult | typeof nothing {
  const { hold } = answer.send
  if (hold === undefined) return nothing
  return html`<p class="panel-part">${icon('alert', 14)} ${t('sends.held', { message: holdWords(hold, t) })}</p>`
}

function facts(panel: SendPanel): TemplateResult {
  const { answer, t, format } = panel
  const { send } = answer
  const fact = (key: string, value: unknown) =>
    value === undefined || value === null
      ? nothing
      : html`<dt>${t(`sends.${key}`)}</dt><dd>${value}</dd>`
  const time = (key: string, at: string | undefined) =>
    fact(key, at === undefined ? undefined : format.dateTime(at))
  const template = html`<a href=${oneHref(panel, 'template', send.templateSlug)}>${send.names?.template ?? send.templateSlug}</a>${send.templateVersion === undefined ? '' : ` v${send.templateVersion}`}`
  return html`<section class="panel-part">
    <dl class="facts">
      ${fact('to', html`<a href=${mailHref(panel, `contact/${encodeURIComponent(send.externalId)}`)}>${addressWords(send, t)}</a>`)}
      ${send.templateSlug === '' ? nothing : fact('template', template)}
      ${fact('origin', originOf(panel))} ${fact('category', send.names?.category ?? send.category)}
      ${time('queued', send.queuedAt)} ${time('handed', send.handedAt)} ${time('sentAt', send.sentAt)}
      ${fact('provider', send.provider ?? send.attempt?.provider)} ${fact('attempt', send.attempt?.number)}
      ${fact('messageId', send.attempt?.messageId)}
      ${fact('exitReason', mailEndWords(send, t))}
    </dl>
  </section>`
}

/** What sent the mail. */
function originOf(panel: SendPanel): TemplateResult | string {
  const { t } = panel
  const { flowSlug, broadcastSlug, campaign, manualSendBy, names } = panel.answer.send
  if (flowSlug !== undefined)
    return html`<a href=${oneHref(panel, 'flow', flowSlug)}>${t('sends.flow', { flow: names?.flow ?? flowSlug })}</a>`
  if (broadcastSlug !== undefined)
    return html`<a href=${oneHref(panel, 'broadcast', broadcastSlug)}>${t('sends.broadcast', { broadcast: names?.broadcast ?? broadcastSlug })}</a>`
  if (campaign !== undefined) return campaignWords(campaign, names?.campaign, t)
  return manualSendBy === undefined ? t('sends.byCode') : t('sends.byHand', { actor: manualSendBy })
}

/** Why a mail bounced, beside the type of the event. */
function classIn(details: unknown): string {
  const { class: judged } = (details ?? {}) as { readonly class?: unknown }
  return typeof judged === 'string' ? `: ${judged}` : ''
}

function history({ answer, t, format }: SendPanel): TemplateResult {
  const { send, webhookEvents } = answer
  const moments = momentsOf(send)
  return html`<section class="panel-part">
      <h3>${t('sends.history')}</h3>
      ${
        moments.length === 0
          ? html`<p class="dim">${t('sends.noHistory')}</p>`
          : html`<ol class="moments">${moments.map((moment) => momentView(moment, { t, format }))}</ol>`
      }
    </section>
    ${
      webhookEvents.length === 0
        ? nothing
        : html`<section class="panel-part">
          <h3>${t('sends.provided')}</h3>
          <ol class="history">${webhookEvents.map(
            ({ type, occurredAt, otherAddress, details }) =>
              html`<li><time datetime=${occurredAt}>${format.dateTime(occurredAt)}</time><span class="mono">${type}${classIn(details)}</span>${
                otherAddress === undefined
                  ? nothing
                  : html` <span class="dim">${t('sends.otherAddress', { address: otherAddress })}</span>`
              }</li>`
          )}</ol>
        </section>`
    }`
}
