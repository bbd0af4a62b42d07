// Holds the parts of a request to the schemas of an operation: every fault by its path, nothing coerced in JSON.
import { atFirstUse } from '../at-first-use.ts'
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

  /** `sentence` takes the place of those about the fields. */
  constructor(
    part: RequestPart,
    fields: readonly FieldFault[],
    { sentence, ...options }: ErrorOptions & { readonly sentence?: string | undefined } = {}
  ) {
    super(sentence ?? fields.map(({ path, message }) => `${path} ${message}.`).join(' '), options)
    this.part = part
    this.fields = fields
  }
}

/** Where in a request a value comes from, as Fastify names it. */
export type RequestPart = 'params' | 'querystring' | 'body'

type Checked = { readonly value: unknown } | { readonly error: InvalidInput }

/** Checks one part. */
export type PartCheck = (given: unknown) => Checked

/** How a query is read: `openQuery` of the operation. */
interface QueryForm {
  readonly openQuery?: boolean | undefined
}

/** The parts of a schema that is walked here. */
interface Walked {
  readonly type?: unknown
  /** The sentence about any fault of the value, where the document of an API fixes one. */
  readonly 'x-refusal'?: string
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
const ANY_QUERY = Type.Object({})

const checks = new WeakMap<TSchema, Map<string, PartCheck>>()

/** The schemas of the parts of a request. A query is closed, unless it is declared open. */
export function inputSchemas({
  params,
  query,
  body,
  method,
  openQuery
}: Pick<Operation<never>, 'params' | 'query' | 'body' | 'method' | 'openQuery'>) {
  return {
    ...(params !== undefined && { params }),
    querystring: query ?? (openQuery === true ? ANY_QUERY : NO_QUERY),
    ...(body !== undefined && method !== 'GET' && { body })
  }
}

/**
 * The check of one part, made once for each schema of the process, and compiled when it is first asked: most routes of
 * a process are never called. In a query that is not open an unknown
 * parameter is a fault.
 */
export function partCheck(
  schema: TSchema,
  part: RequestPart,
  { openQuery = false }: QueryForm = {}
): PartCheck {
  const made = checks.get(schema) ?? new Map<string, PartCheck>()
  checks.set(schema, made)
  const form = openQuery && part === 'querystring' ? 'openQuery' : part
  const known = made.get(form)
  if (known !== undefined) return known
  const check = part === 'body' ? bodyCheck(schema) : textCheck(schema, part, form === 'openQuery')
  made.set(form, check)
  return check
}

function bodyCheck(schema: TSchema): PartCheck {
  const compiled = atFirstUse(() => Compile(schema))
  const hasDefaults = fillsIn(schema as Walked)
  return (given) => {
    const body = given ?? {}
    const size = sizeFault(body)
    if (size !== undefined) return { error: new InvalidInput('body', [size]) }
    const value = hasDefaults ? Value.Default(schema, body) : body
    return compiled().Check(value) ? { value } : faulty(schema, value, 'body')
  }
}

/** Parameters of an address are texts: numbers and booleans are read by their schema. */
function textCheck(schema: TSchema, part: RequestPart, isOpen: boolean): PartCheck {
  const isClosed = part === 'querystring' && !isOpen
  const asked = isClosed ? ({ ...schema, additionalProperties: false } as TSchema) : schema
  const compiled = atFirstUse(() => Compile(asked))
  const { properties = {} } = schema as Walked
  const read = Object.entries(properties).map(([name, each]) => [name, readerOf(each)] as const)
  return (given) => {
    const texts = isOpen ? withoutEmpty(given as object) : (given as Given)
    const value: Record<string, unknown> = { ...texts }
    for (const [name, reader] of read) {
      const read = reader(texts[name])
      if (read !== undefined) value[name] = read
    }
    return compiled().Check(value) ? { value } : faulty(asked, value, part)
  }
}

type Given = Readonly<Record<string, unknown>>

const withoutEmpty = (given: object): Given =>
  Object.fromEntries(Object.entries(given).filter(([, text]) => text !== ''))

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
  const faults = schemaFaults(schema, value)
  const fields = faults.map(({ path, problem }) => {
    const near = problem === 'is unknown' ? nearestName(path, known) : undefined
    const hint = near === undefined ? '' : `; did you mean ${near}?`
    return { path: bracketed(path) || place, message: `${problem}${hint}` }
  })
  const [own] = faults.flatMap(({ path }) => ownSentence(schema as Walked, path) ?? [])
  return { error: new InvalidInput(part, fields, { sentence: own }) }
}

/** Of the value at a path, or of the innermost one around it that has a sentence. */
function ownSentence(schema: Walked, path: string): string | undefined {
  let at: Walked | undefined = schema
  let sentence = schema['x-refusal']
  for (const name of path === '' ? [] : path.split('.')) {
    at = at?.properties?.[name] ?? at?.items
    sentence = at?.['x-refusal'] ?? sentence
  }
  return sentence
}

/** `steps.2.value` as `steps[2].value`. */
const bracketed = (path: string): string => path.replace(/(^|\.)(\d+)(?=\.|$)/g, '[$2]')

/** Why a body is too deep or too large to be looked at; nothing else recurses over it before. */
export function sizeFault(body: unknown): FieldFault | undefined {
  const left = valuesLeft(body, MOST_DEPTH, MOST_VALUES)
  if (left >= 0) return undefined
  const limit =
    left === TOO_DEEP ? `be at most ${MOST_DEPTH} deep` : `have at most ${MOST_VALUES} values`
  return { path: 'body', message: `must ${limit}` }
}

const TOO_DEEP = -2

/** How many more values there may be after this one; negative when there are too many, or it is too deep. */
function valuesLeft(value: unknown, depth: number, most: number): number {
  let left = most - 1
  if (typeof value !== 'object' || value === null) return left
  if (depth < 0) return TOO_DEEP
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at++)
      left = valuesLeft(value[at], depth - 1, left)
    return left
  }
  for (const key in value) {
    if (left < 0) return left
    left = valuesLeft((value as Readonly<Record<string, unknown>>)[key], depth - 1, left)
  }
  return left
}
