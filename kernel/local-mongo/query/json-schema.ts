// $jsonSchema as a condition: the keywords that MongoDB knows, or a refusal.

import type { Doc } from '../bson/value.ts'
import { commandError } from '../errors.ts'

/** A parsed schema. */
export interface SchemaNode {
  readonly test: (value: Doc) => boolean
}

export function parseJsonSchema(_schema: Doc): SchemaNode {
  throw commandError('NotImplemented', 'schema')
}

export function matchesSchema(schema: SchemaNode, value: Doc): boolean {
  return schema.test(value)
}
