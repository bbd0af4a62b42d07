// Records that a key was not allowed to write: counted on the key and said in the log, at most once a minute.
import { createBoundedMap } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import type { TelemetryLogger } from '../logger.ts'
import type { StoredKey } from '../storage/stored-key.ts'

export interface OverRate {
  /** Records of the key that were over its rate. */
  note(key: StoredKey, count: number): void
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
  now
}: {
  readonly keys: Collection<StoredKey>
  readonly logger: TelemetryLogger
  now(): Date
}): OverRate {
  const noted = createBoundedMap<string, Noted>(KEYS)
  return {
    note(key, count) {
      if (count <= 0) return
      const at = now()
      const known = noted.get(key._id) ?? { saidAt: Number.NEGATIVE_INFINITY, count: 0 }
      noted.set(key._id, known)
      known.count += count
      if (at.getTime() - known.saidAt < SAY_MS) return
      known.saidAt = at.getTime()
      const refused = known.count
      known.count = 0
      const { _id, service, maxPerMinute } = key
      logger.warn(
        { key: _id, service, refused, maxPerMinute },
        `telemetry: ${refused} records of ${service} were refused: its key may write ${maxPerMinute} a minute. Make a key with a higher maxPerMinute.`
      )
      // For people to look at: nothing depends on it.
      keys
        .updateOne({ _id }, { $inc: { 'overRate.count': refused }, $set: { 'overRate.at': at } })
        .catch(() => undefined)
    }
  }
}
