// A query filter: parsed once, then asked for documents.

import type { Collation } from '../bson/collation.ts'
import type { Doc } from '../bson/value.ts'
import type { Scope } from '../expressions/expression.ts'
import { bindVariables, expressionContext } from '../expressions/expression-context.ts'
import type { FilterNode } from './filter-node.ts'
import { type BytesTest, compileBytesTest } from './match-bytes.ts'
import { compileDocTest, type DocTest, type MatchDetails } from './match-doc.ts'
import { parseFilterDoc } from './parse-filter.ts'

export type { FilterNode } from './filter-node.ts'

export interface FilterOptions {
  readonly collation?: Collation | undefined
  /** Variables for `$expr`: the command's `let`. */
  readonly let?: Doc | undefined
  /** `$$NOW` of `$expr`; default the present. */
  readonly now?: Date | undefined
  /** Names of further variables, whose values are given with each document. */
  readonly variables?: Iterable<string> | undefined
}

export interface Filter {
  /** For the planner. */
  readonly node: FilterNode
  readonly collation: Collation | undefined
  /** Whether the document with these bytes is taken. */
  matches(bytes: Uint8Array, scope?: Scope): boolean
  matchesDoc(doc: Doc, scope?: Scope): boolean
  /** The index of the array element by which the document was taken, for the positional `$`. */
  arrayPosition(doc: Doc): number | undefined
}

/** Fails with BadValue (2) and its neighbours for anything that is not understood. */
export function parseFilter(filter: Doc, options: FilterOptions = {}): Filter {
  const { collation, now = new Date() } = options
  const scope = bindVariables(options.let, now)
  const expressions = expressionContext({ scope, collation, variables: options.variables })
  const node = parseFilterDoc(filter, { expressions, depth: 0, isTop: true })
  const context = { collation, now, scope }
  // Made when they are asked for: an index often settles the filter, and most statements ask one way.
  let bytesTest: BytesTest | undefined
  let docTest: DocTest | undefined
  const testDoc: DocTest = (doc, details, inner) => {
    docTest ??= compileDocTest(node, context)
    return docTest(doc, details, inner)
  }
  return {
    node,
    collation,
    matches: (bytes, inner) => {
      bytesTest ??= compileBytesTest(node, context)
      return bytesTest(bytes, inner)
    },
    matchesDoc: (doc, inner) => testDoc(doc, undefined, inner),
    arrayPosition: (doc) => {
      const details: MatchDetails = { position: undefined }
      testDoc(doc, details)
      return details.position
    }
  }
}
