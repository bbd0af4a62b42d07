// The cursor of a page of records: where the page before ended.
import type { Binary } from 'mongodb'
import { idOfText, idText } from '../envelope/stored-id.ts'
import { QueryError } from './types.ts'

export interface Position {
  readonly occurredAt: Date
  /** Stored, with the tenant: under the platform scope ids alone are not unique. */
  readonly _id: Binary
}

export function writeCursor({ occurredAt, _id }: Position): string {
  return Buffer.from(JSON.stringify([occurredAt.getTime(), idText(_id)])).toString('base64url')
}

/** @throws QueryError `malformed cursor` */
export function readCursor(cursor: string): Position {
  const parsed = parse(cursor)
  const [at, text] = Array.isArray(parsed) ? (parsed as unknown[]) : []
  const occurredAt = new Date(typeof at === 'number' ? at : Number.NaN)
  const _id = typeof text === 'string' ? idOfText(text) : undefined
  if (Number.isNaN(occurredAt.getTime()) || _id === undefined) {
    throw new QueryError('malformed cursor')
  }
  return { occurredAt, _id }
}

function parse(cursor: unknown): unknown {
  if (typeof cursor !== 'string' || !/^[A-Za-z0-9_-]{1,1000}$/.test(cursor)) return undefined
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
