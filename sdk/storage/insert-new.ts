// Inserts of rows that may be there already: doing it again changes nothing.
import {
  type Collection,
  type Document,
  type Filter,
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
    if (!(error instanceof MongoBulkWriteError)) throw error
    const refused = duplicates(rows, error)
    if (refused === undefined || !(await areThere(collection, refused, uniqueBy))) throw error
    return error.insertedCount
  }
}

const DUPLICATE_KEY = 11000

/** The rows that were refused as duplicates; undefined when anything else failed. */
function duplicates<T>(rows: readonly T[], error: MongoBulkWriteError): readonly T[] | undefined {
  const failures: readonly WriteError[] = [error.writeErrors].flat()
  const isOther = failures.some(({ code }) => code !== DUPLICATE_KEY)
  const hasConcernError = error.result.getWriteConcernError() !== undefined
  if (isOther || hasConcernError || failures.length === 0) return undefined
  return failures.flatMap(({ index }) => rows[index] ?? [])
}

/**
 * Whether rows are there, by `_id` or by the field `uniqueBy`. They are read, because the driver leaves out which index
 * refused them, and the text of the error differs between servers.
 */
async function areThere<T extends Document>(
  collection: Collection<T>,
  rows: readonly Document[],
  uniqueBy: string | undefined
): Promise<boolean> {
  let missing = rows
  for (const field of uniqueBy === undefined ? ['_id'] : ['_id', uniqueBy]) {
    const values = missing.map((row) => row[field])
    const filter = { [field]: { $in: values } } as Filter<T>
    const found = await collection
      .find(filter, { readPreference: 'primary' })
      .project<Document>({ _id: 0, [field]: 1 })
      .toArray()
    const there = new Set(found.map((row) => JSON.stringify(row[field])))
    missing = missing.filter((row) => !there.has(JSON.stringify(row[field])))
    if (missing.length === 0) return true
  }
  return false
}
