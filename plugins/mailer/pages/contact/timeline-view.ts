// The timeline of a contact, drawn: days, entries, and below a mail what became of it.
import { type Format, icon } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { type Linked, mailHref, oneHref } from '../addresses.ts'
import { campaignWords } from '../campaign-words.ts'
import { exitWords } from '../exit-words.ts'
import { drawGlyph } from '../flow/glyphs.ts'
import { reasonWords } from '../left-out/words.ts'
import { holdWords } from '../refusals.ts'
import { statusTag } from '../status-tag.ts'
import { stepWords } from './step-words.ts'
import { type ContactSend, entriesByDay, type MailMoment, type TimelineEntry } from './timeline.ts'

/** The languages of the view. */
export interface TimelineWords {
  readonly format: Format
  /** ms */
  readonly now: number
  t(key: string, values?: Readonly<Record<string, string | number>>): string
}

/** Words of the line, with the names of what it mentions. */
export interface LineWords extends TimelineWords, Linked {
  /** The name; the slug, or what else is given, where it was deleted. */
  nameOf(
    of: 'templates' | 'flows' | 'broadcasts' | 'campaigns',
    slug: string,
    otherwise?: string
  ): string
}

const GLYPHS = { mail: 'send', event: 'start', run: 'branch', consent: 'tag' } as const

/** The whole line. */
export function timelineView(entries: readonly TimelineEntry[], words: LineWords): TemplateResult {
  const { t, format } = words
  return html`${entriesByDay(entries, format.date).map(
    ({ day, entries: own }) => html`<section class="day">
      <h3>${day ?? t('contact.planned')}</h3>
      <ol>
        ${own.map((entry) => entryView(entry, words))}
      </ol>
    </section>
    ${day === undefined ? html`<p class="now"><span>${t('contact.now', { time: format.time(words.now) })}</span></p>` : nothing}`
  )}`
}

function entryView(entry: TimelineEntry, words: LineWords): TemplateResult {
  const { at, kind, isPlanned } = entry
  const { format, now, t } = words
  const isDue = isPlanned && Date.parse(at) <= now
  const shown = isDue ? t('contact.dueNow') : isPlanned ? format.dateTime(at) : format.time(at)
  return html`<li class="entry ${kind} ${isPlanned ? 'planned' : ''}">
    <time datetime=${at} title=${format.dateTime(at)}>${shown}</time>
    <span class="dot">${drawGlyph(GLYPHS[kind])}</span>
    <div class="said">${said(entry, words)}</div>
  </li>`
}

function said(
  { send, moments = [], event, run, isEnd, leftOut, notEntered, consent, isPlanned }: TimelineEntry,
  words: LineWords
): TemplateResult {
  const { t, format } = words
  if (send !== undefined) return mail(send, moments, words)
  if (event !== undefined) return eventView(event, words)
  if (leftOut !== undefined) return leftOutView(leftOut, words)
  if (notEntered !== undefined) return notEnteredView(notEntered, words)
  if (consent !== undefined) return html`<p>${stepWords(consent, words)}</p>`
  if (run === undefined) return html``
  const { flowSlug, nextActionAt, hold, status, exitReason } = run
  const flowLink = (key: string) =>
    html`<p><a class="link" href=${oneHref(words, 'flow', flowSlug)}>${t(key, { flow: words.nameOf('flows', flowSlug) })}</a></p>`
  if (isEnd === true)
    return html`${flowLink(`contact.runEnd.${status}`)}${exitReason === undefined ? nothing : html`<p class="dim">${exitWords(exitReason, t)}</p>`}`
  if (isPlanned)
    return html`${flowLink('contact.runNext')}
      ${hold === undefined ? nothing : holdView(hold, words)}`
  if (status !== 'active') return flowLink('contact.run')
  return html`${flowLink('contact.run')}
    <p class="dim">${
      nextActionAt === undefined
        ? t('contact.runActive')
        : t('contact.runAt', { time: format.dateTime(nextActionAt) })
    }</p>
    ${hold === undefined ? nothing : holdView(hold, words)}`
}

