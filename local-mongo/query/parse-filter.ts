// Reads a filter document into its syntax tree.

import { type Doc, isDoc, TYPE, typeCode, type Value } from '../bson/value.ts'
import { type CommandError, commandError } from '../errors.ts'
import { parseWhole } from '../expressions/long-expression.ts'
import type { ExpressionContext } from '../expressions/parse-expression.ts'
import type { FilterNode } from './filter-node.ts'
import { parseJsonSchema } from './json-schema.ts'
import {
  badValue,
  isOperatorDoc,
  isReferenceField,
  parseCompare,
  parseOperator,
  regexOf
} from './parse-operator.ts'

const MAX_DEPTH = 150
const GEO = new Set(['$near', '$nearSphere', '$geoNear'])
const GEO_WITHIN = new Set([
  '$geoWithin',
  '$geoIntersects',
  '$within',
  '$maxDistance',
  '$minDistance'
])

/** What expressions within the filter may refer to, and how deep the reading is. */
export interface ParseContext {
  readonly expressions: ExpressionContext
  readonly depth: number
  /** False within `$elemMatch` and the like, where some operators have no meaning. */
  readonly isTop: boolean
}

/** A step deeper; fails when the filter is nested too deep. */
export function deeper(context: ParseContext, isTop = context.isTop): ParseContext {
  if (context.depth >= MAX_DEPTH) {
    throw badValue(`exceeded maximum query tree depth of ${MAX_DEPTH}`)
  }
  return { ...context, depth: context.depth + 1, isTop }
}

/** All conditions of a filter document. */
export function parseFilterDoc(filter: Doc, context: ParseContext): FilterNode {
  const children: FilterNode[] = []
  for (const [name, value] of filter) {
    const isField = !name.startsWith('$') || (!context.isTop && isReferenceField(name))
    const node = !isField
      ? parseTopOperator(name, value, context)
      : parseField(name, value, context)
    if (node !== undefined) children.push(node)
  }
  return conjunction(children)
}

/** One condition as itself, several as an `and`. */
export function conjunction(children: readonly FilterNode[]): FilterNode {
  const [only] = children
  return only !== undefined && children.length === 1 ? only : { kind: 'and', children }
}

function parseTopOperator(
  name: string,
  value: Value,
  context: ParseContext
): FilterNode | undefined {
  switch (name) {
    case '$and':
      return { kind: 'and', children: parseBranches(name, value, context) }
    case '$or':
      return { kind: 'or', children: parseBranches(name, value, context) }
    case '$nor':
      return { kind: 'not', child: { kind: 'or', children: parseBranches(name, value, context) } }
    case '$comment':
      return undefined
    case '$alwaysTrue':
      return { kind: 'always', value: true }
    case '$alwaysFalse':
      return { kind: 'always', value: false }
    case '$expr':
      return parseExpr(value, context)
    case '$jsonSchema':
      return parseSchema(value)
    default:
      throw refusedOperator(name)
  }
}

function refusedOperator(name: string): CommandError {
  switch (name) {
    case '$where':
      return badValue('$where is not supported: this engine never runs code that clients send')
    case '$text':
      return commandError('IndexNotFound', 'text index required for $text query')
    default:
      return badValue(
        `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`
      )
  }
}

function parseBranches(name: string, value: Value, context: ParseContext): FilterNode[] {
  if (!Array.isArray(value)) throw badValue(`${name} must be an array`)
  if (value.length === 0) throw badValue('$and/$or/$nor must be a nonempty array')
  const inner = deeper(context)
  return value.map((branch) => {
    if (!isDoc(branch)) throw badValue('$or/$and/$nor entries need to be full objects')
    return parseFilterDoc(branch, inner)
  })
}

function parseExpr(value: Value, context: ParseContext): FilterNode {
  if (!context.isTop) throw badValue('$expr can only be applied to the top-level document')
  const expression = parseWhole(value, context.expressions)
  return { kind: 'expr', expression, source: value }
}

