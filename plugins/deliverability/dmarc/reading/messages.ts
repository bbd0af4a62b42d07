// What the host and a reading thread say to each other.
import type { AggregateRecord } from '../aggregate/report.ts'
import type { FileReading, GivenFile } from './read-file.ts'

/** To the thread: read a file, send the records of one of its reports, or send the next batch of them. */
export type ToReader =
  | { readonly type: 'read'; readonly file: GivenFile }
  | {
      readonly type: 'records'
      readonly file: GivenFile
      readonly index: number
      readonly batch: number
    }
  | { readonly type: 'next' }

/** From the thread. Each question has one answer; batches are answered by `next`. */
export type FromReader =
  | { readonly type: 'read'; readonly reading: FileReading }
  | { readonly type: 'batch'; readonly records: readonly AggregateRecord[] }
  | { readonly type: 'end' }
  | {
      readonly type: 'failed'
      readonly code: string
      readonly details: Readonly<Record<string, unknown>>
    }
