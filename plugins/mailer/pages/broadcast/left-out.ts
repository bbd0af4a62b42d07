// Contacts that a broadcast left out: how many by reason, and who.
import { type KeelsonPage, ListLoad, tableView } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { mailHref } from '../addresses.ts'
import type { BroadcastDetail, LeftOutContact } from '../broadcasts/answers.ts'
import { reasonWords } from '../left-out/words.ts'
import type { MailApi } from '../mail-api.ts'
import type { Words } from './words.ts'

const SIZE = 50

/** The list of one reason, read when the address asks for it. */
export type LeftOutList = ListLoad<readonly unknown[], LeftOutContact>

/** Makes the list. `place` is the path of the broadcast; undefined while there is none to read. */
export function leftOutList(
  page: KeelsonPage,
  api: MailApi,
  place: () => string | undefined
): LeftOutList {
  const list = new ListLoad(page, {
    args: () => {
      const [path, reason] = [place(), page.params.get('leftOut')]
      return path === undefined || reason === null ? null : ([path, reason] as const)
    },
    idOf: ({ externalId }: LeftOutContact) => externalId,
    page: ([path, reason], { cursor }, signal) => {
      const query = new URLSearchParams({ limit: String(SIZE), reason })
      if (cursor) query.set('cursor', cursor)
      return api.list<LeftOutContact>(`${path}/left-out?${query}`, signal)
    }
  })
  return list as LeftOutList
}

/** How many were left out, by reason. */
export function leftOutCounts(
  { leftOut }: Pick<BroadcastDetail, 'leftOut'>,
  { t, format, address }: Words
): TemplateResult | typeof nothing {
  const counts = Object.entries(leftOut).filter(([, count]) => count > 0)
  if (counts.length === 0) return nothing
  const sum = counts.reduce((total, [, count]) => total + count, 0)
  return html`<section class="card" aria-label=${t('leftOut.title')}>
    <header><h2>${t('leftOut.title')}</h2><span class="quiet">${format.number(sum)} ${t('leftOut.note')}</span></header>
    <div class="pad row">
      ${counts.map(
        ([reason, count]) =>
          html`<a class="count" href=${address({ leftOut: reason })}><span class="tag">${t(`leftOut.${reason}`)}</span> <b>${format.number(count)}</b></a>`
      )}
    </div>
  </section>`
}

/** Those of one reason, in the place of the recipients. */
export function leftOutTable(list: LeftOutList, words: Words): TemplateResult {
  const { t, format, address } = words
  return html`<nav class="row"><a class="btn" href=${address({ leftOut: null })}>${t('leftOut.close')}</a></nav>
    ${tableView<LeftOutContact>({
      heading: t('leftOut.title'),
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
          header: t('broadcast.when'),
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
