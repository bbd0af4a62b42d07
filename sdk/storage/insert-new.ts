// Inserts of rows that may be there already: doing it again changes nothing.
import {
  type Collection,
  type Document,
  MongoBulkWriteError,
  type OptionalUnlessRequiredId,
  type WriteError
} from 'mongodb'

/** Options of a write that must not be lost: acknowledged by the majority and journaled. */
export const DURABLE = { writeConcern: { w: 'majority', journal: true } } as const

/**
 * Inserts the rows whose `_id` is not there yet, in one command, durably. A row that breaks another unique
 * index is an error, but for the index of the field `uniqueBy` alone: then it is there already, too.
 *
 * @returns how many are new
 */
export async function insertNew<T extends Document>(
  collection: Collection<T>,
  rows: readonly OptionalUnlessRequiredId<T>[],
  uniqueBy?: string
): Promise<number> {
  if (rows.length === 0) return 0
  try {
    const { insertedCount } = await collection.insertMany(rows, { ordered: false, ...DURABLE })
    return insertedCount
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || !isAllKnown(error, uniqueBy)) throw error
    return error.insertedCount
  }
}

/** Whether all that failed is rows that are there already. */
function isAllKnown(error: MongoBulkWriteError, uniqueBy: string | undefined): boolean {
  const failures: readonly WriteError[] = [error.writeErrors].flat()
  const keys = [' index: _id_ ', ...(uniqueBy === undefined ? [] : [` dup key: { ${uniqueBy}: `])]
  const isKnown = ({ code, errmsg = '' }: WriteError) =>
    code === 11000 && keys.some((key) => errmsg.includes(key))
  const hasConcernError = error.result.getWriteConcernError() !== undefined
  return failures.length > 0 && failures.every(isKnown) && !hasConcernError
}
