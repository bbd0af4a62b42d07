// What agents are not shown: free-form data of records, and the content of refused writes.

/** Changes a record before it is shown. */
import type { Envelope } from '../schemas/envelope.ts'
export type Redact = (record: Envelope) => unknown

/** Replaces `data`. */
export const redactData: Redact = (record) =>
  record.data === undefined ? record : { ...record, data: '[redacted]' }

export const showAll: Redact = (record) => record
