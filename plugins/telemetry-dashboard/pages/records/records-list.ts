// The records of a page: those that match its filters in its range, newest first.
import { ListLoad, type ListPage } from '@keelson/ui'
import type { Look } from '../look.ts'
import { recordsPath } from '../requests.ts'
import type { RecordRow } from './record.ts'

export type RecordsAnswer = ListPage<RecordRow>

/** Lists the records that `asked` names. */
export function recordsOf({ page, range, dashboard }: Look, asked: () => URLSearchParams) {
  return new ListLoad(page, {
    args: () => [asked().toString(), range.span.from, range.span.to] as const,
    idOf: (row: RecordRow) => dashboard.rowId(row),
    page: async ([filters, from, to], { cursor }, signal) => {
      for (let at: string | null | undefined = cursor; ; ) {
        const path = recordsPath(new URLSearchParams(filters), { from, to }, at)
        const answer = await dashboard.api.read<RecordsAnswer>(path, signal)
        at = answer.nextCursor
        // A page without rows that goes on is one that looked at as many rows as it may.
        if (answer.items[0] || !at) return answer
      }
    }
  })
}
