// How far a broadcast is: a bar by waves, its rate and end, mails by state, and what keeps mails waiting.
import { html, nothing, type TemplateResult } from 'lit'
import { actorWords } from '../../actor-words.ts'
import { oneHref } from '../../addresses.ts'
import type { BroadcastDetail } from '../../broadcasts/answers.ts'
import { holdWords } from '../../refusals.ts'
import { type Words, waitWords } from '../words.ts'
import { countIn, type WatchView } from './view.ts'
import { shortTime, waveBar } from './wave-bar.ts'

/** The mailer pauses under this name when its owner may no longer send. */
const OWNER = 'owner'

/** The card. */
export function progressCard({ words, broadcast }: WatchView): TemplateResult {
  const { t, format } = words
  const { handed, total } = broadcast.progress
  return html`<section class="card" aria-label=${t('broadcast.progress')}>
    <div class="head">
      <p><b class="handed">${format.number(handed)}</b> <span>${t('broadcast.handed', { total: format.number(total) })}</span></p>
      <p class="eta">${pace(broadcast, words)}<br /><span class="dim">${t('broadcast.ofTemplate')} <a class="link" href=${oneHref(words, 'template', broadcast.templateSlug)}>${broadcast.names?.template ?? broadcast.templateSlug}</a></span></p>
    </div>
    ${waveBar(broadcast, words)} ${ledger(broadcast, words)}
    <div class="state" role="status">${stateLines(broadcast, words)}</div>
    ${notes(broadcast, words)}
  </section>`
}

/** Which wave, how fast, until when. */
function pace(
  { progress, status, splitPhase, waiting }: BroadcastDetail,
  { t, format }: Words
): TemplateResult {
  const { waves, perMinute, endsAt } = progress
  const started = waves.filter(({ startedAt }) => startedAt !== undefined).length
  const wave =
    waves.length > 1 && splitPhase !== 'deciding'
      ? [t('broadcast.wave', { number: started, of: waves.length })]
      : []
  const rate =
    perMinute === undefined || status !== 'sending'
      ? []
      : [
          t('broadcast.rate', {
            rate: format.number(perMinute, { maximumFractionDigits: perMinute < 10 ? 1 : 0 })
          })
        ]
  const next = waiting.find(({ reason, cause }) => reason === 'wave' && cause === 'time')?.until
  const soon = next === undefined ? [] : [t('broadcast.nextAt', { at: shortTime(next, format) })]
  const end = endsAt === undefined ? [] : [t('broadcast.ends', { at: shortTime(endsAt, format) })]
  const parts = [...wave, ...rate, ...soon, ...end]
  return html`<b>${parts.length === 0 ? t(`broadcast.status.${status}`) : parts.join(' · ')}</b>`
}

const LEDGER = [
  ['queued', ['queued', 'deferred', 'held', 'sending'], 'ghost'],
  ['sent', ['sent'], 'series-2'],
  ['delivered', ['delivered', 'opened', 'clicked', 'complained'], 'series-4'],
  ['bounced', ['bounced'], 'bad'],
  ['unknown', ['unknown'], 'warn']
] as const

interface Entry {
  readonly name: (typeof LEDGER)[number][0]
  readonly count: number
}

/** Opens and clicks prove a delivery that was not reported: they are called what they are. */
const isReacted = ({ name }: Entry, { results }: BroadcastDetail): boolean =>
  name === 'delivered' && results.total.delivered === 0

function noteOf(entry: Entry, broadcast: BroadcastDetail, { t, format }: Words): string {
  const { name, count } = entry
  const { handed } = broadcast.progress
  if (isReacted(entry, broadcast))
    return t(`broadcast.ledger.${count === 0 ? 'deliveredNone' : 'reactedNote'}`)
  if (name !== 'delivered')
    return t(`broadcast.ledger.${name}`, {
      hard: format.number(broadcast.results.total.hardBounced)
    })
  if (handed === 0) return t('broadcast.ledger.deliveredNone')
  const share = format.percent(count / handed, 1)
  return t('broadcast.ledger.delivered', { share, handed: format.number(handed) })
}