function parseSchema(value: Value): FilterNode {
  if (!isDoc(value)) throw commandError('TypeMismatch', '$jsonSchema must be an object')
  return { kind: 'schema', path: '', schema: parseJsonSchema(value) }
}

/** The conditions on one field: a value to equal, a regular expression, or operators. */
function parseField(path: string, value: Value, context: ParseContext): FilterNode {
  if (isOperatorDoc(value)) return parseOperators(path, value, context)
  if (typeCode(value) === TYPE.regex) return { kind: 'regex', path, regex: regexOf(value) }
  if (value === undefined) throw badValue('cannot compare to undefined')
  return { kind: 'compare', path, operator: 'eq', value }
}

/** All operators of `{ field: { $gt: …, $lt: … } }`. */
export function parseOperators(path: string, operators: Doc, context: ParseContext): FilterNode {
  const children: FilterNode[] = []
  for (const [name, value] of operators) {
    if (name === '$options') continue
    children.push(
      parseOperator(path, name, value, operators) ?? parseNested(path, name, value, context)
    )
  }
  if (operators.has('$options') && !operators.has('$regex'))
    throw badValue('$options needs a $regex')
  return conjunction(children)
}

function parseNested(path: string, name: string, value: Value, context: ParseContext): FilterNode {
  switch (name) {
    case '$not':
      return { kind: 'not', child: parseNot(path, value, context) }
    case '$all':
      return parseAll(path, value, context)
    case '$elemMatch':
      return parseElemMatch(path, value, context)
    default:
      throw refusedFieldOperator(path, name)
  }
}

function refusedFieldOperator(path: string, name: string): CommandError {
  if (GEO.has(name)) {
    return commandError(
      'NoQueryExecutionPlans',
      `error processing query: unable to find index for $geoNear query on ${path}: geospatial indexes are not supported by this engine`
    )
  }
  if (GEO_WITHIN.has(name)) return badValue(`${name} is not supported by this engine`)
  return badValue(`unknown operator: ${name}`)
}

function parseNot(path: string, value: Value, context: ParseContext): FilterNode {
  if (typeCode(value) === TYPE.regex) return { kind: 'regex', path, regex: regexOf(value) }
  if (!isDoc(value)) throw badValue('$not needs a regex or a document')
  if (value.size === 0) throw badValue('$not cannot be empty')
  return parseOperators(path, value, deeper(context))
}

function parseAll(path: string, value: Value, context: ParseContext): FilterNode {
  if (!Array.isArray(value)) throw badValue('$all needs an array')
  if (value.length === 0) return { kind: 'always', value: false }
  const isElemMatch = value.map(
    (element) => isDoc(element) && [...element.keys()][0] === '$elemMatch'
  )
  if (isElemMatch.includes(true) && isElemMatch.includes(false)) {
    throw badValue('$all/$elemMatch has to be consistent')
  }
  return conjunction(value.map((element) => parseAllElement(path, element, context)))
}

function parseAllElement(path: string, element: Value, context: ParseContext): FilterNode {
  if (isOperatorDoc(element)) {
    if (!element.has('$elemMatch')) throw badValue('no $ expressions in $all')
    return parseElemMatch(path, element.get('$elemMatch'), context)
  }
  if (typeCode(element) === TYPE.regex) return { kind: 'regex', path, regex: regexOf(element) }
  return parseCompare(path, 'eq', element)
}

const LOGICAL = new Set(['$and', '$or', '$nor', '$where', '$expr', '$jsonSchema'])

function parseElemMatch(path: string, value: Value, context: ParseContext): FilterNode {
  if (!isDoc(value)) throw badValue('$elemMatch needs an Object')
  const [first] = value.keys()
  const inner = deeper(context, false)
  if (isOperatorDoc(value) && !LOGICAL.has(first ?? '')) {
    const node = parseOperators('', value, inner)
    return { kind: 'elemMatchValue', path, children: node.kind === 'and' ? node.children : [node] }
  }
  return { kind: 'elemMatchObject', path, child: parseFilterDoc(value, inner) }
}
