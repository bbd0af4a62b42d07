// What became of a broadcast: progress, pauses, results by people, the arms of its test, its recipients.
import { type ListLoad, shareBar } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { reachedOf } from '../../ledger/outcomes/reached.ts'
import { mailHref } from '../addresses.ts'
import type { BroadcastDetail, BroadcastResults, Recipient } from '../broadcasts/answers.ts'
import { statusTag } from '../status-tag.ts'
import type { Words } from './words.ts'

/** What is shown. */
export interface Results {
  readonly words: Words
  readonly broadcast: BroadcastDetail
  readonly results: BroadcastResults | undefined
  readonly recipients: ListLoad<readonly unknown[], Recipient>
  /** The status that recipients are narrowed to; empty for all. */
  readonly status: string
}

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
  html`${notice(view)} ${outages(view)} ${progress(view)} ${figures(view)} ${arms(view)} ${recipientTable(view)}`

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

/** Providers that take no mail, and how many mails wait for each. */
const outages = ({ words: { t, format }, broadcast }: Results): readonly TemplateResult[] =>
  broadcast.waiting
    .filter(({ reason }) => reason === 'provider')
    .map(
      ({ count, provider = '', since, message = '' }) =>
        html`<div class="notice warn" role="status">${t('broadcast.waits', { count, provider, since: format.dateTime(since), message })}</div>`
    )

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

/** Fewer mails than this in an arm say nothing about its rate. */
const ENOUGH = 100

function arms({ words: { t, format }, results }: Results): TemplateResult | typeof nothing {
  const variants = results?.variants
  if (variants === undefined) return nothing
  const share = (part: number, of: number) =>
    of === 0 ? t('mail.none') : `${format.number(part)} (${format.percent(part / of, 1)})`
  const isFew = variants.some(({ handed }) => handed < ENOUGH)
  return html`<section class="card" aria-label=${t('broadcast.split')}>
    <header><h2>${t('broadcast.split')}</h2>${isFew ? html`<span class="tag warn">${t('broadcast.tooFew')}</span>` : nothing}</header>
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

function recipientTable({
  words: { t, address },
  broadcast,
  recipients,
  status
}: Results): TemplateResult {
  const chip = (one: string, label: string) =>
    html`<a class="btn ${one === status ? 'on' : ''}" aria-current=${one === status ? 'true' : nothing} href=${address({ status: one === '' ? null : one })}>${label}</a>`
  return html`<nav class="row" aria-label=${t('mail.status')}>
      ${chip('', t('broadcast.allStatuses'))}
      ${Object.keys(broadcast.statusBreakdown).map((one) => chip(one, t(`mail.status.${one}`)))}
    </nav>
    <keelson-table
      keys
      heading=${t('broadcast.recipients')}
      .columns=${[
        {
          id: 'recipient',
          header: t('broadcast.recipient'),
          grow: 2,
          link: true,
          cell: ({ emailAtSend, externalId }: Recipient) => emailAtSend ?? externalId
        },
        {
          id: 'status',
          header: t('mail.status'),
          width: 110,
          cell: (one: Recipient) => statusTag(one.status, t)
        },
        {
          id: 'reason',
          header: t('broadcast.reason'),
          grow: 2,
          quiet: true,
          hideBelow: 460,
          cell: ({ errorMessage, exitReason, hold }: Recipient) =>
            errorMessage ?? exitReason ?? hold?.cause ?? ''
        }
      ]}
      .rows=${recipients.rows}
      .rowId=${({ _id }: Recipient) => _id}
      .rowHref=${({ _id }: Recipient) => mailHref('sends', { send: _id })}
      .loading=${recipients.isBusy}
      .more=${recipients.hasMore}
      .error=${recipients.failure}
      @keelson-more=${() => recipients.more()}
      @keelson-retry=${() => recipients.retry()}
    >
      <keelson-empty slot="empty" heading=${t('broadcast.noRecipients')} text=${t('broadcast.noRecipientsText')}></keelson-empty>
    </keelson-table>`
}
