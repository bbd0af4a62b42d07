// Tells errors that are about what was written from those that are about the database's state.
import { BSON } from 'mongodb'

/** Server codes that say: this document or value can never be stored. */
const CONTENT_CODES: ReadonlySet<unknown> = new Set([
  2, // BadValue
  9, // FailedToParse
  14, // TypeMismatch
  22, // InvalidBSON
  52, // DollarPrefixedFieldName
  55, // InvalidDBRef
  57, // DottedFieldName
  121, // DocumentValidationFailure
  171, // CannotIndexParallelArrays
  10334, // BSONObjectTooLarge
  17280, // KeyTooLong
  17419, // resulting document too large
  17420
])

/** Whether trying again cannot help because of what is in the records. */
export function isFaultyContent(error: unknown): boolean {
  if (error instanceof BSON.BSONError) return true
  const { code, name } = error as { code?: unknown; name?: unknown }
  return CONTENT_CODES.has(code) || name === 'MongoInvalidArgumentError' || name === 'BSONError'
}
