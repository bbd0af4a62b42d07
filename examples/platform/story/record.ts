// What the story is told in: records as they go over the wire, and the diary that one visitor's are written in.
import type { ErrorInfo, Severity, StateInfo, UsageInfo } from '@keelson/telemetry'
import type { Chance } from './random.ts'

/** A record as it goes over the wire to `POST /ingest`. */
export interface StoryRecord {
  readonly _id: string
  readonly name: string
  readonly occurredAt: string
  readonly subjects?: readonly { readonly type: string; readonly id: string }[]
  readonly attrs?: Readonly<Record<string, string>>
  readonly metrics?: Readonly<Record<string, number>>
  readonly error?: ErrorInfo
  readonly state?: StateInfo
  readonly usage?: UsageInfo
  readonly traceId?: string
  readonly spanId?: string
  readonly parentId?: string
  readonly durationMs?: number
  readonly severity?: Severity
}

/** Everything that is known of a record but when it was and whose it is. */
export type RecordFields = Omit<StoryRecord, '_id' | 'name' | 'occurredAt' | 'subjects'>

export interface Diary {
  readonly userId: string
  readonly chance: Chance
  readonly records: readonly StoryRecord[]
  /** Where time stands, in milliseconds. */
  now(): number
  /** Whether the end of the story is reached: nothing is written any more. */
  isOver(): boolean
  /** Lets about this much time pass. */
  wait(aboutMs: number): void
  /** Writes what happens now, or `afterMs` later without letting that time pass. */
  tell(name: string, more: RecordFields, afterMs?: number): void
}

/** A diary from `startMs` on; records at or after `endMs` are left out. */
export function openDiary(chance: Chance, userId: string, startMs: number, endMs: number): Diary {
  const records: StoryRecord[] = []
  let now = startMs
  return {
    userId,
    chance,
    records,
    now: () => now,
    isOver: () => now >= endMs,
    wait(aboutMs) {
      now += chance.around(aboutMs)
    },
    tell(name, more, afterMs = 0) {
      // Drawn in any case: what is told later does not depend on where the story ends.
      const _id = chance.hex(32)
      const at = now + afterMs
      if (at >= endMs) return
      const occurredAt = new Date(at).toISOString()
      records.push({ _id, name, occurredAt, subjects: [{ type: 'user', id: userId }], ...more })
    }
  }
}
