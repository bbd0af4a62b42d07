// The data feed of SNDS: one row for each address and activity period. Pure.
import { isIP } from 'node:net'
import { momentAt } from '@keelson/sdk/zoned-time'
import { csvRows } from './csv-rows.ts'

/** What Microsoft says about one address in one period. */
export interface SndsActivity {
  readonly ip: string
  readonly activityStart: Date
  readonly activityEnd: Date
  readonly rcptCommands: number | null
  readonly dataCommands: number | null
  readonly messageRecipients: number | null
  /** UNKNOWN for anything but the three colours. */
  readonly filterResult: 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN'
  /** 0 to 1; the upper end where the feed has a range. */
  readonly complaintRate: number | null
  readonly trapMessageStart: Date | null
  readonly trapMessageEnd: Date | null
  readonly trapMessageCount: number | null
  readonly sampleHelo: string | null
  readonly sampleMailFrom: string | null
  readonly comments: string | null
}

/** The rows that could be read, and how many could not. */
export interface DataFeed {
  readonly rows: readonly SndsActivity[]
  readonly refused: number
}

const MAX_ROWS = 100_000
/** Up to the trap hits: what follows is text. */
const NEEDED_COLUMNS = 11

/** undefined when the text is not such a feed, as an error page. */
export function readDataFeed(text: string): DataFeed | undefined {
  const lines = csvRows(text).slice(0, MAX_ROWS)
  const rows = lines.flatMap((fields) => readRow(fields) ?? [])
  if (lines.length > 0 && rows.length === 0) return undefined
  return { rows, refused: lines.length - rows.length }
}

function readRow(fields: readonly string[]): SndsActivity | undefined {
  if (fields.length < NEEDED_COLUMNS) return undefined
  const [ip = '', start, end, rcpt, data, recipients, filter = '', complaint, ...rest] = fields
  const [trapStart, trapEnd, traps, helo, mailFrom, ...comments] = rest
  const activityStart = momentOf(start)
  const activityEnd = momentOf(end)
  if (isIP(ip) === 0 || activityStart === null || activityEnd === null) return undefined
  const verdict = filter.toUpperCase()
  const filterResult =
    verdict === 'GREEN' || verdict === 'YELLOW' || verdict === 'RED' ? verdict : 'UNKNOWN'
  return {
    ip,
    activityStart,
    activityEnd,
    rcptCommands: countOf(rcpt),
    dataCommands: countOf(data),
    messageRecipients: countOf(recipients),
    filterResult,
    complaintRate: rateOf(complaint),
    trapMessageStart: momentOf(trapStart),
    trapMessageEnd: momentOf(trapEnd),
    trapMessageCount: countOf(traps),
    sampleHelo: textOf(helo),
    sampleMailFrom: textOf(mailFrom),
    comments: textOf(comments.join(', '))
  }
}

const countOf = (text = ''): number | null => {
  const count = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
  return Number.isNaN(count) ? null : count
}

const textOf = (text = ''): string | null => (text === '' ? null : text.slice(0, 500))

/** `< 0.1%` is at most that, `0.1% - 0.5%` is its upper end. */
export function rateOf(text = ''): number | null {
  const percents = [...text.matchAll(/(\d+(?:\.\d+)?)\s*%?/g)].map(([, number]) => Number(number))
  if (!/^\s*[<>]?\s*\d[\d.\s%–-]*$/.test(text) || percents.length === 0) return null
  const rate = Math.max(...percents) / 100
  return rate <= 1 ? rate : null
}

/** `11/20/2026 7:00 AM`, as clocks on the US Pacific coast show it. */
export function momentOf(text = ''): Date | null {
  const found = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d{2})(?::(\d{2}))?(?: (AM|PM))?$/i.exec(
    text
  )
  if (found === null) return null
  const [month = 0, day = 0, year = 0, clock = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const half = found[7]?.toUpperCase()
  const hour = half === undefined ? clock : (clock % 12) + (half === 'PM' ? 12 : 0)
  const isHour = half === undefined ? clock < 24 : clock >= 1 && clock <= 12
  const wall = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  const isDate = wall.getUTCMonth() === month - 1 && wall.getUTCDate() === day
  if (!isDate || !isHour || minute > 59 || second > 59 || year < 2000) return null
  return new Date(momentAt(wall.getTime(), 'America/Los_Angeles'))
}
