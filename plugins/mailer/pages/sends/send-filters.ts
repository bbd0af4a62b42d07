// What the list of mails can be narrowed by, in words: states, reasons, names of what sent them.
import type { FilterField, KeelsonListPage } from '@keelson/ui'
import type { SendLine } from '../contact/timeline.ts'
import { reasonWords } from '../mail-end.ts'
import type { SendDetail } from './panel.ts'
import { recentDays } from './selection.ts'

const STATUSES = ['queued', 'deferred', 'held', 'sent', 'delivered', 'opened', 'clicked', 'bounced']
const MORE = ['complained', 'failed', 'unknown', 'suppressed', 'cancelled', 'holdout']

/** The filters, which suggest the values of the rows that are shown. */
export function sendFilters(page: KeelsonListPage<SendLine, SendDetail>): readonly FilterField[] {
  const { t } = page
  const { rows } = page.list
  const days = recentDays(Date.now(), page.format.timeZone)
  const shown = (id: string, of: (row: SendLine) => string | undefined) => ({
    id,
    label: t(`sends.by.${id}`),
    values: [...new Set(rows.flatMap((row) => of(row) || []))]
  })
  /** By the names of what the rows mention. */
  const named = (id: 'template' | 'flow' | 'broadcast'): FilterField => {
    const slugOf = (row: SendLine) => row[`${id}Slug`]
    return {
      ...shown(id, slugOf),
      words: (slug) => rows.find((row) => slugOf(row) === slug)?.names?.[id] ?? slug
    }
  }
  return [
    {
      id: 'status',
      label: t('sends.status'),
      values: [...STATUSES, ...MORE],
      words: (status) => t(`mail.status.${status}`),
      free: false
    },
    {
      ...shown('reason', ({ exitReason }) => exitReason),
      words: (reason) => reasonWords(reason, t)
    },
    named('broadcast'),
    named('flow'),
    named('template'),
    {
      id: 'kind',
      label: t('sends.kind'),
      values: ['marketing', 'transactional'],
      words: (kind) => t(`mail.${kind}`),
      free: false
    },
    shown('domain', ({ emailAtSend }) => emailAtSend?.split('@').at(-1)),
    { id: 'sender', label: t('sends.by.sender') },
    { id: 'email', label: t('sends.email') },
    { id: 'from', label: t('sends.from'), values: days },
    { id: 'to', label: t('sends.until'), values: days }
  ]
}
