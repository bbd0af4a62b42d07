// A read that the database could not finish, as an error that says what the caller can do. Pure.
import { isDatabaseAway } from '@keelson/sdk'
import { errors } from '../errors.ts'

/** Codes of the server, and what each says of the read. https://github.com/mongodb/mongo error_codes.yml */
const TOO_MUCH: ReadonlyMap<unknown, string> = new Map([
  [50, 'it takes longer than 30 seconds'],
  [146, 'it needs too much memory'],
  [292, 'it needs too much memory'],
  [10334, 'its answer is too large for one document'],
  [17280, 'its answer is too large for one document'],
  [17419, 'its answer is too large for one document']
])

/** TEL_READ_UNFINISHED, TEL_READ_AWAY, or the error itself when the database says neither. */
export function unfinishedRead(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown }
  // A code says the same whichever copy of the driver threw it; a number of another package does not.
  const isOfServer = typeof name === 'string' && name.startsWith('Mongo')
  if (!isOfServer) return error
  const reason = TOO_MUCH.get(code)
  if (reason !== undefined) return errors.TEL_READ_UNFINISHED({ reason, cause: error })
  return isDatabaseAway(error) ? errors.TEL_READ_AWAY({ cause: error }) : error
}
