// The schemas that apply to one value: what intersections, branches and references add. Pure.

/** The keywords of JSON Schema that are walked; everything else is left to TypeBox. */
export interface WalkedSchema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly $id?: string
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, WalkedSchema>>
  readonly allOf?: readonly WalkedSchema[]
  readonly anyOf?: readonly WalkedSchema[]
  readonly oneOf?: readonly WalkedSchema[]
  readonly if?: WalkedSchema
  readonly then?: WalkedSchema
  readonly else?: WalkedSchema
  readonly properties?: Readonly<Record<string, WalkedSchema>>
  readonly patternProperties?: Readonly<Record<string, WalkedSchema>>
  readonly additionalProperties?: unknown
  readonly unevaluatedProperties?: unknown
  readonly required?: readonly string[]
  readonly items?: WalkedSchema | readonly WalkedSchema[]
  readonly prefixItems?: readonly WalkedSchema[]
  readonly additionalItems?: unknown
  readonly unevaluatedItems?: unknown
  readonly contains?: WalkedSchema
  /** Never logged, never served. */
  readonly secret?: boolean
  /** Served to the plugin's pages. */
  readonly public?: boolean
  /** What a `pattern` asks for, in words that go on from "must be". */
  readonly form?: string
  /** What the names of a map must be, in words that go on from "must be". */
  readonly nameForm?: string
}

export type PlainObject = Readonly<Record<string, unknown>>

type Definitions = Readonly<Record<string, WalkedSchema>>

/** A schema with the definitions that its references name. */
export interface Part {
  readonly schema: WalkedSchema
  readonly definitions: Definitions
}

/** The part that a whole schema is. */
export function partOf(schema: object): Part {
  return inside(schema, { '#': schema })
}

/** The branches of the part's own union; empty when it has none. */
export function branchesOf({ schema, definitions }: Part): Part[] {
  return [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map((each) => inside(each, definitions))
}

/** The part, and all that applies together with it: intersections and references, not unions. */
export function conjunctsOf(part: Part): Part[] {
  return flatten(part, ({ schema }) => schema.allOf ?? [])
}

/** The part, and all that may apply to a value of it: every branch of everything. */
export function everyPartOf(part: Part): Part[] {
  return flatten(part, ({ schema }) => {
    const conditional = [schema.if, schema.then, schema.else].filter((each) => each !== undefined)
    return [
      ...(schema.allOf ?? []),
      ...(schema.anyOf ?? []),
      ...(schema.oneOf ?? []),
      ...conditional
    ]
  })
}

/** What the parts say of one property. */
export function propertyParts(parts: readonly Part[], key: string): Part[] {
  return parts.flatMap((part) => within(part, ownSchemasOfKey(part.schema, key)))
}

/**
 * What the parts may say of one property. Wider than `propertyParts`: a name that fits no pattern
 * gets the schemas of all patterns, so that a mark is found on names that are not valid either.
 */
export function possiblePropertyParts(parts: readonly Part[], key: string): Part[] {
  return parts.flatMap((part) => {
    const { schema } = part
    const named = ownSchemasOfKey(schema, key)
    const open = [schema.additionalProperties, schema.unevaluatedProperties].filter(isSchema)
    return within(
      part,
      named.length > 0 ? named : [...Object.values(schema.patternProperties ?? {}), ...open]
    )
  })
}

function ownSchemasOfKey(schema: WalkedSchema, key: string): WalkedSchema[] {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema
  const found: WalkedSchema[] = []
  const own = Object.hasOwn(properties, key) ? properties[key] : undefined
  if (own !== undefined) found.push(own)
  for (const [pattern, child] of Object.entries(patternProperties)) {
    if (new RegExp(pattern, 'u').test(key)) found.push(child)
  }
  if (found.length > 0) return found
  const rest = additionalProperties ?? schema.unevaluatedProperties
  return isSchema(rest) ? [rest] : []
}

/** What the parts say of one item of an array. */
export function itemParts(parts: readonly Part[], at: number): Part[] {
  return parts.flatMap((part) => {
    const { items, prefixItems, additionalItems, unevaluatedItems, contains } = part.schema
    const places = Array.isArray(items) ? (items as readonly WalkedSchema[]) : (prefixItems ?? [])
    const rest = Array.isArray(items) ? additionalItems : (items ?? unevaluatedItems)
    const own = places[at] ?? rest
    return within(part, [own, contains].filter(isSchema))
  })
}

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isSchema = (value: unknown): value is WalkedSchema => isPlainObject(value)

const within = ({ definitions }: Part, schemas: readonly WalkedSchema[]): Part[] =>
  schemas.map((schema) => inside(schema, definitions))

function inside(schema: WalkedSchema, definitions: Definitions): Part {
  if (schema.$defs === undefined) return { schema, definitions }
  return { schema, definitions: { ...definitions, ...schema.$defs } }
}

/** A reference that leads back to where it began ends there. */
function flatten(part: Part, nestedOf: (part: Part) => readonly WalkedSchema[]): Part[] {
  const seen = new Set<WalkedSchema>()
  const visit = (at: Part): Part[] => {
    if (seen.has(at.schema)) return []
    seen.add(at.schema)
    const referred = targetOf(at)
    const nested = within(at, nestedOf(at)).flatMap(visit)
    return [at, ...nested, ...(referred === undefined ? [] : visit(referred))]
  }
  return visit(part)
}

function targetOf({ schema, definitions }: Part): Part | undefined {
  if (schema.$ref === undefined) return undefined
  const name = schema.$ref.replace(/^#\/(\$defs|definitions)\//, '')
  const found = Object.hasOwn(definitions, name) ? definitions[name] : undefined
  return found === undefined ? undefined : inside(found, definitions)
}
