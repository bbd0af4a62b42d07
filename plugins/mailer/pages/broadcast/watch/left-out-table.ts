// Contacts that a broadcast left out, in the place of its recipients.
import { tableView } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { mailHref } from '../../addresses.ts'
import type { LeftOutContact } from '../../broadcasts/answers.ts'
import { reasonWords } from '../../left-out/words.ts'
import { chips } from './recipient-table.ts'
import type { WatchView } from './view.ts'

/** Those of all reasons, or of the one that the address names. */
export function leftOutTable(view: WatchView): TemplateResult {
  const { words, leftOut: list, broadcast, leftOutReason } = view
  const { t, format, address } = words
  const reason = (one: string, label: string) =>
    html`<a class="btn ${one === leftOutReason ? 'on' : ''}" aria-current=${one === leftOutReason ? 'true' : nothing} href=${address({ leftOut: one })}>${label}</a>`
  const reasons = Object.entries(broadcast.leftOut).filter(([, count]) => count > 0)
  return html`${chips(view)}
    <nav class="row chips" aria-label=${t('broadcast.reason')}>
      ${reasons.map(([one, count]) => reason(one, `${t(`leftOut.${one}`)} ${format.number(count)}`))}
    </nav>
    ${tableView<LeftOutContact>({
      heading: t('leftOut.title'),
      note: t('leftOut.note'),
      columns: [
        {
          id: 'recipient',
          header: t('broadcast.recipient'),
          grow: 2,
          link: true,
          cell: ({ externalId }) => externalId
        },
        {
          id: 'reason',
          header: t('broadcast.reason'),
          grow: 2,
          cell: (one) => reasonWords(one, t)
        },
        {
          id: 'at',
          header: t('broadcast.time'),
          width: 170,
          quiet: true,
          hideBelow: 560,
          cell: ({ at }) => format.dateTime(at)
        }
      ],
      rows: list.rows,
      idOf: ({ externalId }) => externalId,
      href: ({ externalId }) => mailHref(words, `contact/${encodeURIComponent(externalId)}`),
      read: list,
      empty: { heading: t('leftOut.none') }
    })}`
}
