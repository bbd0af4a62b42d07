// Reads a filter document into its syntax tree.
import { type ExpressionContext, parseExpression } from '../aggregate/parse-expression.ts'
import { type Doc, isDoc, TYPE, typeCode, type Value } from '../bson/value.ts'
import { type CommandError, commandError } from '../errors.ts'
import type { FilterNode } from './filter-node.ts'
import { parseJsonSchema } from './json-schema.ts'
import { parseOperator, regexOf } from './parse-operator.ts'

const MAX_DEPTH = 150

/** What expressions within the filter may refer to, and how deep the reading is. */
export interface ParseContext {
  readonly expressions: ExpressionContext
  readonly depth: number
  /** False within `$elemMatch` and the like, where some operators have no meaning. */
  readonly isTop: boolean
}

export function badValue(message: string): CommandError {
  return commandError('BadValue', message)
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
    const node = name.startsWith('$')
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
  const expression = parseExpression(value, context.expressions)
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

/** Whether a value holds operators: its first field begins with `$`, and it is no database reference. */
export function isOperatorDoc(value: Value): value is Doc {
  if (!isDoc(value)) return false
  const [first] = value.keys()
  return first?.startsWith('$') === true && first !== '$ref' && first !== '$id' && first !== '$db'
}

/** All operators of `{ field: { $gt: …, $lt: … } }`. */
export function parseOperators(path: string, operators: Doc, context: ParseContext): FilterNode {
  const children: FilterNode[] = []
  for (const [name, value] of operators) {
    if (name === '$options') continue
    children.push(parseOperator(path, name, value, operators, context))
  }
  if (operators.has('$options') && !operators.has('$regex'))
    throw badValue('$options needs a $regex')
  return conjunction(children)
}
