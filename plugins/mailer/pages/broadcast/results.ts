// What became of a broadcast: progress, pauses, results by people, the arms of its test, its recipients.
import { type ListLoad, shareBar, tableView } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { reachedOf } from '../../ledger/outcomes/reached.ts'
import { mailHref } from '../addresses.ts'
import type { BroadcastDetail, BroadcastResults, Recipient } from '../broadcasts/answers.ts'
import { statusTag } from '../status-tag.ts'
import { type LeftOutList, leftOutCounts, leftOutTable } from './left-out.ts'
import { type Words, waitWords } from './words.ts'

/** What is shown. */
export interface Results {
  readonly words: Words
  readonly broadcast: BroadcastDetail
  readonly results: BroadcastResults | undefined
  readonly recipients: ListLoad<readonly unknown[], Recipient>
  /** The status that recipients are narrowed to; empty for all. */
  readonly status: string
  /** Contacts that were left out, shown in the place of recipients where the address names a reason. */
  readonly leftOut: LeftOutList
  readonly isLeftOut: boolean
}

type Wait = BroadcastDetail['waiting'][number]
type Status = keyof BroadcastDetail['statusBreakdown']

/** Statuses of mails that a provider took. */
const HANDED: readonly Status[] = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained'
]

/** Progress, results and recipients. */
export const resultsView = (view: Results): TemplateResult =>
  html`${notice(view)} ${waits(view)} ${progress(view)} ${leftOutCounts(view.broadcast, view.words)} ${figures(view)} ${arms(view)}
    ${view.isLeftOut ? leftOutTable(view.leftOut, view.words) : recipientTable(view)}`

function notice({ words: { t, format }, broadcast }: Results): TemplateResult | typeof nothing {
  const { status, pauseReason, failure, scheduledAt } = broadcast
  if (status === 'paused' && pauseReason != null) {
    const { by, message } = pauseReason
    return html`<div class="notice warn" role="status">${t('broadcast.pausedBy', { by: by.replace(/^human:/, ''), message })}</div>`
  }
  if (status === 'failed' && failure != null)
    return html`<div class="notice bad" role="status">${t('broadcast.failedBy', { message: failure.message })}</div>`
  if (status === 'scheduled' && scheduledAt !== undefined)
    return html`<div class="notice" role="status">${t('broadcast.starts', { at: format.dateTime(scheduledAt) })}</div>`
  return nothing
}

/** What mails and recipients wait for. */
const waits = ({ words, broadcast }: Results): readonly TemplateResult[] =>
  broadcast.waiting.map(
    (wait) =>
      html`<div class="notice ${TONES[wait.reason] ?? ''}" role="status">${waitWords(wait, words)}</div>`
  )

/** Other waits end as planned. */
const TONES: Readonly<Partial<Record<Wait['reason'], string>>> = { provider: 'warn', pause: 'warn' }

function progress({ words: { t, format, address }, broadcast }: Results): TemplateResult {
  const { statusBreakdown: breakdown, recipientCount, queuedCount } = broadcast
  const statuses = Object.entries(breakdown) as [Status, number][]
  const handed = statuses.filter(([one]) => HANDED.includes(one)).reduce((sum, [, n]) => sum + n, 0)
  const total = Math.max(queuedCount, recipientCount ?? 0)
  const unknown = breakdown.unknown ?? 0
  const { retryable } = broadcast
  return html`<section class="card" aria-label=${t(`broadcast.status.${broadcast.status}`)}>
    <div class="pad">
      <p class="headline"><b class="figure">${format.number(handed)}</b> <span class="quiet">${t('broadcast.handed', { total: format.number(total) })}</span></p>
      <progress max=${Math.max(total, 1)} value=${handed} aria-label=${t('broadcast.handed', { total })}></progress>
      <div class="row">
        ${statuses.map(([one, count]) => html`<a class="count" href=${address({ status: one })}>${statusTag(one, t)} <b>${format.number(count)}</b></a>`)}
      </div>
    </div>
    ${unknown === 0 ? nothing : html`<footer>${t('broadcast.unknownNote', { count: unknown })} <a class="link" href=${address({ status: 'unknown' })}>${t('broadcast.review')}</a></footer>`}
    ${retryable === 0 ? nothing : html`<footer>${t('broadcast.failedNote', { count: retryable })} <a class="link" role="button" href=${address({ show: 'retry' })}>${t('broadcast.retry')}</a></footer>`}
  </section>`
}

