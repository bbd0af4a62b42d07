// Reads the slots of a template, and refuses what they must not do.
import { createRequire } from 'node:module'
import { atFirstUse } from '@keelson/sdk'
import type handlebars from 'handlebars'
import { slotSpans } from './slot-spans.ts'

/** What a template may call. */
export interface KnownFunctions {
  /** In `{{…}}` and `(…)`. */
  readonly values: ReadonlySet<string>
  /** In `{{#…}}`. */
  readonly blocks: ReadonlySet<string>
}

/** The parser copies its whole stack at each of them: some thousand would hold up the host for a minute. */
const MOST_NESTED_CALLS = 100

const LOOP_DATA = new Set(['root', 'index', 'key', 'first', 'last'])
const PROTOTYPE = new Set(['__proto__', 'constructor', 'prototype'])

const require = createRequire(import.meta.url)
// The parser alone: the rest of Handlebars would make code of it, and takes three times the memory.
const parser = atFirstUse(
  (): Pick<typeof handlebars, 'parse' | 'Exception'> => ({
    parse: require('handlebars/dist/cjs/handlebars/compiler/base').parse,
    Exception: require('handlebars/dist/cjs/handlebars/exception')
  })
)

type Node = hbs.AST.Node
type Expression = hbs.AST.Expression

/** @throws Handlebars.Exception, with line and column, when the template is malformed or refused. */
export function parseSlots(source: string, known: KnownFunctions): hbs.AST.Program {
  const program = parseProgram(source)
  checkProgram(program, known)
  return program
}

/** Parses without a look at what the slots name. @throws Handlebars.Exception */
export function parseProgram(source: string): hbs.AST.Program {
  for (const { start, end } of slotSpans(source)) {
    if (nestedCalls(source.slice(start, end)) > MOST_NESTED_CALLS) {
      const { Exception } = parser()
      throw new Exception(`A slot has more than ${MOST_NESTED_CALLS} nested calls`)
    }
  }
  return parser().parse(source)
}

/** Parentheses within texts count too: no slot has many of them. */
function nestedCalls(slot: string): number {
  let depth = 0
  let deepest = 0
  for (const [sign] of slot.matchAll(/[()]/g)) {
    depth += sign === '(' ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

/** A call, as slots, blocks and sub-expressions share it. */
interface Call {
  readonly path: Expression
  readonly params: Expression[]
  readonly hash?: hbs.AST.Hash
}

function checkProgram({ body }: hbs.AST.Program, known: KnownFunctions): void {
  for (const statement of body) checkStatement(statement, known)
}

function checkStatement(node: hbs.AST.Statement, known: KnownFunctions): void {
  switch (node.type) {
    case 'ContentStatement':
    case 'CommentStatement':
      return
    case 'MustacheStatement':
      checkExpression(printedValue(node as hbs.AST.MustacheStatement, known), known)
      return
    case 'BlockStatement':
      checkBlock(node as hbs.AST.BlockStatement, known)
      return
    default:
      throw refused('Partials and decorators are not supported', node)
  }
}

/** What `{{…}}` prints: a call when it has arguments or names a function, else a path. */
export function printedValue(node: hbs.AST.MustacheStatement, known: KnownFunctions): Expression {
  const { path, params, hash, loc } = node
  const isCall = params.length > 0 || hash !== undefined || isValueFunction(path, known)
  return isCall
    ? ({ type: 'SubExpression', path, params, hash, loc } as hbs.AST.SubExpression)
    : path
}

function checkBlock(node: hbs.AST.BlockStatement, known: KnownFunctions): void {
  const name = simpleName(node.path)
  if (name !== undefined && known.blocks.has(name)) {
    if (node.params.length !== 1 || node.hash !== undefined) {
      throw refused(`{{#${name}}} must have one argument`, node)
    }
    checkArguments(node, known)
  } else if (node.params.length > 0 || isValueFunction(node.path, known)) {
    const remedy = `Use ${[...known.blocks].join(', ')}, or {{#if (${name} …)}}`
    throw refused(`{{#${node.path.original}}} is not a block. ${remedy}`, node)
  } else checkPath(node.path, node)
  for (const part of [node.program, node.inverse]) {
    if (part !== undefined && part !== null) checkProgram(part, known)
  }
}

function checkArguments({ params, hash }: Call, known: KnownFunctions): void {
  for (const param of params) checkExpression(param, known)
  for (const { value } of hash?.pairs ?? []) checkExpression(value, known)
}

function checkExpression(node: Expression, known: KnownFunctions): void {
  if (node.type === 'PathExpression') checkPath(node as hbs.AST.PathExpression, node)
  if (node.type !== 'SubExpression') return
  const call = node as hbs.AST.SubExpression
  if (!isValueFunction(call.path, known)) {
    throw refused(`Unknown helper ${(call.path as hbs.AST.PathExpression).original}`, node)
  }
  checkArguments(call, known)
}

function checkPath({ parts, data, original }: hbs.AST.PathExpression, node: Node): void {
  const isRefused =
    parts.some((part) => PROTOTYPE.has(String(part))) || (data && !LOOP_DATA.has(String(parts[0])))
  if (isRefused) throw refused(`{{${original}}} cannot be read`, node)
}

const isValueFunction = (path: Expression, known: KnownFunctions): boolean =>
  known.values.has(simpleName(path) ?? '')

/** The name of a path that is one name: a function if there is one, else a value. */
export function simpleName(path: Expression): string | undefined {
  const { type, original, parts } = path as hbs.AST.PathExpression
  return type === 'PathExpression' && parts.length === 1 && original === parts[0]
    ? original
    : undefined
}

function refused(message: string, node: Node): Error {
  const { Exception } = parser()
  return new Exception(message, node)
}
