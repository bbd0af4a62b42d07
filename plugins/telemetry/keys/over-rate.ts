// Records that a key was not allowed to write: counted on the key, said in the log, and recorded for alerts, at most once a
// minute.
import { createBoundedMap } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import type { TelemetryLogger } from '../logger.ts'
import type { StoredKey } from '../storage/stored-key.ts'

export interface OverRate {
  /** Records of the key that were over its rate, and whose they would have been. */
  note(key: StoredKey, count: number, tenantId: string): void
}

/** What was refused of a key and a tenant since it was last said. */
export interface Refusals {
  readonly key: StoredKey
  readonly tenantId: string
  readonly count: number
}

interface Noted {
  saidAt: number
  /** Not counted on the key yet. */
  count: number
}

const KEYS = 5000
const SAY_MS = 60_000

export function createOverRate({
  keys,
  logger,
  now,
  record
}: {
  readonly keys: Collection<StoredKey>
  readonly logger: TelemetryLogger
  now(): Date
  record(refusals: Refusals): void
}): OverRate {
  const noted = createBoundedMap<string, Noted>(KEYS)
  return {
    note(key, count, tenantId) {
      if (count <= 0) return
      const at = now()
      const id = `${key._id} ${tenantId}`
      const known = noted.get(id) ?? { saidAt: Number.NEGATIVE_INFINITY, count: 0 }
      noted.set(id, known)
      known.count += count
      if (at.getTime() - known.saidAt < SAY_MS) return
      known.saidAt = at.getTime()
      const refused = known.count
      known.count = 0
      const { _id, service, maxPerMinute } = key
      logger.warn(
        { key: _id, tenantId, service, refused, maxPerMinute },
        `telemetry: ${refused} records of ${service} were refused: its key may write ${maxPerMinute} a minute. Make a key with a higher maxPerMinute.`
      )
      // For people to look at: nothing depends on it.
      keys
        .updateOne({ _id }, { $inc: { 'overRate.count': refused }, $set: { 'overRate.at': at } })
        .catch(() => undefined)
      record({ key, tenantId, count: refused })
    }
  }
}
