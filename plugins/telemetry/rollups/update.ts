// The upserts that add increments to stored rollup documents. Plain operators only: nothing a client sends
// is ever evaluated.
import type { Binary, Document } from 'mongodb'
import type { UpdateStatement } from '../emit/write-commands.ts'
import { clipText } from '../envelope/bounds.ts'
import { encodeKey } from '../storage/field-keys.ts'
import { dimensionValue } from './dimension.ts'
import type { Increment } from './increment.ts'

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
  /** Stored id of the earliest record; breaks ties. */
  firstId?: Binary
  count: number
  /** Keys encoded. */
  sums?: Readonly<Record<string, number>>
  /** Keys encoded. */
  firstCapture?: Readonly<Record<string, string>>
  firstTraceId?: string
  expiresAt?: Date
}

/** Characters kept of one captured value. */
const MAX_CAPTURE = 500

/** Whether the family keeps what the first record looked like. */
const isTracked = ({ capture }: Increment) => capture !== undefined

/** For a document that was there: a record that came late but happened earlier takes the place of the first. */
export function correctionOf(increment: Increment): UpdateStatement {
  const { key } = increment
  const firstAt = new Date(increment.firstAt)
  const facts = firstFacts(increment)
  const absent = ['firstTraceId', 'firstCapture'].filter((field) => facts[field] === undefined)
  return {
    q: {
      _id: key._id,
      $or: [{ firstAt: { $gt: firstAt } }, { firstAt, firstId: { $gt: increment.first._id } }]
    },
    u: {
      $set: facts,
      ...(absent.length > 0 && {
        $unset: Object.fromEntries(absent.map((field) => [field, true]))
      })
    }
  }
}

/**
 * Counts and sums. With everything a new document needs, unless it is known to be there: then the
 * caller must check that it was.
 */
export function additionOf(increment: Increment, isThere: boolean): UpdateStatement {
  const { key } = increment
  const inc: Record<string, number> = { count: increment.count }
  for (const [field, value] of Object.entries(increment.sums ?? {})) inc[`sums.${field}`] = value
  const update: Document = {
    $inc: inc,
    // A tracked first time changes together with the rest of the first record's facts, by correctionOf.
    ...(!isTracked(increment) && { $min: { firstAt: new Date(increment.firstAt) } }),
    $max: {
      lastAt: new Date(increment.lastAt),
      ...(increment.expiresAt !== undefined && { expiresAt: new Date(increment.expiresAt) })
    }
  }
  if (isThere) return { q: { _id: key._id }, u: update }
  update['$setOnInsert'] = newFacts(increment)
  return { q: { _id: key._id }, u: update, upsert: true }
}

function newFacts(increment: Increment): Document {
  const { key } = increment
  return {
    tenantId: key.tenantId,
    as: key.as,
    dims: key.dims,
    ...(key.subjectType !== undefined && { subjectType: key.subjectType }),
    ...(key.bucketAt === undefined ? { lifetime: true } : { bucketAt: new Date(key.bucketAt) }),
    ...(isTracked(increment) && firstFacts(increment))
  }
}

function firstFacts({ first, firstAt, capture }: Increment): Document {
  const captured: Record<string, string> = {}
  let count = 0
  for (const dimension of capture ?? []) {
    const value = dimensionValue(dimension, first)
    if (value === undefined) continue
    captured[encodeKey(dimension.dimension)] = clipText(value, MAX_CAPTURE)
    count++
  }
  return {
    firstAt: new Date(firstAt),
    firstId: first._id,
    ...(first.traceId !== undefined && { firstTraceId: first.traceId }),
    ...(count > 0 && { firstCapture: captured })
  }
}
