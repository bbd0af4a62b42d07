// The parts that a family is recounted in: days, weeks or months of one with buckets, tenants of one without. Pure.
import type { Bucket } from '../contracts/telemetry-registry.ts'
import { bucketStart, nextBucket } from '../rollups/bucket.ts'

/** Rows of a slice are of this time, and of this tenant when it is named. */
export interface Slice {
  readonly from?: Date
  readonly to?: Date
  readonly tenantId?: string
  /** Where the next slice begins, for a run that goes on. */
  readonly next: string
}

/** Hours are recounted by the day. */
const spanOf = (bucket: Bucket): Bucket => (bucket === 'hour' ? 'day' : bucket)

/** The slice that begins at a time or later; undefined when the end is reached. */
export function timeSlice(bucket: Bucket, position: number, end: number): Slice | undefined {
  const span = spanOf(bucket)
  const from = bucketStart(position, span)
  if (from >= end) return undefined
  const to = nextBucket(from, span)
  return { from: new Date(from), to: new Date(to), next: new Date(to).toISOString() }
}
