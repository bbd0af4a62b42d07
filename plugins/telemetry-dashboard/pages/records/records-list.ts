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
    page: ([filters, from, to], { cursor }, signal) => {
      const path = recordsPath(new URLSearchParams(filters), { from, to }, cursor)
      return dashboard.api.read<RecordsAnswer>(path, signal)
    }
  })
}
