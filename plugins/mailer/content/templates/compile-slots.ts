// Turns checked slots into functions: no code is generated, only own properties are read, all output is counted.
import type { TemplateHelper } from '../../ledger/host-code.ts'
import { type KnownFunctions, printedValue, simpleName } from './parse-slots.ts'
import { isEmpty, isTrue } from './value-functions.ts'

/** Where a slot is filled: its context, and the frames around it. */
export interface Frame<S> {
  readonly context: unknown
  readonly root: unknown
  /** The frame of `../`. */
  readonly outer?: Frame<S>
  /** `@index` and others, of the loop around it. */
  readonly loop?: Loop
  /** Of `as |name|`, the nearest first. */
  readonly names?: Names
  readonly state: S
}

interface Loop {
  readonly values: Readonly<Record<string, unknown>>
  readonly outer: Loop | undefined
}

interface Names {
  readonly values: ReadonlyMap<string, unknown>
  readonly outer: Names | undefined
}

/** What compiled slots call. */
export interface SlotWriter<S> {
  readonly known: KnownFunctions
  readonly values: Readonly<Record<string, TemplateHelper>>
  /** Blocks that are not of Handlebars: they get their first argument and what is within. */
  readonly blocks: Readonly<Record<string, (argument: unknown, inner: string, state: S) => string>>
  /** A value as text; `isEscaped`: of `{{…}}`, not of `{{{…}}}`. */
  print(value: unknown, isEscaped: boolean, state: S): string
  /** Counts what is written. @throws when it is too much. */
  spend(text: string, state: S): string
  /** Counts a turn of a loop. @throws when they are too many. */
  turn(state: S): void
}

type Fill<S> = (frame: Frame<S>) => string
type Evaluate<S> = (frame: Frame<S>) => unknown
type Expression = hbs.AST.Expression

/** Compiles a checked program. */
export function compileProgram<S>(program: hbs.AST.Program, writer: SlotWriter<S>): Fill<S> {
  const parts = program.body.flatMap((node) => compileStatement(node, writer) ?? [])
  return (frame) => {
    let text = ''
    for (const part of parts) text += part(frame)
    return text
  }
}

function compileStatement<S>(node: hbs.AST.Statement, writer: SlotWriter<S>): Fill<S> | undefined {
  if (node.type === 'ContentStatement') {
    const text = (node as hbs.AST.ContentStatement).value
    return ({ state }) => writer.spend(text, state)
  }
  if (node.type === 'MustacheStatement') {
    const slot = node as hbs.AST.MustacheStatement
    const value = compileExpression(printedValue(slot, writer.known), writer)
    const isEscaped = slot.escaped
    return (frame) => writer.spend(writer.print(value(frame), isEscaped, frame.state), frame.state)
  }
  return node.type === 'BlockStatement'
    ? compileBlock(node as hbs.AST.BlockStatement, writer)
    : undefined
}

/** A block, taken apart. */
interface Parts<S> {
  readonly argument: Evaluate<S>
  readonly inner: Fill<S>
  readonly otherwise: Fill<S>
  /** Of `as |value key|`. */
  readonly names: readonly string[]
  readonly writer: SlotWriter<S>
}

function compileBlock<S>(node: hbs.AST.BlockStatement, writer: SlotWriter<S>): Fill<S> {
  const name = node.params.length > 0 ? simpleName(node.path) : undefined
  const nothing: Fill<S> = () => ''
  const compiled = (part: hbs.AST.Program | null | undefined) =>
    part ? compileProgram(part, writer) : nothing
  const parts: Parts<S> = {
    argument: compileExpression(node.params[0] ?? node.path, writer),
    inner: compiled(node.program),
    otherwise: compiled(node.inverse),
    names: (node.program ?? node.inverse)?.blockParams ?? [],
    writer
  }
  const { argument, inner, otherwise } = parts
  if (name === undefined) return (frame) => fillSection(parts, argument(frame), frame)
  if (name === 'if') return (frame) => (isTrue(argument(frame)) ? inner : otherwise)(frame)
  if (name === 'unless') return (frame) => (isTrue(argument(frame)) ? otherwise : inner)(frame)
  if (name === 'each') return (frame) => fillEach(parts, argument(frame), frame)
  if (name === 'with') return (frame) => fillWith(parts, argument(frame), frame)
  const own = writer.blocks[name]
  return (frame) => own?.(argument(frame), inner(frame), frame.state) ?? ''
}