function figures({ words: { t, format }, results }: Results): TemplateResult | typeof nothing {
  if (results === undefined || results.total.handed === 0) return nothing
  const { delivered, handed, openedByPeople, opened, clickedByPeople, clicked, unsubscribed } =
    results.total
  const reached = reachedOf(delivered, handed)
  const line = (label: string, people: number, all: number) => html`<li>
    <span class="name">${label}</span>
    <span class="bar-of">${shareBar(people / reached)}</span>
    <span class="figures">${t('broadcast.people', { count: people, share: format.percent(people / reached, 1) })}
      ${all > people ? html`<span class="dim">${t('broadcast.machines', { count: all - people })}</span>` : nothing}</span>
  </li>`
  return html`<section class="card" aria-label=${t('broadcast.results')}>
    <header><h2>${t('broadcast.results')}</h2><span class="quiet">${t(delivered === 0 ? 'broadcast.resultsNoteHanded' : 'broadcast.resultsNote', { count: format.number(reached) })}</span></header>
    <ul class="lines bars">
      ${line(t('broadcast.opened'), openedByPeople, opened)}
      ${line(t('broadcast.clicked'), clickedByPeople, clicked)}
      ${line(t('broadcast.unsubscribed'), unsubscribed, unsubscribed)}
    </ul>
  </section>`
}

function arms({ words: { t, format }, results }: Results): TemplateResult | typeof nothing {
  if (results?.variants === undefined) return nothing
  const { variants } = results
  const share = (part: number, of: number) =>
    of === 0 ? t('mail.none') : `${format.number(part)} (${format.percent(part / of, 1)})`
  return html`<section class="card" aria-label=${t('broadcast.split')}>
    <header><h2>${t('broadcast.split')}</h2></header>
    ${significance(results, { t, format })}
    <div class="scroll" tabindex="0" role="group" aria-label=${t('broadcast.split')}><table>
      <thead><tr><th>${t('broadcast.arm')}</th>${['delivered', 'opened', 'clicked'].map((name) => html`<th class="num">${t(`broadcast.${name}`)}</th>`)}</tr></thead>
      <tbody>${variants.map(
        (one) => html`<tr>
          <td><b>${one.name}</b> ${one.templateSlug} ${one.isWinner ? html`<span class="tag good">${t('broadcast.won')}</span>` : nothing}</td>
          <td class="num">${format.number(one.delivered)}</td>
          <td class="num">${share(one.openedByPeople, one.delivered)}</td>
          <td class="num">${share(one.clickedByPeople, one.delivered)}</td>
        </tr>`
      )}</tbody>
    </table></div>
  </section>`
}

/** What the numbers say about the best arm. */
function significance(
  { significance: found }: Pick<BroadcastResults, 'significance'>,
  { t, format }: Pick<Words, 't' | 'format'>
): TemplateResult | typeof nothing {
  if (found === undefined) return nothing
  const { verdict, best, next, pValue } = found
  const chance = format.percent(pValue, 1)
  const tone = verdict === 'better' ? 'good' : ''
  return html`<p class="pad quiet ${tone}" role="status">${t(`broadcast.significance.${verdict}`, { best, next, chance })}</p>`
}

function recipientTable({ words, broadcast, recipients, status }: Results): TemplateResult {
  const { t, address } = words
  const chip = (one: string, label: string) =>
    html`<a class="btn ${one === status ? 'on' : ''}" aria-current=${one === status ? 'true' : nothing} href=${address({ status: one === '' ? null : one })}>${label}</a>`
  return html`<nav class="row" aria-label=${t('mail.status')}>
      ${chip('', t('broadcast.allStatuses'))}
      ${Object.keys(broadcast.statusBreakdown).map((one) => chip(one, t(`mail.status.${one}`)))}
    </nav>
    ${tableView<Recipient>({
      heading: t('broadcast.recipients'),
      keys: true,
      columns: [
        {
          id: 'recipient',
          header: t('broadcast.recipient'),
          grow: 2,
          link: true,
          cell: ({ emailAtSend, externalId }) => emailAtSend ?? externalId
        },
        {
          id: 'status',
          header: t('mail.status'),
          width: 110,
          cell: (one) => statusTag(one.status, t)
        },
        {
          id: 'reason',
          header: t('broadcast.reason'),
          grow: 2,
          quiet: true,
          hideBelow: 460,
          cell: ({ errorMessage, exitReason, hold }) =>
            errorMessage ?? exitReason ?? hold?.cause ?? ''
        }
      ],
      rows: recipients.rows,
      idOf: ({ _id }) => _id,
      href: ({ _id }) => mailHref(words, 'sends', { send: _id }),
      read: recipients,
      empty: { heading: t('broadcast.noRecipients'), text: t('broadcast.noRecipientsText') }
    })}`
}
