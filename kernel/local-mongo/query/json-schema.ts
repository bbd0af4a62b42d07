// $jsonSchema as a condition.
import type { Doc } from '../bson/value.ts'

/** A parsed schema. */
export interface SchemaNode {
  readonly source: Doc
}
