// The upserts that add increments to stored rollup documents. Everything that came from outside enters
// as a literal: nothing a client sends is ever evaluated.
import type { AnyBulkWriteOperation, Document } from 'mongodb'
import type { Increment } from './merge.ts'

/** A rollup document as it lies in the database. */
export interface StoredRollup {
  _id: string
  tenantId: string
  as: string
  dims: readonly string[]
  subjectType?: string
  bucketAt?: Date
  /** Set on documents without bucket, so that small indexes can find them. */
  lifetime?: true
  firstAt: Date
  lastAt: Date
  /** Wire id of the earliest record; breaks ties. */
  firstId?: string
  count: number
  /** Keys encoded. */
  sums?: Readonly<Record<string, number>>
  /** Keys encoded. */
  firstCapture?: Readonly<Record<string, string>>
  firstTraceId?: string
  expiresAt?: Date
}

/** One upsert per increment. */
export function upsertOf(increment: Increment): AnyBulkWriteOperation<StoredRollup> {
  const update = increment.first.capture === undefined ? plainUpdate : trackingUpdate
  return {
    updateOne: {
      filter: { _id: increment.key._id },
      update: update(increment) as Document[],
      upsert: true
    }
  }
}

/** For families that do not keep what the first record looked like: plain operators. */
function plainUpdate(increment: Increment): Document {
  const { key } = increment
  const inc: Record<string, number> = { count: increment.count }
  for (const [field, value] of Object.entries(increment.sums ?? {})) inc[`sums.${field}`] = value
  return {
    $setOnInsert: fixedFields(increment),
    $inc: inc,
    $min: { firstAt: new Date(increment.firstAt) },
    $max: {
      lastAt: new Date(increment.lastAt),
      ...(increment.expiresAt !== undefined && { expiresAt: new Date(increment.expiresAt) })
    },
    ...(key.bucketAt === undefined && { $set: { lifetime: true } })
  }
}

function fixedFields({ key }: Increment): Document {
  return {
    tenantId: key.tenantId,
    as: key.as,
    dims: key.dims,
    ...(key.subjectType !== undefined && { subjectType: key.subjectType }),
    ...(key.bucketAt !== undefined && { bucketAt: new Date(key.bucketAt) })
  }
}

const literal = (value: unknown): Document => ({ $literal: value })
const FAR_FUTURE = new Date(8.64e15)

/**
 * For families that keep the earliest record's trace and captures: a pipeline, because whether these are
 * replaced depends on what is stored. A record that arrives late but happened earlier corrects them.
 */
function trackingUpdate(increment: Increment): Document[] {
  const { first } = increment
  const firstAt = new Date(increment.firstAt)
  const isFirst = {
    $or: [
      { $lt: [firstAt, { $ifNull: ['$firstAt', FAR_FUTURE] }] },
      {
        $and: [{ $eq: [firstAt, '$firstAt'] }, { $lt: [literal(first.recordId), '$firstId'] }]
      }
    ]
  }
  const whenFirst = (value: unknown, field: string) => ({
    $cond: [isFirst, value === undefined ? '$$REMOVE' : literal(value), `$${field}`]
  })
  const capture = first.capture ?? {}
  const fixed = Object.entries(fixedFields(increment)).map(([field, value]) => [
    field,
    literal(value)
  ])
  const set: Document = {
    ...Object.fromEntries(fixed),
    ...(increment.key.bucketAt === undefined && { lifetime: true }),
    firstAt: { $min: ['$firstAt', firstAt] },
    lastAt: { $max: ['$lastAt', new Date(increment.lastAt)] },
    count: { $add: [{ $ifNull: ['$count', 0] }, increment.count] },
    firstId: whenFirst(first.recordId, 'firstId'),
    firstTraceId: whenFirst(first.traceId, 'firstTraceId'),
    firstCapture: whenFirst(Object.keys(capture).length > 0 ? capture : undefined, 'firstCapture')
  }
  for (const [field, value] of Object.entries(increment.sums ?? {})) {
    set[`sums.${field}`] = { $add: [{ $ifNull: [`$sums.${field}`, 0] }, value] }
  }
  if (increment.expiresAt !== undefined) {
    set['expiresAt'] = { $max: ['$expiresAt', new Date(increment.expiresAt)] }
  }
  return [{ $set: set }]
}
