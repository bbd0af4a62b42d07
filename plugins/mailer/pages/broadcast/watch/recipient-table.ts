// The recipients of a broadcast: one row each, narrowed by what became of them.

import { tableView, timeColumn } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { addressWords } from '../../address-words.ts'
import { mailHref } from '../../addresses.ts'
import type { Recipient } from '../../broadcasts/answers.ts'
import { mailEndWords } from '../../mail-end.ts'
import { holdWords } from '../../refusals.ts'
import { statusTag } from '../../status-tag.ts'
import type { Words } from '../words.ts'
import { countIn, leftOutSum, NEEDS_LOOK, type WatchView } from './view.ts'

/** The chips and the table. */
export function recipientTable(view: WatchView): TemplateResult {
  const { words, broadcast, recipients } = view
  const { t, format } = words
  // Mails of versions before arms were stored have a template alone.
  const arms = new Map(
    broadcast.splitTest?.variants.map(({ name, templateSlug }) => [templateSlug, name])
  )
  return html`${chips(view)}
    ${tableView<Recipient>({
      heading: t('broadcast.recipients'),
      note: t('broadcast.recipientsNote', { count: format.number(broadcast.stats.total) }),
      footer: leftOutWords(view),
      keys: true,
      isLive: true,
      columns: columnsOf(words, arms),
      rows: recipients.rows,
      idOf: ({ _id }) => _id,
      href: ({ _id }) => mailHref(words, 'sends', { send: _id }),
      read: recipients,
      empty: { heading: t('broadcast.noRecipients'), text: t('broadcast.noRecipientsText') }
    })}`
}

/** All, those that need a look, each status that any mail is in, and those who got none. */
export function chips({ words, broadcast, status, isLeftOut }: WatchView): TemplateResult {
  const { t, format, address } = words
  const chip = (one: string, label: string, count: number) => {
    const isOn = one === status && !isLeftOut
    return html`<a class="btn ${isOn ? 'on' : ''}" aria-current=${isOn ? 'true' : nothing} href=${address({ status: one === '' ? null : one, leftOut: null })}>${label} ${format.number(count)}</a>`
  }
  const look = countIn(broadcast, NEEDS_LOOK)
  const left = leftOutSum(broadcast)
  return html`<nav class="row chips" aria-label=${t('mail.status')}>
    ${chip('', t('broadcast.allStatuses'), broadcast.stats.total)}
    ${look === 0 ? nothing : chip('look', t('broadcast.needsLook'), look)}
    ${Object.entries(broadcast.statusBreakdown).map(([one, count]) => chip(one, t(`mail.status.${one}`), count ?? 0))}
    ${left === 0 ? nothing : html`<a class="btn ${isLeftOut ? 'on' : ''}" aria-current=${isLeftOut ? 'true' : nothing} href=${address({ leftOut: 'all' })}>${t('leftOut.title')} ${format.number(left)}</a>`}
  </nav>`
}

/** "16 of 200 contacts were left out: 9 not subscribed, 4 suppressed." */
function leftOutWords({ words: { t, format }, broadcast }: WatchView): string {
  const left = leftOutSum(broadcast)
  if (left === 0) return ''
  const reasons = Object.entries(broadcast.leftOut)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${format.number(count)} ${t(`leftOut.${reason}`)}`)
  return t('broadcast.leftOutOf', {
    count: format.number(left),
    total: format.number(left + broadcast.stats.total),
    reasons: format.list(reasons)
  })
}

const columnsOf = (words: Words, arms: ReadonlyMap<string, string>) => {
  const { t, format } = words
  const arm = {
    id: 'arm',
    header: t('broadcast.arm'),
    width: 132,
    hideBelow: 560,
    cell: ({ arm: name, templateSlug }: Recipient) => name ?? arms.get(templateSlug) ?? ''
  }
  return [
    {
      id: 'recipient',
      header: t('broadcast.recipient'),
      grow: 2,
      link: true,
      cell: (one: Recipient) => addressWords(one, t)
    },
    ...(arms.size === 0 ? [] : [arm]),
    {
      id: 'status',
      header: t('mail.status'),
      width: 172,
      cell: (one: Recipient) => statusTag(one, t)
    },
    {
      id: 'reason',
      header: t('broadcast.reason'),
      grow: 2,
      quiet: true,
      hideBelow: 460,
      cell: (one: Recipient) => reasonOf(one, words)
    },
    timeColumn<Recipient>({ format }, latest, {
      id: 'at',
      header: t('broadcast.time'),
      hideBelow: 620
    })
  ]
}

/** In words where there are any: codes are for logs. */
function reasonOf({ hold, ...ended }: Recipient, { t }: Words): string {
  return mailEndWords(ended, t) ?? (hold === undefined ? '' : holdWords(hold, t))
}

const latest = (one: Recipient): string =>
  one.complainedAt ??
  one.bouncedAt ??
  one.firstClickAt ??
  one.openedAt ??
  one.deliveredAt ??
  one.sentAt ??
  one.queuedAt
