// The faults of a value by its schema: where, and in a sentence that shows the value unless it is secret.
import { fitsSchema } from '../fits-schema.ts'
import { type TSchema, Value } from '../typebox.ts'

/** What is wrong with a value, and where. */
export interface SchemaFault {
  /** `ttl.code`, `scopes.0.id`; empty for the value itself. */
  readonly path: string
  /** The rest of a sentence: `must be > 0, but is -5`. */
  readonly problem: string
}

/** A schema as far as it is walked here. */
interface Walked {
  readonly properties?: Readonly<Record<string, Walked>>
  readonly items?: Walked
  readonly anyOf?: readonly Walked[]
  readonly secret?: boolean
  /** In words, what a union takes. */
  readonly expected?: string
}

type SchemaError = ReturnType<typeof Value.Errors>[number]

/** Faults of one value that are listed. */
const MOST_FAULTS = 20

/** The first fault; undefined when the value fits. */
export function schemaFault(schema: TSchema, given: unknown): SchemaFault | undefined {
  if (fitsSchema(schema, given)) return undefined
  return readFault(schema, given, mostExact(Value.Errors(schema, given)))[0]
}

/** Every fault, the first 20: one for each place. Empty when the value fits. */
export function schemaFaults(schema: TSchema, given: unknown): readonly SchemaFault[] {
  if (fitsSchema(schema, given)) return []
  const unread = [...Value.Errors(schema, given)]
  const byPath = new Map<string, SchemaFault>()
  for (let first = unread[0]; first !== undefined; first = unread[0]) {
    const [own, others] = sameFault(first, unread)
    unread.splice(0, unread.length, ...others)
    for (const fault of readFault(schema, given, mostExact(own))) {
      if (!byPath.has(fault.path)) byPath.set(fault.path, fault)
    }
  }
  return [...byPath.values()].slice(0, MOST_FAULTS)
}

/** What is wrong with one value: alone, or with all that its union says about it. */
function sameFault(
  first: SchemaError,
  errors: readonly SchemaError[]
): readonly [own: readonly SchemaError[], others: readonly SchemaError[]] {
  const [union] = first.schemaPath.split('/anyOf')
  const isOwn = (error: SchemaError) =>
    error === first ||
    (first.schemaPath.includes('/anyOf/') && error.schemaPath.startsWith(`${union}/anyOf`)) ||
    (first.schemaPath.includes('/anyOf/') &&
      error.keyword === 'anyOf' &&
      error.schemaPath === union)
  return [errors.filter(isOwn), errors.filter((error) => !isOwn(error))]
}

function readFault(schema: TSchema, given: unknown, error: SchemaError): readonly SchemaFault[] {
  const parts = error.instancePath.split('/').slice(1)
  if (error.keyword === 'required') {
    return error.params.requiredProperties.map((name) => ({
      path: [...parts, name].join('.'),
      problem: 'is missing'
    }))
  }
  if (error.keyword === 'additionalProperties') {
    return error.params.additionalProperties.map((name) => ({
      path: [...parts, name].join('.'),
      problem: 'is unknown'
    }))
  }
  // The schema of a key that a closed object does not have is `false`.
  if (error.keyword === 'boolean') return [{ path: parts.join('.'), problem: 'is unknown' }]
  let at: Walked | undefined = schema as Walked
  let isSecret = false
  let value: unknown = given
  for (const part of parts) {
    at = within(at, part)
    isSecret ||= at?.secret === true
    value = (value as Record<string, unknown>)[part]
  }
  const reason = reasonOf(error, at)
  return [{ path: parts.join('.'), problem: isSecret ? reason : butIs(reason, value) }]
}

/** The sentence with the value that breaks it. */
export const butIs = (reason: string, value: unknown): string => `${reason}, but is ${show(value)}`

/** Of a union that the value does not fit: the fault inside the branch that is meant, else that of the union. */
function mostExact(found: readonly SchemaError[]): SchemaError {
  const [first] = found
  if (first === undefined) throw new TypeError('the schema refused a value without a fault')
  if (!first.schemaPath.includes('/anyOf/')) return first
  const here = first.instancePath
  const inside = found.find(({ instancePath }) => instancePath.startsWith(`${here}/`))
  const own = (keyword: string) =>
    found.find((error) => error.keyword === keyword && error.instancePath === here)
  return inside ?? own('required') ?? own('anyOf') ?? first
}

function within(schema: Walked | undefined, part: string): Walked | undefined {
  const branches = [schema, ...(schema?.anyOf ?? [])]
  return (
    branches.find((branch) => branch?.properties?.[part] !== undefined)?.properties?.[part] ??
    schema?.items
  )
}

function reasonOf(error: SchemaError, schema: Walked | undefined): string {
  switch (error.keyword) {
    case 'anyOf':
      return `must be ${schema?.expected ?? 'another value'}`
    case 'enum':
      return `must be one of ${error.params.allowedValues.map((value) => JSON.stringify(value)).join(', ')}`
    case 'type':
      return `must be of type ${String(error.params.type)}`
    case 'minLength':
      return error.params.limit === 1
        ? 'must not be empty'
        : `must have at least ${error.params.limit} characters`
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`
    case 'minItems':
      return 'must not be empty'
    case 'maxItems':
      return `must have at most ${error.params.limit} entries`
    default:
      return error.message
  }
}

/** A value in a message, cut at 200 characters. */
function show(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'string') return `"${value.slice(0, 200)}"`
  try {
    return JSON.stringify(value)?.slice(0, 200) ?? String(value)
  } catch {
    return String(value)
  }
}
