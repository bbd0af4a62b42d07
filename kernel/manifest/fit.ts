// Fits a value to a schema: placeholders converted, defaults filled in, and what is wrong with it.

import { nameHint } from '@keelson/sdk'
import type { TSchema } from '@keelson/sdk/typebox'
import { convertText } from './convert-text.ts'
import { constantsOf, discriminatorOf } from './discriminator.ts'
import {
  type Fault,
  hasSecrets,
  hasTypeOf,
  joinKey,
  oneOfReason,
  ownFaults,
  typeReason,
  typesOf
} from './faults.ts'
import {
  branchesOf,
  conjunctsOf,
  isPlainObject,
  itemParts,
  type Part,
  type PlainObject,
  partOf,
  propertyParts,
  type WalkedSchema
} from './schema-parts.ts'

export interface FitOptions {
  /** Where the value is: the start of every path. */
  readonly path?: string
  /** An object that does not say whether it takes other keys takes none. Default false. */
  readonly closed?: boolean
  /** Missing values get the default of their schema. Default false. */
  readonly defaults?: boolean
  /**
   * Strings that came from placeholders: the name of their variable by path. They take the type that the schema
   * wants.
   */
  readonly filled?: ReadonlyMap<string, string>
}

/** A copy of the value; it fits when there are no faults. */
export interface Fitted {
  readonly value: unknown
  readonly faults: readonly Fault[]
}

interface FitContext {
  readonly options: FitOptions
  readonly path: string
  /** Other schemas apply to the same object: what this one does not know may be theirs. */
  readonly isShared: boolean
  readonly isSecret: boolean
  readonly isConverted: boolean
}

/**
 * Of a union, the branch applies that the value's discriminator names, or else the first that the
 * value fits, defaults included; of an intersection, all. What does not fit is measured by the branch
 * that was meant. Unknown keys come first: they often explain what is missing.
 */
export function fit(schema: TSchema, value: unknown, options: FitOptions = {}): Fitted {
  const { path = '' } = options
  const place = { options, path, isShared: false, isSecret: false, isConverted: false }
  const fitted = fitParts([partOf(schema)], value, place)
  const rank = ({ kind }: Fault) => Number(kind !== 'unknown')
  const faults = fitted.faults.map((fault) => withVariable(fault, options.filled?.get(fault.path)))
  return { ...fitted, faults: faults.toSorted((a, b) => rank(a) - rank(b)) }
}

/** The value is where the variable is set: a fault of it names that. */
function withVariable(fault: Fault, variable: string | undefined): Fault {
  if (fault.kind === 'unknown' || variable === undefined) return fault
  return { ...fault, reason: `${fault.reason}; it comes from the environment variable ${variable}` }
}

/** What is wrong with a value as it is. */
export function findFaults(schema: TSchema, value: unknown, path = ''): readonly Fault[] {
  return fit(schema, value, { path }).faults
}

/** The schemas that apply to a valid value: of each union only the branch that it fits. */
export function partsInForce(parts: readonly Part[], value: unknown): readonly Part[] {
  const options = { closed: true }
  const place = { options, path: '', isShared: false, isSecret: false, isConverted: false }
  return inForce(parts, value, place).parts
}

function fitParts(given: readonly Part[], raw: unknown, outer: FitContext): Fitted {
  const place = { ...outer, isSecret: outer.isSecret || given.some(hasSecrets) }
  const text = converted(given, raw, place)
  // An empty placeholder that the schema does not take is left out: the default applies.
  const value = text === undefined ? defaultOf(given, place) : text
  if (value === undefined && raw !== undefined) return { value, faults: [] }
  const here = { ...place, isConverted: true }
  const union = onlyUnion(given)
  if (union !== undefined) {
    const { fitted } = choose(union, value, here)
    return { ...fitted, faults: withOwnFaults(given, fitted.value, here, fitted.faults) }
  }
  const { parts, faults } = inForce(given, value, here)
  const inner = fitInside(parts, value, here)
  return {
    value: inner.value,
    faults: withOwnFaults(given, inner.value, here, [...faults, ...inner.faults])
  }
}

