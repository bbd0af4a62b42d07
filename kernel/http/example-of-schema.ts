// An example value of a JSON schema, for the requests that the page of the API shows. Pure.

/** The keywords that an example looks at; all others are ignored. */
export interface ValueSchema {
  readonly type?: string | undefined
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly anyOf?: readonly ValueSchema[]
  readonly oneOf?: readonly ValueSchema[]
  readonly allOf?: readonly ValueSchema[]
  readonly properties?: Readonly<Record<string, ValueSchema>>
  readonly required?: readonly string[]
  readonly minProperties?: number
  readonly additionalProperties?: boolean | ValueSchema
  readonly items?: ValueSchema | readonly ValueSchema[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
}

const MAX_LEVELS = 8
const MAX_VALUES = 200
const MAX_ITEMS = 5
const MAX_TEXT = 200
/** Of an object that requires none. */
const OPTIONAL_FIELDS = 3

const BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T09:30:00.000Z',
  date: '2026-01-31',
  time: '09:30:00Z',
  email: 'ann@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000'
}

/** Tried in this order where a pattern decides. */
const SAMPLES = ['example', '1', 'a', 'A', 'u1', 'USD', ...Object.values(BY_FORMAT)]

/**
 * A value that the schema accepts. Patterns are met by a few samples alone, and large lists and texts are cut, so
 * unusual schemas can have an example that they refuse.
 */
export function exampleOf(schema: ValueSchema): unknown {
  let values = 0
  const make = (part: ValueSchema, level: number): unknown => {
    values += 1
    const { anyOf, oneOf, allOf } = part
    const [fixed] = [part.const, part.enum?.[0], part.default].filter((one) => one !== undefined)
    if (fixed !== undefined || values > MAX_VALUES || level > MAX_LEVELS) return fixed ?? null
    const inside = (child: ValueSchema) => make(child, level + 1)
    const first = anyOf?.[0] ?? oneOf?.[0]
    if (first !== undefined) return inside(first)
    if (allOf !== undefined) return Object.assign({}, ...allOf.map(inside))
    if (part.type === 'object' || part.properties !== undefined) return objectOf(part, inside)
    if (part.type === 'array') return listOf(part, inside)
    return plainValueOf(part)
  }
  return make(schema, 0)
}

type Make = (schema: ValueSchema) => unknown

function objectOf(schema: ValueSchema, make: Make): Readonly<Record<string, unknown>> {
  const { properties = {}, required = [], minProperties = 0, additionalProperties } = schema
  const names = Object.keys(properties)
  const shown = required.length > 0 ? required : names.slice(0, OPTIONAL_FIELDS)
  const others = names.filter((name) => !shown.includes(name))
  const fields = [...shown, ...others.slice(0, Math.max(0, minProperties - shown.length))]
  const more = typeof additionalProperties === 'object' ? additionalProperties : {}
  const count = Math.min(
    MAX_ITEMS,
    names.length > 0 ? minProperties - fields.length : minProperties
  )
  const free = Array.from({ length: Math.max(0, count) }, (_, at) => `name${at + 1}`)
  return Object.fromEntries(
    [...fields, ...free].map((name) => [name, make(properties[name] ?? more)])
  )
}

function listOf({ items = {}, minItems = 1, maxItems = MAX_ITEMS }: ValueSchema, make: Make) {
  if (Array.isArray(items)) return items.map(make)
  const length = Math.min(Math.max(1, minItems), maxItems, MAX_ITEMS)
  return Array.from({ length }, () => make(items as ValueSchema))
}

function plainValueOf(schema: ValueSchema): unknown {
  if (schema.type === 'number' || schema.type === 'integer') return numberOf(schema)
  if (schema.type === 'boolean') return true
  return schema.type === 'null' ? null : textOf(schema)
}

function numberOf(schema: ValueSchema): number {
  const { minimum = 1, maximum = 1, exclusiveMinimum = 0, exclusiveMaximum = 2 } = schema
  const { multipleOf: step = schema.type === 'integer' ? 1 : undefined } = schema
  const low = Math.max(schema.minimum ?? -Infinity, schema.exclusiveMinimum ?? -Infinity)
  const high = Math.min(schema.maximum ?? Infinity, schema.exclusiveMaximum ?? Infinity)
  const near = [
    1,
    0,
    minimum,
    maximum,
    exclusiveMinimum + 1,
    exclusiveMaximum - 1,
    (low + high) / 2
  ]
  const steps = step === undefined ? [] : near.flatMap((one) => roundedTo(one, step))
  return [...near, ...steps].find((one) => isNumberRight(schema, step, one)) ?? minimum
}

const roundedTo = (value: number, step: number): readonly number[] => [
  Math.ceil(value / step) * step,
  (Math.floor(value / step) + 1) * step,
  Math.floor(value / step) * step,
  (Math.ceil(value / step) - 1) * step
]

function isNumberRight(schema: ValueSchema, step: number | undefined, value: number): boolean {
  const { minimum = -Infinity, maximum = Infinity } = schema
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema
  const isInside = value >= minimum && value <= maximum
  const isBetween = value > exclusiveMinimum && value < exclusiveMaximum
  return Number.isFinite(value) && isInside && isBetween && value % (step ?? value) === 0
}

function textOf({
  pattern,
  format = '',
  minLength = 0,
  maxLength = MAX_TEXT
}: ValueSchema): string {
  const formatted = BY_FORMAT[format]
  if (formatted !== undefined) return formatted
  if (pattern === undefined) {
    return 'example'.padEnd(Math.min(minLength, MAX_TEXT), 'x').slice(0, maxLength)
  }
  const rule = new RegExp(pattern, 'u')
  const fits = (text: string) =>
    rule.test(text) && text.length >= minLength && text.length <= maxLength
  return SAMPLES.find(fits) ?? 'example'
}
