// What the handlers of batches and of OTLP requests share.
import type { BoundedMap, Limit } from '@keelson/sdk'
import type { Recorder } from '../emit/recorder.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { OverRate } from '../keys/over-rate.ts'
import type { ContextAdapter } from './context.ts'

export interface IngestContext {
  readonly recorder: Recorder
  readonly ring: KeyRing
  /** Records a minute; the number is that of the key. */
  readonly rate: Limit
  readonly overRate: OverRate
  /** Keys that a batch larger than their rate was refused for. */
  readonly refusedWhole: BoundedMap<string, true>
  readonly contextAdapter: ContextAdapter | undefined
  readonly maxRecords: number
  readonly bodyLimit: number
  readonly otlpBodyLimit: number
  /** Attributes of OTLP records that name their subjects, with the type of the subject. */
  readonly subjectAttributes: Readonly<Record<string, string>>
  readonly deadlineMs: number
}