/** `{{#list}}…{{/list}}`: each of a list, else with it. */
function fillSection<S>(parts: Parts<S>, value: unknown, frame: Frame<S>): string {
  if (value === true) return parts.inner(frame)
  if (Array.isArray(value)) return fillEach(parts, value, frame)
  return value === false ? parts.otherwise(frame) : fillWith(parts, value, frame, value === 0)
}

function fillWith<S>(parts: Parts<S>, value: unknown, frame: Frame<S>, isKept = false): string {
  if (!isKept && isEmpty(value)) return parts.otherwise(frame)
  return parts.inner(within(frame, value, { names: namesOf(parts, [value], frame) }))
}

function fillEach<S>(parts: Parts<S>, list: unknown, frame: Frame<S>): string {
  const isList = typeof list === 'object' && list !== null
  const keys = isList ? Object.keys(list) : []
  if (!isList || keys.length === 0) return parts.otherwise(frame)
  const values = list as Readonly<Record<string, unknown>>
  let text = ''
  for (const [index, name] of keys.entries()) {
    parts.writer.turn(frame.state)
    const key = Array.isArray(list) ? index : name
    const turn = { index, key, first: index === 0, last: index === keys.length - 1 }
    const value = values[name]
    const loop = { values: turn, outer: frame.loop }
    text += parts.inner(within(frame, value, { loop, names: namesOf(parts, [value, key], frame) }))
  }
  return text
}

function namesOf<S>({ names }: Parts<S>, values: readonly unknown[], frame: Frame<S>) {
  if (names.length === 0) return frame.names
  return { values: new Map(names.map((name, at) => [name, values[at]])), outer: frame.names }
}

function within<S>(
  outer: Frame<S>,
  context: unknown,
  {
    loop = outer.loop,
    names
  }: { readonly loop?: Loop | undefined; readonly names: Names | undefined }
): Frame<S> {
  const { root, state } = outer
  // As in Handlebars: `../` leaves a context, not a block.
  const left = context === outer.context ? outer.outer : outer
  return {
    context,
    root,
    state,
    ...(left && { outer: left }),
    ...(loop && { loop }),
    ...(names && { names })
  }
}

function compileExpression<S>(node: Expression, writer: SlotWriter<S>): Evaluate<S> {
  if (node.type === 'PathExpression') return compilePath(node as hbs.AST.PathExpression)
  if (node.type === 'SubExpression') return compileCall(node as hbs.AST.SubExpression, writer)
  const { value } = node as hbs.AST.StringLiteral
  return node.type === 'NullLiteral' ? () => null : () => value
}

const NO_HASH = {}

function compileCall<S>(node: hbs.AST.SubExpression, writer: SlotWriter<S>): Evaluate<S> {
  const call = writer.values[simpleName(node.path) ?? '']
  const params = node.params.map((param) => compileExpression(param, writer))
  const pairs = (node.hash?.pairs ?? []).map(
    ({ key, value }) => [key, compileExpression(value, writer)] as const
  )
  return (frame) => {
    const hash =
      pairs.length === 0 ? NO_HASH : Object.fromEntries(pairs.map(([key, of]) => [key, of(frame)]))
    const options = { hash, data: { root: frame.root, state: frame.state } }
    return call?.(...params.map((param) => param(frame)), options)
  }
}

function compilePath<S>({ parts, depth, data }: hbs.AST.PathExpression): Evaluate<S> {
  const [first = '', ...rest] = parts
  if (data) {
    return (frame) => descend(first === 'root' ? frame.root : loopValue(frame, depth, first), rest)
  }
  if (depth > 0) return (frame) => descend(outerContext(frame, depth), parts)
  return (frame) => {
    for (let { names } = frame; names !== undefined; names = names.outer) {
      if (names.values.has(first)) return descend(names.values.get(first), rest)
    }
    return descend(frame.context, parts)
  }
}

function loopValue<S>(frame: Frame<S>, depth: number, name: string): unknown {
  let { loop } = frame
  for (let at = 0; at < depth; at++) loop = loop?.outer
  return loop?.values[name]
}

function outerContext<S>(frame: Frame<S>, depth: number): unknown {
  let found: Frame<S> | undefined = frame
  for (let at = 0; at < depth; at++) found = found?.outer
  return found?.context
}

/** Own properties alone: nothing of a prototype can be reached. */
function descend(value: unknown, parts: readonly string[]): unknown {
  let found = value
  for (const part of parts) {
    if (found === null || found === undefined || !Object.hasOwn(Object(found), part))
      return undefined
    found = (found as Readonly<Record<string, unknown>>)[part]
  }
  return found
}
