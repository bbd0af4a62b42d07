// Whether a prepared record's row is stored.
import type { Binary } from 'mongodb'
import type { PreparedRecord } from '../envelope/read-record.ts'
import { dimensionValue } from '../rollups/dimension.ts'
import type { BurstCaps } from './burst.ts'
import { traceKeep } from './sampling.ts'

export type Fate = 'kept' | 'sampled' | 'capped'

/** A record on its way to the database. */
export interface WriteItem {
  readonly record: PreparedRecord
  readonly fate: Fate
  /** It may arrive again under the same id. */
  readonly isReplayable: boolean
  /**
   * What says, in `seen`, that a record whose row is not kept was counted: its own id when it may arrive
   * again. Otherwise the flush that tries it first chooses one for all of its kind.
   */
  witness: Binary | undefined
}

/** Samples and caps a record. */
export function decideRecord(
  record: PreparedRecord,
  bursts: BurstCaps,
  now: number,
  isReplayable: boolean
): WriteItem {
  const { event, row } = record
  const fate = fateOf(record, bursts, now)
  if (!record.isKept && event.sampleRate < 1) row.sampleRate = event.sampleRate
  return { record, fate, isReplayable, witness: isReplayable ? row._id : undefined }
}

function fateOf(record: PreparedRecord, bursts: BurstCaps, now: number): Fate {
  const { event, row } = record
  const isSampledOut = !record.isKept && !traceKeep(row.traceId ?? record.id, event.sampleRate)
  if (isSampledOut) return 'sampled'
  if (event.burst === undefined || record.isUncapped) return 'kept'
  const { key, maxPerMinute } = event.burst
  const value = key === undefined ? '' : (dimensionValue(key, row) ?? '')
  const isTaken = bursts.take(`${row.tenantId}|${event.name}|${value}`, maxPerMinute, now)
  return isTaken ? 'kept' : 'capped'
}

/** Whether records of this name are sometimes not stored: then a repeat must be looked for. */
export const mayBeDropped = ({ record }: WriteItem): boolean =>
  record.event.burst !== undefined || record.event.sampleRate < 1
