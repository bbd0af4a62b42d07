// Holds the parts of a request to the schemas of an operation: every fault by its path, nothing coerced in JSON.
import type { FieldFault } from '../http/error-body.ts'
import { schemaFaults } from '../manifest/schema-fault.ts'
import { nearestName } from '../nearest-name.ts'
import { Compile, type TSchema, Type, Value } from '../typebox.ts'
import type { Operation } from './operation.ts'

/** A part of a request that does not fit its schema. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput'
  readonly statusCode = 400
  readonly part: RequestPart
  readonly fields: readonly FieldFault[]

  constructor(part: RequestPart, fields: readonly FieldFault[], options: ErrorOptions = {}) {
    super(fields.map(({ path, message }) => `${path} ${message}.`).join(' '), options)
    this.part = part
    this.fields = fields
  }
}

/** Where in a request a value comes from, as Fastify names it. */
export type RequestPart = 'params' | 'querystring' | 'body'

type Checked = { readonly value: unknown } | { readonly error: InvalidInput }

/** Checks one part. */
export type PartCheck = (given: unknown) => Checked

/** The parts of a schema that is walked here. */
interface Walked {
  readonly type?: unknown
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Walked>>
  readonly additionalProperties?: unknown
  readonly items?: Walked
  readonly anyOf?: readonly Walked[]
  readonly allOf?: readonly Walked[]
}

/** A path of more parts than this is no data that an API takes. */
const MOST_DEPTH = 64
/** Values of one body. */
const MOST_VALUES = 200_000
const NO_QUERY = Type.Object({}, { additionalProperties: false })

const checks = new WeakMap<TSchema, Map<RequestPart, PartCheck>>()

/** The schemas of the parts of a request. A query is closed: an unknown parameter is a fault. */
export function inputSchemas({
  params,
  query,
  body,
  method
}: Pick<Operation<never>, 'params' | 'query' | 'body' | 'method'>) {
  return {
    ...(params !== undefined && { params }),
    querystring: query ?? NO_QUERY,
    ...(body !== undefined && method !== 'GET' && { body })
  }
}

/** The check of one part, made once for each schema of the process. */
export function partCheck(schema: TSchema, part: RequestPart): PartCheck {
  const made = checks.get(schema) ?? new Map<RequestPart, PartCheck>()
  checks.set(schema, made)
  const known = made.get(part)
  if (known !== undefined) return known
  const check = part === 'body' ? bodyCheck(schema) : textCheck(schema, part)
  made.set(part, check)
  return check
}

function bodyCheck(schema: TSchema): PartCheck {
  const compiled = Compile(schema)
  const hasDefaults = fillsIn(schema as Walked)
  return (given) => {
    const body = given ?? {}
    const size = sizeFault(body)
    if (size !== undefined) return { error: new InvalidInput('body', [size]) }
    const value = hasDefaults ? Value.Default(schema, body) : body
    return compiled.Check(value) ? { value } : faulty(schema, value, 'body')
  }
}

/** Parameters of an address are texts: numbers and booleans are read by their schema. */
function textCheck(schema: TSchema, part: RequestPart): PartCheck {
  const closed =
    part === 'querystring' ? ({ ...schema, additionalProperties: false } as TSchema) : schema
  const compiled = Compile(closed)
  const { properties = {} } = schema as Walked
  const read = Object.entries(properties).map(([name, each]) => [name, readerOf(each)] as const)
  return (given) => {
    const texts = given as Readonly<Record<string, unknown>>
    const value: Record<string, unknown> = { ...texts }
    for (const [name, reader] of read) {
      const read = reader(texts[name])
      if (read !== undefined) value[name] = read
    }
    return compiled.Check(value) ? { value } : faulty(closed, value, part)
  }
}

/** Texts that a schema cannot read stay texts, for the schema to refuse. */
function readerOf(schema: Walked): (text: unknown) => unknown {
  const { default: filledIn, items } = schema
  const types = [schema, ...(schema.anyOf ?? [])].map(({ type }) => type)
  const isNumber = types.includes('integer') || types.includes('number')
  const isFlag = types.includes('boolean')
  if (items !== undefined) {
    const reader = readerOf(items)
    return (text) =>
      text === undefined ? filledIn : [text].flat().map((each) => reader(each) ?? each)
  }
  return (text) => {
    if (text === undefined) return filledIn
    if (isNumber && typeof text === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(text))
      return Number(text)
    if (isFlag && text === 'true') return true
    if (isFlag && text === 'false') return false
    return text
  }
}

/** Whether a schema has a default anywhere. */
function fillsIn(schema: Walked): boolean {
  if (schema.default !== undefined) return true
  const below = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.allOf ?? []),
    ...(schema.items === undefined ? [] : [schema.items])
  ]
  return below.some(fillsIn)
}

function faulty(schema: TSchema, value: unknown, part: RequestPart): Checked {
  const known = Object.keys((schema as Walked).properties ?? {})
  const place = part === 'querystring' ? 'query' : part
  const fields = schemaFaults(schema, value).map(({ path, problem }) => {
    const near = problem === 'is unknown' ? nearestName(path, known) : undefined
    const hint = near === undefined ? '' : `; did you mean ${near}?`
    return { path: bracketed(path) || place, message: `${problem}${hint}` }
  })
  return { error: new InvalidInput(part, fields) }
}

/** `steps.2.value` as `steps[2].value`. */
const bracketed = (path: string): string => path.replace(/(^|\.)(\d+)(?=\.|$)/g, '[$2]')

/** Why a body is too deep or too large to be looked at; nothing recurses before it. */
export function sizeFault(body: unknown): FieldFault | undefined {
  let level: readonly unknown[] = [body]
  let count = 0
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_DEPTH) return { path: 'body', message: `must be at most ${MOST_DEPTH} deep` }
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      for (const each of Array.isArray(value) ? value : Object.values(value)) next.push(each)
    }
    count += next.length
    if (count > MOST_VALUES)
      return { path: 'body', message: `must have at most ${MOST_VALUES} values` }
    level = next
  }
  return undefined
}
