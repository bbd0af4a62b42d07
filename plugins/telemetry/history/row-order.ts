// The orders that reads ask for, in SQL. Pure.
import type { Document } from 'mongodb'
import { NotInColumns } from './statement.ts'

/** Ids as the database orders them: by length, then form and bytes. */
export function wireOrder({ occurredAt, _id }: Document): string {
  if ((occurredAt !== 1 && occurredAt !== -1) || occurredAt !== _id) {
    throw new NotInColumns('such an order')
  }
  const way = occurredAt === 1 ? 'ASC' : 'DESC'
  return `"occurredAt" ${way}, octet_length("_id") ${way}, "_id" ${way}`
}
