// The projection of find and findAndModify.

import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import type { Doc } from '../bson/value.ts'
import { bindVariables, expressionContext } from '../expressions/expression-context.ts'
import type { Filter } from './filter.ts'
import { findOperators } from './find-operators.ts'
import { readProjection } from './parse-projection.ts'
import { compileCopy } from './project-bytes.ts'
import {
  computeFields,
  expressionsOf,
  hasComputed,
  keepFields,
  pathsOf,
  type RuleTree
} from './projection-tree.ts'

export interface Projection {
  readonly kind: 'all' | 'inclusion' | 'exclusion'
  /** The dotted paths that the result is made of; `all` when it cannot be said. */
  readonly fields: ReadonlySet<string> | 'all'
  /** Whether `apply` needs the filter to have matched the very document (positional `$`). */
  readonly isPositional: boolean
  apply(doc: Doc): Doc
  /** The same on encoded documents; copies bytes where it can. */
  applyBytes(bytes: Uint8Array): Uint8Array
}

/** The fields that the result can be made from without the rest of the document; undefined when it cannot. */
export function wantedFields({
  kind,
  fields,
  isPositional
}: Projection): ReadonlySet<string> | undefined {
  return kind === 'inclusion' && fields !== 'all' && !isPositional ? fields : undefined
}

export interface ProjectionOptions {
  /** The query's filter, for the positional `a.$`. */
  readonly filter?: Filter | undefined
  readonly let?: Doc | undefined
  readonly now?: Date | undefined
}

const EVERYTHING: Projection = {
  kind: 'all',
  fields: 'all',
  isPositional: false,
  apply: (doc) => doc,
  applyBytes: (bytes) => bytes
}

/** Fails with MongoDB's codes (31253, 31254, 31250 …) for a projection that contradicts itself. */
export function parseProjection(spec: Doc, options: ProjectionOptions = {}): Projection {
  if (spec.size === 0) return EVERYTHING
  const { filter, now = new Date() } = options
  const scope = bindVariables(options.let, now)
  const context = expressionContext({ scope, collation: filter?.collation })
  const { tree, mode, specials } = readProjection(spec, context, true)
  const operators = findOperators(specials, tree, mode, { filter, now })
  const isComputed = hasComputed(tree)
  const apply = (doc: Doc): Doc => {
    const kept = keepFields(doc, tree, mode)
    if (isComputed) computeFields(kept, tree, { root: doc, scope, now })
    return operators.apply(kept, doc)
  }
  const isPlain =
    operators.isNone &&
    [...tree.values()].every(({ kind }) => kind === 'include' || kind === 'exclude')
  return {
    kind: mode,
    fields: mode === 'exclusion' ? 'all' : fieldsOf(tree, operators.paths),
    isPositional: operators.isPositional,
    apply,
    applyBytes: isPlain ? compileCopy(tree, mode) : (bytes) => encodeDoc(apply(decodeDoc(bytes)))
  }
}

function fieldsOf(tree: RuleTree, more: readonly string[]): ReadonlySet<string> | 'all' {
  const fields = new Set([...pathsOf(tree, 'include'), ...more])
  for (const expression of expressionsOf(tree)) {
    if (expression.fields === 'all') return 'all'
    for (const field of expression.fields) fields.add(field)
  }
  return fields
}
