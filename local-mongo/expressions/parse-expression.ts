// Reads expressions: literals, paths, variables, objects, arrays and operators.
import { Timestamp } from 'bson'
import type { Collation } from '../bson/collation.ts'
import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import {
  type Evaluation,
  type Expression,
  MISSING,
  type ReadFields,
  type Result,
  type Scope,
  unionFields
} from './expression.ts'

/** What expressions may refer to. */
export interface ExpressionContext {
  readonly variables: ReadonlySet<string>
  readonly collation: Collation | undefined
  /** Every operator by its name. */
  readonly operators: ReadonlyMap<string, OperatorParser>
}

/** Reads the operator's arguments, as they stand, into an expression. */
export type OperatorParser = (
  argument: Value,
  context: ExpressionContext,
  name: string
) => Expression

const NO_FIELDS: ReadonlySet<string> = new Set()
const SYSTEM_VARIABLES: ReadonlySet<string> = new Set([
  'ROOT',
  'CURRENT',
  'NOW',
  'REMOVE',
  'CLUSTER_TIME'
])

/** A context with more variables. */
export function withVariables(
  context: ExpressionContext,
  names: Iterable<string>
): ExpressionContext {
  return { ...context, variables: new Set([...context.variables, ...names]) }
}

/** Fails with FailedToParse (9) unless a client may give this name to a variable. */
export function checkVariableName(name: string): void {
  if (!/^(?:[a-z]|[^\p{ASCII}])/u.test(name)) {
    throw commandError(
      'FailedToParse',
      `'${name}' starts with an invalid character for a user variable name`
    )
  }
  if (!/^(?:\w|[^\p{ASCII}])+$/u.test(name)) {
    throw commandError(
      'FailedToParse',
      `'${name}' contains an invalid character for a variable name`
    )
  }
}

/** Fails with InvalidPipelineOperator (168) for an unknown operator, and with MongoDB's codes otherwise. */
export function parseExpression(value: Value, context: ExpressionContext): Expression {
  if (typeof value === 'string')
    return value.startsWith('$') ? parsePath(value, context) : literal(value)
  if (Array.isArray(value)) return parseList(value, context)
  return isDoc(value) ? parseObject(value, context) : literal(value)
}

/** An expression that is always this value. */
export function literal(value: Result): Expression {
  return { evaluate: () => value, fields: NO_FIELDS, constant: { value } }
}

/** An expression of others: evaluated once and for all when nothing in it depends on the document. */
export function combine(
  parts: readonly Expression[],
  evaluate: (env: Evaluation) => Result
): Expression {
  const fields = unionFields(...parts.map((part) => part.fields))
  if (parts.every(({ constant }) => constant)) {
    const constant = tryConstant(evaluate)
    if (constant) return { ...literal(constant.value) }
  }
  return { evaluate, fields }
}

const NO_DOCUMENT: Evaluation = { root: MISSING, scope: undefined, now: new Date(0) }

/** What fails stays an expression: it may stand in a branch that is never taken. */
function tryConstant(
  evaluate: (env: Evaluation) => Result
): { readonly value: Result } | undefined {
  try {
    return { value: evaluate(NO_DOCUMENT) }
  } catch {
    return undefined
  }
}

function parseList(list: readonly Value[], context: ExpressionContext): Expression {
  const items = list.map((item) => parseExpression(item, context))
  return combine(items, (env) => items.map((item) => orNull(item.evaluate(env))))
}

function orNull(value: Result): Value {
  return value === MISSING ? null : value
}

function parseObject(object: Doc, context: ExpressionContext): Expression {
  const [first] = object.keys()
  if (first?.startsWith('$')) return parseOperation(object, first, context)
  const fields: (readonly [string, Expression])[] = []
  for (const [name, value] of object) {
    checkFieldName(name)
    fields.push([name, parseExpression(value, context)])
  }
  return combine(
    fields.map(([, expression]) => expression),
    (env) => {
      const result: Doc = new Map()
      for (const [name, expression] of fields) {
        const value = expression.evaluate(env)
        if (value !== MISSING) result.set(name, value)
      }
      return result
    }
  )
}

