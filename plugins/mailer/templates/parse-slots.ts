// Reads the slots of a template and refuses what they must not do. Every value goes through one function.
import Handlebars from 'handlebars'

/** How the values of a template are written. */
export type SlotFormat = 'html' | 'text'

/** Functions that print a value: the only ones that reach the output. */
export const PRINT = { html: 'mailerHtml', text: 'mailerText' } as const

/** What a template may call. */
export interface KnownFunctions {
  /** In `{{…}}` and `(…)`. */
  readonly values: ReadonlySet<string>
  /** In `{{#…}}`. */
  readonly blocks: ReadonlySet<string>
}

const LOOP_DATA = new Set(['root', 'index', 'key', 'first', 'last'])
const PROTOTYPE = new Set(['__proto__', 'constructor', 'prototype'])

type Node = hbs.AST.Node
type Expression = hbs.AST.Expression

/** @throws Handlebars.Exception, with line and column, when the template is malformed or refused. */
export function parseSlots(
  source: string,
  format: SlotFormat,
  known: KnownFunctions
): hbs.AST.Program {
  const program = Handlebars.parse(source)
  checkProgram(program, { format, known })
  return program
}

interface Rules {
  readonly format: SlotFormat
  readonly known: KnownFunctions
}

/** A call, as slots, blocks and sub-expressions share it. */
interface Call {
  readonly path: Expression
  readonly params: Expression[]
  readonly hash?: hbs.AST.Hash
}

function checkProgram(program: hbs.AST.Program, rules: Rules): void {
  program.body = program.body.map((statement) => checkStatement(statement, rules))
}

function checkStatement(node: hbs.AST.Statement, rules: Rules): hbs.AST.Statement {
  switch (node.type) {
    case 'ContentStatement':
    case 'CommentStatement':
      return node
    case 'MustacheStatement':
      return printed(node as hbs.AST.MustacheStatement, rules)
    case 'BlockStatement':
      return checkBlock(node as hbs.AST.BlockStatement, rules)
    default:
      throw refused('Partials and decorators are not supported', node)
  }
}

/** `{{x}}` becomes `{{{mailerHtml x}}}`. */
function printed(node: hbs.AST.MustacheStatement, rules: Rules): hbs.AST.Statement {
  const { params, hash, loc } = node
  const path = node.path as hbs.AST.PathExpression
  const isCall = params.length > 0 || hash !== undefined || isValueFunction(path, rules)
  const value = isCall
    ? ({ type: 'SubExpression', path, params, hash, loc } as hbs.AST.SubExpression)
    : path
  checkExpression(value, rules)
  const name = rules.format === 'html' && node.escaped ? PRINT.html : PRINT.text
  return {
    ...node,
    escaped: false,
    path: { type: 'PathExpression', data: false, depth: 0, parts: [name], original: name, loc },
    params: [value],
    hash: undefined
  } as unknown as hbs.AST.MustacheStatement
}

function checkBlock(node: hbs.AST.BlockStatement, rules: Rules): hbs.AST.Statement {
  const name = simpleName(node.path)
  if (name !== undefined && rules.known.blocks.has(name)) {
    if (node.params.length !== 1) throw refused(`{{#${name}}} must have one argument`, node)
    checkArguments(node, rules)
  } else if (node.params.length > 0 || isValueFunction(node.path, rules)) {
    const remedy = `Use ${[...rules.known.blocks].join(', ')}, or {{#if (${name} …)}}`
    throw refused(`{{#${node.path.original}}} is not a block. ${remedy}`, node)
  } else checkPath(node.path, node)
  for (const part of [node.program, node.inverse]) {
    if (part !== undefined && part !== null) checkProgram(part, rules)
  }
  return node
}

function checkArguments({ params, hash }: Call, rules: Rules): void {
  for (const param of params) checkExpression(param, rules)
  for (const { value } of hash?.pairs ?? []) checkExpression(value, rules)
}

function checkExpression(node: Expression, rules: Rules): void {
  if (node.type === 'PathExpression') checkPath(node as hbs.AST.PathExpression, node)
  if (node.type !== 'SubExpression') return
  const call = node as hbs.AST.SubExpression
  if (!isValueFunction(call.path, rules)) {
    throw refused(`Unknown helper ${(call.path as hbs.AST.PathExpression).original}`, node)
  }
  checkArguments(call, rules)
}

function checkPath({ parts, data, original }: hbs.AST.PathExpression, node: Node): void {
  const isRefused =
    parts.some((part) => PROTOTYPE.has(String(part))) || (data && !LOOP_DATA.has(String(parts[0])))
  if (isRefused) throw refused(`{{${original}}} cannot be read`, node)
}

const isValueFunction = (path: Expression, { known }: Rules): boolean =>
  known.values.has(simpleName(path) ?? '')

/** The name of a path that is one name: a function if there is one, else a value. */
function simpleName(path: Expression): string | undefined {
  const { type, original, parts } = path as hbs.AST.PathExpression
  return type === 'PathExpression' && parts.length === 1 && original === parts[0]
    ? original
    : undefined
}

const refused = (message: string, node: Node) => new Handlebars.Exception(message, node)