function leftOutView(
  leftOut: NonNullable<TimelineEntry['leftOut']>,
  words: LineWords
): TemplateResult {
  const { t } = words
  const { broadcast } = leftOut
  const reason = reasonWords(leftOut, t)
  if (broadcast === undefined) return html`<p class="dim">${t('leftOut.ofDeleted', { reason })}</p>`
  return html`<p><a class="link" href=${oneHref(words, 'broadcast', broadcast)}>${t('leftOut.of', { broadcast: words.nameOf('broadcasts', broadcast), reason })}</a></p>`
}

function eventView(
  { name, properties, notEntered = [] }: NonNullable<TimelineEntry['event']>,
  words: LineWords
): TemplateResult {
  return html`<p><span class="mono">${name}</span> <span class="dim">${propertiesText(properties)}</span></p>
    ${notEntered.map((one) => notEnteredView(one, words))}`
}

const notEnteredView = (
  { flow, reason }: { readonly flow: string; readonly reason: string },
  { t, nameOf }: LineWords
): TemplateResult =>
  html`<p class="dim">${t('contact.notEntered', { flow: nameOf('flows', flow), reason: t(`whyNot.${reason}`) })}</p>`

/** Why a mail or a run does not go on. */
const holdView = (
  hold: NonNullable<ContactSend['hold']>,
  { t, format }: TimelineWords
): TemplateResult =>
  html`<p class="hold">${icon('alert', 14)} ${holdWords(hold, t)} <span class="dim">${t('contact.heldSince', { time: format.dateTime(hold.since) })}</span></p>`

/** The first properties of an event, on one line. */
function propertiesText(properties: Readonly<Record<string, unknown>> = {}): string {
  return Object.entries(properties)
    .slice(0, 4)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}

function mail(send: ContactSend, moments: readonly MailMoment[], words: LineWords): TemplateResult {
  const { t, format } = words
  const { flowSlug, broadcastSlug, campaign, hold } = send
  const template = words.nameOf('templates', send.templateSlug)
  const origin =
    flowSlug !== undefined
      ? t('contact.inFlow', { flow: words.nameOf('flows', flowSlug) })
      : broadcastSlug !== undefined
        ? t('contact.inBroadcast', { broadcast: words.nameOf('broadcasts', broadcastSlug) })
        : campaign === undefined
          ? ''
          : campaignWords(
              campaign,
              words.nameOf('campaigns', `${campaign.kind}:${campaign.slug}`, campaign.slug),
              t
            )
  return html`<p>
      <a class="title" href=${mailHref(words, 'sends', { send: send._id })}>${send.subject ?? template}</a>
      <span class="dim">${[send.subject === undefined ? '' : template, origin].filter(Boolean).join(', ')}</span>
      ${statusTag(send, t)}
    </p>
    ${
      hold === undefined
        ? nothing
        : html`<dl class="holds"><div><dt>${icon('alert', 14)} ${holdWords(hold, t)}</dt>
            <dd>${t('contact.heldSince', { time: format.dateTime(hold.since) })}</dd></div>
            <div class="end"><dt>${untilWords(send, words)}</dt></div></dl>`
    }
    ${
      send.waitingFor === undefined
        ? nothing
        : html`<p class="hold">${icon('alert', 14)} ${t('contact.waitsForProvider', { provider: send.waiting?.provider ?? '' })}</p>`
    }
    ${
      moments.length === 0
        ? nothing
        : html`<ol class="moments">${moments.map((moment) => momentView(moment, words))}</ol>`
    }`
}

/** When a mail that waits is looked at next. */
function untilWords({ dueAt }: ContactSend, { t, format, now }: TimelineWords): string {
  if (dueAt === undefined) return t('contact.untilResumed')
  return Date.parse(dueAt) <= now
    ? t('contact.triesNow')
    : t('contact.triesAt', { time: format.dateTime(dueAt) })
}

/** A moment of a mail. The words say whether a person or a machine did it. */
export function momentView(
  { at, what, machine, detail }: MailMoment,
  { t, format }: Pick<TimelineWords, 't' | 'format'>
): TemplateResult {
  const key = machine === undefined ? what : `${what}Machine`
  return html`<li class=${machine === undefined ? what : 'machine'}>
    <time datetime=${at} title=${format.dateTime(at)}>${format.time(at)}</time>
    <b>${t(`moment.${key}`)}</b>
    <span class="dim">${machine === undefined ? (detail ?? '') : t('moment.notCounted', { reasons: machine.map((one) => t(`moment.why.${one}`)).join(', ') })}</span>
  </li>`
}
