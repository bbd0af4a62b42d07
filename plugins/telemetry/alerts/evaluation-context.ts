// What evaluating rules works with.
import type { Queue, TakeLease } from '@keelson/sdk'
import type { Reader } from '../queries/reader.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import type { ChangeItem } from './delivery-order.ts'

export interface EvaluationContext {
  readonly storage: TelemetryStorage
  readonly reader: Reader
  readonly lease: TakeLease
  /** Of changes of state: it sends their messages. */
  readonly queue: Queue<ChangeItem>
}
