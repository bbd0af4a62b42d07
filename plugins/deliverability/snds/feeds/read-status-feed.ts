// The blocked-range feed of SNDS: addresses that Microsoft blocks, and why. Pure.
import { isIP } from 'node:net'
import { csvRows } from './csv-rows.ts'

/** A range of addresses. */
export interface SndsRange {
  readonly firstIp: string
  readonly lastIp: string
  readonly isBlocked: boolean
  readonly reason: string | null
}

const MAX_ROWS = 10_000

/** undefined when the text is not such a feed. An empty feed has none. */
export function readStatusFeed(text: string): readonly SndsRange[] | undefined {
  const lines = csvRows(text).slice(0, MAX_ROWS)
  const rows = lines.flatMap((fields) => readRange(fields) ?? [])
  return lines.length > 0 && rows.length === 0 ? undefined : rows
}

function readRange([firstIp = '', lastIp = '', blocked = '', ...reason]: readonly string[]):
  | SndsRange
  | undefined {
  const isRange = isIP(firstIp) !== 0 && isIP(firstIp) === isIP(lastIp)
  if (!isRange || !/^(yes|no)$/i.test(blocked)) return undefined
  const text = reason.join(', ').trim().slice(0, 500)
  return {
    firstIp,
    lastIp,
    isBlocked: blocked.toLowerCase() === 'yes',
    reason: text === '' ? null : text
  }
}