/** What TypeBox finds counts only when nothing was found inside: it would repeat it in other words. */
function withOwnFaults(
  given: readonly Part[],
  value: unknown,
  place: FitContext,
  found: readonly Fault[]
): readonly Fault[] {
  return found.length > 0 ? found : given.flatMap((part) => ownFaults(part, value, place))
}

function defaultOf(given: readonly Part[], { options }: FitContext): unknown {
  if (options.defaults !== true) return undefined
  const found = given.flatMap(conjunctsOf).find(({ schema }) => schema.default !== undefined)
  const value = found?.schema.default
  return typeof value === 'function' ? value() : structuredClone(value)
}

function converted(given: readonly Part[], value: unknown, place: FitContext): unknown {
  const isText = typeof value === 'string' && !place.isConverted
  if (!isText || place.options.filled?.has(place.path) !== true) return value
  return convertText(value, {
    types: given.flatMap(typesOf),
    accepts: (each) => fitParts(given, each, { ...place, isConverted: true }).faults.length === 0
  })
}

const SHAPING = ['type', 'properties', 'patternProperties', 'items', 'const', 'enum'] as const

/** The branches of a schema that is a union and nothing else. */
function onlyUnion(given: readonly Part[]): readonly Part[] | undefined {
  const parts = given.flatMap(conjunctsOf)
  const unions = parts.map(branchesOf).filter((branches) => branches.length > 0)
  const hasShape = parts.some(({ schema }) => SHAPING.some((keyword) => keyword in schema))
  return unions.length === 1 && !hasShape ? unions[0] : undefined
}

/** All schemas that apply: intersections, and of each union beside them the branch it fits. */
function inForce(given: readonly Part[], value: unknown, place: FitContext) {
  const parts = given.flatMap(conjunctsOf)
  const faults: Fault[] = []
  for (const branches of parts.map(branchesOf)) {
    if (branches.length === 0) continue
    const { branch, fitted } = choose(branches, value, { ...place, isShared: true })
    if (branch === undefined) faults.push(...fitted.faults)
    else parts.push(...inForce([branch], value, place).parts)
  }
  return { parts: [...new Set(parts)], faults }
}

interface Choice {
  readonly branch: Part | undefined
  readonly fitted: Fitted
}

function choose(branches: readonly Part[], value: unknown, place: FitContext): Choice {
  const { path, isSecret } = place
  const named = discriminatorOf(branches, value)
  const candidates = named === undefined ? branches : [...named.named, ...named.others]
  if (named !== undefined && candidates.length === 0) {
    const reason = oneOfReason(named.values, isSecret)
    return refused(value, { kind: 'invalid', path: joinKey(path, named.key), reason })
  }
  const choices = candidates.map((branch) => ({
    branch,
    fitted: fitParts([branch], value, place)
  }))
  const fitting = choices.find(({ fitted }) => fitted.faults.length === 0)
  if (fitting !== undefined) return fitting
  const constants = branches.map((branch) => constantsOf([branch]))
  if (constants.every((each) => each !== undefined)) {
    const reason = oneOfReason(constants.flat(), isSecret)
    return refused(value, { kind: 'invalid', path, reason })
  }
  const [meant] = choices
    .filter(({ branch }) => hasTypeOf(branch, value))
    .toSorted((a, b) => a.fitted.faults.length - b.fitted.faults.length)
  return meant ?? refused(value, { kind: 'invalid', path, reason: typeReason(branches) })
}

const refused = (value: unknown, fault: Fault): Choice => ({
  branch: undefined,
  fitted: { value, faults: [fault] }
})

function fitInside(parts: readonly Part[], value: unknown, place: FitContext): Fitted {
  if (Array.isArray(value)) return fitArray(parts, value, place)
  const isObject = parts.some(({ schema }) => OBJECT_KEYWORDS.some((keyword) => keyword in schema))
  return isObject && isPlainObject(value) ? fitObject(parts, value, place) : { value, faults: [] }
}

