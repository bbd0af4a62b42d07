// The column of a time: short in the cell, whole in its tooltip.
import type { TableColumn } from '../elements/table/column.ts'
import type { Format } from '../format.ts'
import { timeText } from '../moments.ts'

/** What a column of times is, beside its cells. */
export type TimeColumn<Row> = Pick<TableColumn<Row>, 'id' | 'header'> &
  Partial<Pick<TableColumn<Row>, 'width' | 'hideBelow' | 'quiet'>>

/** A quiet column of ISO times, relative up to a day; a dash where a row has none. Default width: 136 pixels, for “30. Sept., 07:00”. */
export function timeColumn<Row>(
  { format }: { readonly format: Format },
  timeOf: (row: Row) => string | undefined,
  column: TimeColumn<Row>
): TableColumn<Row> {
  const now = Date.now()
  return {
    width: 136,
    quiet: true,
    ...column,
    cell: (row) => timeText(timeOf(row) ?? '–', now, format),
    hint: (row) => {
      const at = timeOf(row)
      return at === undefined ? undefined : format.dateTime(at)
    }
  }
}
