// Where a page of contacts begins: a place in the order, and the queries that follow it. Pure.
import { BSON, type Document, ObjectId } from 'mongodb'
import { errors } from '../../../errors.ts'
import type { ContactSort } from '../../../ledger/adapter.ts'
import { isPlain } from './translate-filter.ts'

/** The last contact of a page: its value of the sort field, null without a sort, and its id. */
export type Place = readonly [value: unknown, id: unknown]

/** The place as an opaque text that keeps types. */
export const writeCursor = (place: Place): string =>
  Buffer.from(BSON.EJSON.stringify(place, { relaxed: false })).toString('base64url')

/** @throws MLR_INPUT_INVALID */
export function readCursor(cursor: string): Place {
  try {
    const place: unknown = BSON.EJSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(place) && place.length === 2 && place.every(isPlain))
      return place as unknown as Place
  } catch {
    // Any text can come from outside.
  }
  const problem = 'must be the nextCursor of an earlier page'
  throw errors.MLR_INPUT_INVALID({ operation: 'query', path: 'cursor', problem })
}

/** Types in the order in which MongoDB sorts them, behind null and missing. */
const TYPES = ['number', 'string', 'object', 'binData', 'objectId', 'bool', 'date'] as const

/**
 * Queries that together select everything behind a place, to be run one after the other. A comparison of
 * MongoDB selects one type alone: without the queries for the other types, contacts would be skipped.
 */
export function rangesAfter(
  [value, id]: Place,
  idField: string,
  sort: ContactSort | undefined
): readonly Document[] {
  const behindId = rangesBehind(idField, id, 'asc')
  if (sort === undefined) return behindId
  const { field, direction } = sort
  const sameValue = { [field]: value === null ? null : { $eq: value } }
  return [
    ...behindId.map((range) => ({ $and: [sameValue, range] })),
    ...rangesBehind(field, value, direction)
  ]
}

function rangesBehind(
  field: string,
  value: unknown,
  direction: ContactSort['direction']
): readonly Document[] {
  const at = (TYPES as readonly unknown[]).indexOf(typeOf(value))
  if (direction === 'asc') {
    const more = TYPES.slice(at + 1)
    return [
      ...(value === null ? [] : [{ [field]: { $gt: value } }]),
      ...(more.length > 0 ? [{ [field]: { $type: [...more] } }] : [])
    ]
  }
  if (value === null) return []
  const less = TYPES.slice(0, at)
  return [
    { [field]: { $lt: value } },
    ...(less.length > 0 ? [{ [field]: { $type: less } }] : []),
    { [field]: null }
  ]
}

function typeOf(value: unknown): (typeof TYPES)[number] | undefined {
  if (value instanceof Date) return 'date'
  if (value instanceof ObjectId) return 'objectId'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'number' || typeof value === 'string'
    ? (typeof value as 'number')
    : undefined
}
