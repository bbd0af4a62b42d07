// A record while it is read: the row so far, and what reading cost it.
import type { StoredRow } from './stored-row.ts'

/** The readers of the parts of a record write into it. */
export interface Draft {
  readonly row: StoredRow
  /** Texts that were cut. */
  truncated: number
  /** Missing values that were filled. */
  defaulted: number
  isDataDropped: boolean
  /** Approximate bytes in the database. */
  size: number
}
