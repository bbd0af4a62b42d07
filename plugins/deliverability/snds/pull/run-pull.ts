// One pull: reads both feeds and stores what they say. It never stops mail: SNDS is for looking.
import { pauseAfter } from '@keelson/sdk'
import type { SndsConfig } from '../config.ts'
import type { SndsActivity } from '../feeds/read-data-feed.ts'
import type { SndsRange } from '../feeds/read-status-feed.ts'
import type { SndsClient } from '../feeds/snds-client.ts'
import type { Stored } from '../storage/rows.ts'

/** What a pull works with. */
export interface SndsContext {
  readonly config: SndsConfig
  readonly stored: Stored
  /** undefined without a key. */
  readonly client: SndsClient | undefined
  readonly now: Date
  readonly signal: AbortSignal
}

/** What a pull came to. */
export type SndsPull =
  | { readonly ran: false; readonly reason: 'not_configured' | 'disabled' | 'not_due' }
  | { readonly ran: false; readonly reason: 'failed'; readonly message: string }
  | {
      readonly ran: true
      readonly rowsParsed: number
      /** Without those of other addresses than `ips`. */
      readonly rowsPersisted: number
      /** Lines of the feed that could not be read. */
      readonly rowsRefused: number
      readonly blockedRanges: number
    }

const HOUR_MS = 3_600_000

/**
 * Reads SNDS. It is safe to repeat: a period of an address is stored once.
 *
 * @param options `isForced`: reads now, however recent the last read is
 */
export async function runSndsPull(
  context: SndsContext,
  { isForced = false }: { readonly isForced?: boolean } = {}
): Promise<SndsPull> {
  const { client, config, stored, now, signal } = context
  if (client === undefined) return { ran: false, reason: 'not_configured' }
  if (config.intervalHours === 0 && !isForced) return { ran: false, reason: 'disabled' }
  if (!isForced && !(await isDue(context))) return { ran: false, reason: 'not_due' }
  try {
    const [feed, ranges] = await Promise.all([client.data(signal), client.status(signal)])
    const wanted = wantedOf(config)
    const kept = feed.rows.filter(({ ip }) => wanted === undefined || wanted.has(ip))
    await saveSnapshots(context, kept)
    await saveRanges(context, ranges)
    await savePull(stored, { attemptedAt: now, failures: 0, errorMessage: null })
    return {
      ran: true,
      rowsParsed: feed.rows.length,
      rowsPersisted: kept.length,
      rowsRefused: feed.refused,
      blockedRanges: ranges.filter(({ isBlocked }) => isBlocked).length
    }
  } catch (error) {
    const { message } = error as Error
    const failures = ((await stored.pulls.findOne({ _id: 'pull' }))?.failures ?? 0) + 1
    await savePull(stored, { attemptedAt: now, failures, errorMessage: message })
    return { ran: false, reason: 'failed', message }
  }
}

const wantedOf = ({ ips }: SndsConfig): ReadonlySet<string> | undefined =>
  ips === undefined || ips.length === 0 ? undefined : new Set(ips)

async function isDue({ stored, config, now }: SndsContext): Promise<boolean> {
  const last = await stored.pulls.findOne({ _id: 'pull' })
  if (last === null) return true
  const pause = pauseAfter(last.failures, config.intervalHours * HOUR_MS)
  return now.getTime() - last.attemptedAt.getTime() >= pause
}

const savePull = (
  { pulls }: Stored,
  row: {
    readonly attemptedAt: Date
    readonly failures: number
    readonly errorMessage: string | null
  }
) => pulls.updateOne({ _id: 'pull' }, { $set: row }, { upsert: true })

async function saveSnapshots(
  { stored, now }: SndsContext,
  rows: readonly SndsActivity[]
): Promise<void> {
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows.slice(at, at + BATCH)
    await stored.snapshots.bulkWrite(
      batch.map((row) => ({
        updateOne: {
          filter: { _id: `${row.ip} ${row.activityStart.toISOString()}` },
          update: { $set: { ...row, fetchedAt: now } },
          upsert: true
        }
      })),
      { ordered: false }
    )
    await stored.addresses.bulkWrite(
      [...new Set(batch.map(({ ip }) => ip))].map((_id) => ({
        updateOne: { filter: { _id }, update: { $set: { seenAt: now } }, upsert: true }
      })),
      { ordered: false }
    )
  }
}

const BATCH = 1_000

/** The feed has all ranges: those that it no longer has are removed. */
async function saveRanges({ stored, now }: SndsContext, ranges: readonly SndsRange[]) {
  if (ranges.length > 0) {
    await stored.ranges.bulkWrite(
      ranges.map((range) => ({
        updateOne: {
          filter: { _id: `${range.firstIp} ${range.lastIp}` },
          update: { $set: { ...range, fetchedAt: now } },
          upsert: true
        }
      })),
      { ordered: false }
    )
  }
  await stored.ranges.deleteMany({ fetchedAt: { $lt: now } })
}