function ledger(broadcast: BroadcastDetail, words: Words): TemplateResult {
  const { t, format, address } = words
  return html`<ul class="ledger">${LEDGER.map(([name, statuses, tone]) => {
    const count = countIn(broadcast, statuses)
    const entry = { name, count }
    const label =
      isReacted(entry, broadcast) && count > 0 ? 'broadcast.ledger.reacted' : `mail.status.${name}`
    return html`<li class=${name === 'unknown' && count > 0 ? 'on' : ''}>
      <a href=${address({ status: mostOf(broadcast, statuses), leftOut: null })}>
        <span class="label" .style=${`--c:var(--_${tone})`}><span>${t(label)}</span></span>
        <b>${format.number(count)}</b>
        <small class="dim">${noteOf(entry, broadcast, words)}</small>
      </a>
    </li>`
  })}</ul>`
}

/** The status of these that most mails are in: the list shows one at a time. */
const mostOf = (
  { statusBreakdown }: BroadcastDetail,
  statuses: readonly (keyof BroadcastDetail['statusBreakdown'])[]
): string =>
  [...statuses].sort(
    (one, other) => (statusBreakdown[other] ?? 0) - (statusBreakdown[one] ?? 0)
  )[0] ?? ''

/** Why mails wait, or that none does: always a line, so that nothing below moves. */
function stateLines(
  broadcast: BroadcastDetail,
  words: Words
): readonly TemplateResult[] | TemplateResult {
  const { t, format } = words
  const { status, failure, scheduledAt, waiting } = broadcast
  const lines: TemplateResult[] = []
  if (status === 'failed' && failure != null)
    lines.push(
      html`<p class="problem">${t('broadcast.failedBy', { message: failureWords(failure, t) })}</p>`
    )
  if (status === 'scheduled' && scheduledAt !== undefined)
    lines.push(html`<p>${t('broadcast.starts', { at: format.dateTime(scheduledAt) })}</p>`)
  if (status === 'paused') lines.push(html`<p>${pauseWords(broadcast, words)}</p>`)
  for (const wait of waiting) {
    if (wait.reason !== 'pause') lines.push(html`<p>${waitWords(wait, broadcast, words)}</p>`)
  }
  return lines.length === 0
    ? html`<p class="quiet">${t(status === 'sending' ? 'broadcast.flowing' : 'broadcast.over')}</p>`
    : lines
}

/** By its code where the language has words for that. */
function failureWords(
  { code, message }: NonNullable<BroadcastDetail['failure']>,
  t: (key: string) => string
): string {
  const words = t(`code.${code}`)
  return words === `code.${code}` ? message : words
}

function pauseWords(broadcast: BroadcastDetail, { t, format }: Words): string {
  const { pauseReason, progress, stopMeters, statusBreakdown } = broadcast
  if (pauseReason == null) return t('broadcast.status.paused')
  const { code, by, cause = '', message, at } = pauseReason
  const held = statusBreakdown.held ?? 0
  const over = stopMeters.find(({ left }) => left === 0)
  if (code === 'cap_reached')
    return t('broadcast.pausedFull', {
      sent: format.number(broadcast.queuedCount),
      total: format.number(progress.total)
    })
  if (code === 'stop_rule' && over !== undefined)
    return t('broadcast.pausedByRule', {
      rule: t(`broadcast.rule.${over.rule}`),
      rate: format.percent(over.ratePct / 100, 1),
      sample: format.number(over.sample),
      limit: format.percent(over.limitPct / 100, 1),
      count: held
    })
  const who = actorWords(by === OWNER ? 'mailer' : by, t)
  const when = format.relative(at)
  return code === 'manual' && message === 'Paused by hand.'
    ? t('broadcast.pausedByHand', { by: who, when })
    : t('broadcast.pausedBy', {
        by: who,
        when,
        message: holdWords({ cause, message }, t)
      })
}

function notes(
  { statusBreakdown, retryable, status }: BroadcastDetail,
  { t, address }: Words
): readonly (TemplateResult | typeof nothing)[] {
  const unknown = statusBreakdown.unknown ?? 0
  const isRetryable =
    retryable > 0 && (status === 'sending' || status === 'sent' || status === 'paused')
  return [
    unknown === 0
      ? nothing
      : html`<p class="note"><span>${t('broadcast.unknownNote', { count: unknown })}</span><a class="btn push" href=${address({ status: 'unknown', leftOut: null })}>${t('broadcast.review', { count: unknown })}</a></p>`,
    !isRetryable
      ? nothing
      : html`<p class="note"><span>${t('broadcast.failedNote', { count: retryable })}</span><a class="btn push" role="button" href=${address({ show: 'retry' })}>${t('broadcast.retry')}</a></p>`
  ]
}