const OBJECT_KEYWORDS = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'required'
] as const

function fitArray(parts: readonly Part[], value: readonly unknown[], place: FitContext): Fitted {
  const items = value.map((item, at) => {
    const schemas = itemParts(parts, at)
    return schemas.length === 0 || item === undefined
      ? { value: item, faults: [] }
      : fitParts(schemas, item, below(place, String(at)))
  })
  return { value: items.map((item) => item.value), faults: items.flatMap(({ faults }) => faults) }
}

function fitObject(parts: readonly Part[], value: PlainObject, place: FitContext): Fitted {
  const known = [...new Set(parts.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))]
  const absent = known.filter((key) => !Object.hasOwn(value, key))
  const faults: Fault[] = []
  const entries: [string, unknown][] = []
  for (const key of [...Object.keys(value), ...absent]) {
    const schemas = propertyParts(parts, key)
    const child = Object.hasOwn(value, key) ? value[key] : undefined
    if (schemas.length === 0) {
      faults.push(...strangerFaults(parts, key, known, place))
      entries.push([key, child])
      continue
    }
    if (child === undefined && defaultOf(schemas, place) === undefined) continue
    const fitted = fitParts(schemas, child, below(place, key))
    faults.push(...fitted.faults)
    if (fitted.value !== undefined) entries.push([key, fitted.value])
  }
  const fitted: PlainObject = Object.fromEntries(entries)
  const required = new Set(parts.flatMap(({ schema }) => schema.required ?? []))
  const missing = [...required].filter((key) => !Object.hasOwn(fitted, key))
  const missingFaults = missing.map((key): Fault => {
    const reason = `is missing${choicesOf(propertyParts(parts, key))}`
    return { kind: 'invalid', path: joinKey(place.path, key), reason }
  })
  return { value: fitted, faults: [...missingFaults, ...faults] }
}

/** What a value may be, where the schema lists it. */
function choicesOf(given: readonly Part[]): string {
  const constants = onlyUnion(given)?.map((branch) => constantsOf([branch]))
  if (constants === undefined || !constants.every((each) => each !== undefined)) return ''
  return given.some(hasSecrets) ? '' : `; it ${oneOfReason(constants.flat(), false)}`
}

/** A key that no schema names: refused when the object is closed. */
function strangerFaults(
  parts: readonly Part[],
  key: string,
  known: readonly string[],
  { path, isShared, options }: FitContext
): Fault[] {
  const schemas = parts.map(({ schema }) => schema)
  const rests = schemas.flatMap((each) => [each.additionalProperties, each.unevaluatedProperties])
  const isOpen = rests.every((rest) => rest === undefined)
  const isClosed = isOpen ? options.closed === true && schemas.some(hasProperties) : true
  if (isShared || !isClosed || (!isOpen && !rests.includes(false))) return []
  if (schemas.some((schema) => isConditional(schema, key))) return []
  const at = joinKey(path, key)
  const [pattern] = schemas.flatMap(({ patternProperties = {} }) => Object.keys(patternProperties))
  if (pattern === undefined) return [{ kind: 'unknown', path: at, hint: nameHint(key, known) }]
  const form = schemas.find(({ nameForm }) => nameForm !== undefined)?.nameForm
  const reason =
    form === undefined
      ? `is not a name that matches ${pattern}`
      : `has an invalid name: it must be ${form}`
  return [{ kind: 'invalid', path: at, reason }]
}

const hasProperties = ({ properties }: WalkedSchema): boolean => properties !== undefined

/** Named by a schema that applies only under a condition; TypeBox checks those. */
function isConditional(schema: WalkedSchema, key: string): boolean {
  const conditional = [schema.if, schema.then, schema.else]
  return conditional.some((each) => Object.hasOwn(each?.properties ?? {}, key))
}

const below = (place: FitContext, key: string): FitContext => ({
  ...place,
  path: joinKey(place.path, key),
  isShared: false,
  isConverted: false
})
