// What the failing mail of each source sums up to: parts of records added and taken away again. Pure.
import type { AuthResult, Disposition } from '../aggregate/report.ts'
import type { RecordRow, SourceDay, SourceReporter, SourceRow } from '../storage/rows.ts'

/** The part of a record that sums are made of. */
export type SummedRecord = Pick<
  RecordRow,
  | 'aligned'
  | 'sourceIp'
  | 'domain'
  | 'orgName'
  | 'count'
  | 'day'
  | 'rangeEnd'
  | 'dkim'
  | 'spf'
  | 'disposition'
>

/** Reporters may invent any range. */
const MOST_DAYS = 4_000
/** And any name. What the others report counts with the source as a whole. */
const MOST_REPORTERS = 20

export const sourceId = (domain: string, sourceIp: string): string => `${domain}|${sourceIp}`

/** The sums of some records alone, by id. A record that passed, or names no source, is in none. */
export function sumsOfRecords(records: readonly SummedRecord[]): ReadonlyMap<string, SourceRow> {
  const sums = new Map<string, SourceRow>()
  for (const record of records) {
    const part = sumOfRecord(record)
    if (part === undefined) continue
    const before = sums.get(part._id)
    sums.set(part._id, before === undefined ? part : added(before, part))
  }
  return sums
}

function sumOfRecord(record: SummedRecord): SourceRow | undefined {
  const { aligned, sourceIp, domain, orgName, count, day, rangeEnd } = record
  const { dkim, spf, disposition } = record
  // A record may be about no message at all.
  if (aligned || sourceIp === null || count === 0) return undefined
  const days = [{ day, messages: count, dkim, spf, disposition }]
  const reporters = orgName === undefined ? [] : [{ orgName, messages: count }]
  const sum = { domain, sourceIp, messages: count, rangeEnd, days, reporters }
  return { _id: sourceId(domain, sourceIp), ...sum }
}

/** A sum with another part of the same source. */
export function added(sum: SourceRow, part: SourceRow): SourceRow {
  const days = new Map(sum.days.map((each) => [each.day, each]))
  for (const each of part.days) {
    const before = days.get(each.day)
    days.set(each.day, before === undefined ? each : sameDay(before, each))
  }
  return {
    ...sum,
    messages: sum.messages + part.messages,
    rangeEnd: sum.rangeEnd > part.rangeEnd ? sum.rangeEnd : part.rangeEnd,
    days: [...days.values()].sort(byDay).slice(-MOST_DAYS),
    reporters: reportersWith(sum, part, 1)
  }
}

/** A sum without a part that it has; null when nothing is left. */
export function without(sum: SourceRow, part: SourceRow): SourceRow | null {
  const messages = sum.messages - part.messages
  if (messages <= 0) return null
  const gone = new Map(part.days.map((each) => [each.day, each.messages]))
  const days = sum.days
    .map((each) => ({ ...each, messages: each.messages - (gone.get(each.day) ?? 0) }))
    .filter((each) => each.messages > 0)
  return { ...sum, messages, days, reporters: reportersWith(sum, part, -1) }
}

/** The reporters of a sum with those of a part added, or taken away. */
function reportersWith(sum: SourceRow, part: SourceRow, sign: 1 | -1): readonly SourceReporter[] {
  const messages = new Map(sum.reporters?.map((each) => [each.orgName, each.messages]))
  for (const each of part.reporters ?? []) {
    const before = messages.get(each.orgName)
    if (before === undefined && sign === -1) continue
    messages.set(each.orgName, (before ?? 0) + sign * each.messages)
  }
  return [...messages]
    .map(([orgName, count]) => ({ orgName, messages: count }))
    .filter((each) => each.messages > 0)
    .sort((a, b) => b.messages - a.messages || (a.orgName < b.orgName ? -1 : 1))
    .slice(0, MOST_REPORTERS)
}

/** Of two results of one day the one that comes later in the alphabet, whatever was stored first. */
function sameDay(a: SourceDay, b: SourceDay): SourceDay {
  return { ...(resultsOf(a) > resultsOf(b) ? a : b), messages: a.messages + b.messages }
}

const resultsOf = ({ dkim, spf, disposition }: SourceDay) => `${dkim} ${spf} ${disposition}`
const byDay = (a: SourceDay, b: SourceDay) => (a.day < b.day ? -1 : 1)

/** One address that sends failing mail in the name of one domain. */
export interface FailingSource {
  readonly sourceIp: string
  readonly domain: string
  readonly totalMessages: number
  readonly daysSeen: number
  /** A day, as `2026-11-20`. */
  readonly lastSeen: string
  readonly dkimResult: AuthResult
  readonly spfResult: AuthResult
  readonly dispositionApplied: Disposition
}

/** A sum as the overview has it: the results are those of the newest day. */
export function failingSource({ sourceIp, domain, messages, days }: SourceRow): FailingSource {
  const latest = days.at(-1)
  return {
    sourceIp,
    domain,
    totalMessages: messages,
    daysSeen: days.length,
    lastSeen: latest?.day ?? '',
    dkimResult: latest?.dkim ?? 'unknown',
    spfResult: latest?.spf ?? 'unknown',
    dispositionApplied: latest?.disposition ?? 'none'
  }
}
