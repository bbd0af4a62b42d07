// The upserts that add increments to stored rollup documents. Plain operators only: nothing a client sends
// is ever evaluated.
import type { Binary, Document } from 'mongodb'
import { clipText } from '../bounds.ts'
import type { StoredRow } from '../envelope/stored-row.ts'
import { encodeKey } from '../field-keys.ts'
import { dimensionValue } from './dimension.ts'
import type { Increment } from './increment.ts'

/** One update of a bulk write. */
export interface RollupUpdate {
  readonly filter: Document
  readonly update: Document
  readonly upsert?: true
}

/** A rollup document as it is stored. */
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
  /** Everybody the captured record names, in any role: erasure finds the capture by them when the row has expired. */
  firstRefs?: readonly string[]
  firstTraceId?: string
  expiresAt?: Date
}

/** Facts that not every first record has. */
const ABSENT_FACTS = ['firstTraceId', 'firstCapture', 'firstRefs'] as const
/** Characters kept of one captured value. */
const MAX_CAPTURE = 500

/** For a document that was there: a record that came late but happened earlier takes the place of the first. */
export function correctionOf(increment: Increment): RollupUpdate {
  const { key } = increment
  const firstAt = new Date(increment.firstAt)
  const facts = firstFacts(increment)
  const firstId = facts['firstId'] as Binary
  const absent = ABSENT_FACTS.filter((field) => facts[field] === undefined)
  return {
    filter: {
      _id: key._id,
      $or: [{ firstAt: { $gt: firstAt } }, { firstAt, firstId: { $gt: firstId } }]
    },
    update: {
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
export function additionOf(increment: Increment): RollupUpdate {
  const { key, knownFirstAt, first, firstAt } = increment
  const update: Document = { $inc: incOf(increment), $max: maxOf(increment) }
  // The time of a first record that is kept changes together with the rest of its facts, by correctionOf.
  if (first === undefined) update['$min'] = { firstAt: new Date(firstAt) }
  if (knownFirstAt !== undefined) return { filter: { _id: key._id }, update }
  update['$setOnInsert'] = newFacts(increment)
  return { filter: { _id: key._id }, update, upsert: true }
}

function incOf({ count, sums }: Increment): Document {
  if (sums === undefined) return { count }
  const inc: Document = { count }
  for (const field of Object.keys(sums)) inc[`sums.${field}`] = sums[field]
  return inc
}

function maxOf({ lastAt, expiresAt }: Increment): Document {
  return expiresAt === undefined
    ? { lastAt: new Date(lastAt) }
    : { lastAt: new Date(lastAt), expiresAt: new Date(expiresAt) }
}

function newFacts(increment: Increment): Document {
  const { key } = increment
  return {
    tenantId: key.tenantId,
    as: key.as,
    dims: key.dims,
    ...(key.subjectType !== undefined && { subjectType: key.subjectType }),
    ...(key.bucketAt === undefined ? { lifetime: true } : { bucketAt: new Date(key.bucketAt) }),
    ...(increment.first !== undefined && firstFacts(increment))
  }
}

/** Of a document that keeps a first record. */
function firstFacts({ first, firstAt, capture }: Increment): Document {
  if (first === undefined) return {}
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
    ...(count > 0 && { firstCapture: captured, ...namedIn(first) })
  }
}

/** Everybody that a record names. */
export function namedIn({
  subjectKeys = [],
  otherPrincipals = []
}: Pick<StoredRow, 'subjectKeys' | 'otherPrincipals'>): Pick<StoredRollup, 'firstRefs'> {
  const firstRefs = [...subjectKeys, ...otherPrincipals]
  return firstRefs.length > 0 ? { firstRefs } : {}
}
