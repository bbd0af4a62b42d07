// Records that a key was not allowed to write: counted on the key, said in the log, and recorded for alerts, at most once a
// minute.
import { createBoundedMap } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import type { TelemetryLogger } from '../logger.ts'
import type { StoredKey } from '../storage/stored-key.ts'

export interface OverRate {
  /** Records of the key that were over its rate, and whose they would have been. */
  note(key: StoredKey, count: number, tenantId: string): void
  /** Ends the wait for what is not said yet, and says it in the log alone: the database may be closed already. */
  close(): void
}

/** What was refused of a key and a tenant since it was last said. */
export interface Refusals {
  readonly key: StoredKey
  readonly tenantId: string
  readonly count: number
}

interface Noted extends Refusals {
  readonly saidAt: number
}

const KEYS = 5000
const SAY_MS = 60_000

export interface OverRateOptions {
  readonly keys: Collection<StoredKey>
  readonly logger: TelemetryLogger
  now(): Date
  record(refusals: Refusals): void
  /** Calls once, a minute later, unless the answer is called before. */
  later(act: () => void): () => void
}

export function createOverRate(options: OverRateOptions): OverRate {
  /** Of each key and tenant: when it was said last, and what is not said since. */
  const noted = createBoundedMap<string, Noted>(KEYS)
  const unsaid = new Set<string>()
  let stopWaiting: (() => void) | undefined
  function say(id: string, refusals: Refusals): void {
    noted.set(id, { ...refusals, count: 0, saidAt: options.now().getTime() })
    unsaid.delete(id)
    sayRefusals(options, refusals)
  }
  function settle(): void {
    for (const id of [...unsaid]) {
      const known = noted.get(id)
      if (known === undefined) unsaid.delete(id)
      else say(id, known)
    }
  }
  return {
    close() {
      stopWaiting?.()
      stopWaiting = undefined
      for (const id of unsaid) {
        const known = noted.get(id)
        if (known !== undefined) logRefusals(options, known)
      }
      unsaid.clear()
    },
    note(key, count, tenantId) {
      if (count <= 0) return
      const id = `${key._id} ${tenantId}`
      const known = noted.get(id)
      const refusals = { key, tenantId, count: count + (known?.count ?? 0) }
      if (known === undefined || options.now().getTime() - known.saidAt >= SAY_MS) {
        say(id, refusals)
        return
      }
      noted.set(id, { ...refusals, saidAt: known.saidAt })
      unsaid.add(id)
      // A sender that gives up sends nothing more that could say the rest.
      stopWaiting ??= options.later(() => {
        stopWaiting = undefined
        settle()
      })
    }
  }
}

function logRefusals(
  { logger }: Pick<OverRateOptions, 'logger'>,
  { key, tenantId, count }: Refusals
): void {
  const { _id, service, maxPerMinute } = key
  logger.warn(
    { key: _id, tenantId, service, refused: count, maxPerMinute },
    `telemetry: ${count} records of ${service} were refused: its key may write ${maxPerMinute} a minute. Make a key with a higher maxPerMinute.`
  )
}

function sayRefusals(options: OverRateOptions, { key, tenantId, count }: Refusals): void {
  const { keys, now, record } = options
  logRefusals(options, { key, tenantId, count })
  // For people to look at: nothing depends on it.
  keys
    .updateOne(
      { _id: key._id },
      { $inc: { 'overRate.count': count }, $set: { 'overRate.at': now() } }
    )
    .catch(() => undefined)
  record({ key, tenantId, count })
}

/** For `later` of a host. It does not keep the process. */
export function aMinuteLater(act: () => void): () => void {
  const timer = setTimeout(act, SAY_MS).unref()
  return () => clearTimeout(timer)
}