/** Fails unless this may be the name of a field that is made. */
export function checkFieldName(name: string): void {
  if (name.startsWith('$')) {
    throw commandError(
      'Location16410',
      `FieldPath field names may not start with '$'. Consider using $getField or $setField.`
    )
  }
  if (name.includes('.')) {
    throw commandError(
      'Location16412',
      `FieldPath field names may not contain '.'. Consider using $getField or $setField.`
    )
  }
}

function parseOperation(object: Doc, name: string, context: ExpressionContext): Expression {
  if (object.size !== 1) {
    throw commandError(
      'Location15983',
      `an object representing an expression must have exactly one field: it begins with ${name}`
    )
  }
  const parser = context.operators.get(name)
  if (parser === undefined) {
    throw commandError('InvalidPipelineOperator', `Unrecognized expression '${name}'`)
  }
  return parser(object.get(name), context, name)
}

/** A path such as `$a.b` or a variable such as `$$ROOT.a`. */
function parsePath(text: string, context: ExpressionContext): Expression {
  const isVariable = text.startsWith('$$')
  const pieces = text.slice(isVariable ? 2 : 1).split('.')
  checkPieces(pieces, text)
  if (!isVariable) return fieldPath(pieces)
  const [name = '', ...path] = pieces
  if (name === 'ROOT' || name === 'CURRENT')
    return path.length > 0 ? fieldPath(path) : wholeDocument()
  if (!SYSTEM_VARIABLES.has(name) && !context.variables.has(name)) {
    throw commandError('Location17276', `Use of undefined variable: ${name}`)
  }
  return variablePath(name, path)
}

function checkPieces(pieces: readonly string[], text: string): void {
  for (const piece of pieces) {
    if (piece === '')
      throw commandError(
        'Location15998',
        `FieldPath field names may not be empty strings: '${text}'`
      )
    if (piece.startsWith('$')) {
      throw commandError(
        'Location16410',
        `FieldPath field names may not start with '$'. Consider using $getField or $setField.`
      )
    }
    if (piece.includes('\0'))
      throw commandError('Location16411', 'FieldPath field names may not contain null bytes')
  }
}

function wholeDocument(): Expression {
  return { evaluate: (env) => env.root, fields: 'all' }
}

function fieldPath(pieces: readonly string[]): Expression {
  const fields: ReadFields = new Set(pieces.slice(0, 1))
  const [only = ''] = pieces
  if (pieces.length === 1) return { evaluate: ({ root }) => fieldOf(root, only), fields }
  return { evaluate: ({ root }) => valueAt(root, pieces, 0), fields }
}

/** A field of a document; missing in anything else. */
export function fieldOf(value: Result, name: string): Result {
  if (!(value instanceof Map)) return MISSING
  const found: Value = value.get(name)
  return found === undefined && !value.has(name) ? MISSING : found
}

/** What a path reaches; through arrays, the list of what it reaches in their documents. */
export function valueAt(value: Result, pieces: readonly string[], from: number): Result {
  let current = value
  for (let i = from; i < pieces.length; i++) {
    if (Array.isArray(current)) return valuesAt(current, pieces, i)
    current = fieldOf(current, pieces[i] as string)
    if (current === MISSING) return MISSING
  }
  return current
}

function valuesAt(list: readonly Value[], pieces: readonly string[], from: number): Value[] {
  const result: Value[] = []
  for (const item of list) {
    if (!isDoc(item)) continue
    const value = valueAt(item, pieces, from)
    if (value !== MISSING) result.push(value)
  }
  return result
}

function variablePath(name: string, path: readonly string[]): Expression {
  const evaluate = variableReader(name)
  if (path.length === 0) return { evaluate, fields: NO_FIELDS }
  return { evaluate: (env) => valueAt(evaluate(env), path, 0), fields: NO_FIELDS }
}

function variableReader(name: string): (env: Evaluation) => Result {
  if (name === 'NOW') return ({ now }) => now
  if (name === 'REMOVE') return () => MISSING
  if (name === 'CLUSTER_TIME') return ({ now }) => clusterTime(now)
  return ({ scope }) => lookUp(scope, name)
}

function lookUp(scope: Scope | undefined, name: string): Result {
  for (let place = scope; place !== undefined; place = place.outer) {
    if (place.name === name) return place.value
  }
  return MISSING
}

function clusterTime(now: Date): Timestamp {
  return new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 })
}
