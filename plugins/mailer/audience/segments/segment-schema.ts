// What a segment may hold: the schema of its definition, types derived.
import { closed, type Static, type TSchema, Type } from '@keelson/sdk'
import { COMPARISONS } from './compare.ts'

const name = Type.String({ minLength: 1, maxLength: 128 })
/** A name that a query of the host's database could read as an operator is refused. */
const field = Type.String({ minLength: 1, maxLength: 128, pattern: '^[^$]+$' })
const primitive = Type.Union([
  Type.String({ maxLength: 1024 }),
  Type.Number(),
  Type.Boolean(),
  Type.Null()
])
const date = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}', maxLength: 40 })
const withinDays = Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 }))
/** Which mails are meant; all of them when both are left out. */
const mail = {
  templateSlug: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  broadcastSlug: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  withinDays
}
const comparison = Type.Enum([...COMPARISONS])
/** What the property of an event must be. A comparison takes a number or a date. */
const property = Type.Optional(
  Type.Object(
    { name: field, operator: Type.Enum(['equals', ...COMPARISONS]), value: primitive },
    closed
  )
)
const kind = <K extends string, P extends Parameters<typeof Type.Object>[0]>(name: K, fields: P) =>
  Type.Object({ kind: Type.Literal(name), ...fields }, closed)

/** Filters without filters inside. */
const leaves = [
  kind('fieldEquals', { field, value: primitive }),
  kind('fieldIn', { field, values: Type.Array(primitive, { minItems: 1, maxItems: 1000 }) }),
  kind('fieldExists', { field }),
  kind('fieldCompare', { field, operator: comparison, value: Type.Union([Type.Number(), date]) }),
  kind('fieldWithinDays', {
    field,
    days: Type.Integer({ minimum: 1, maximum: 3650 }),
    direction: Type.Optional(Type.Enum(['past', 'future']))
  }),
  /** A named segment. */
  kind('segment', { slug: Type.String({ minLength: 1, maxLength: 128 }) }),
  kind('hasTag', { tag: name }),
  kind('notHasTag', { tag: name }),
  kind('subscriptionStatus', {
    equals: Type.Enum(['subscribed', 'pending_doi', 'unsubscribed', 'bounced', 'complained'])
  }),
  kind('subscribedAfter', { date }),
  kind('subscribedBefore', { date }),
  kind('firedEvent', { eventName: name, property, withinDays }),
  kind('notFiredEvent', { eventName: name, property, withinDays }),
  kind('received', mail),
  kind('notReceived', mail),
  kind('opened', mail),
  kind('notOpened', mail),
  kind('clicked', mail),
  kind('notClicked', mail)
] as const

/** A filter without filters inside. */
export type LeafFilter = Static<(typeof leaves)[number]>

/** What the property of an event must be. */
export type EventProperty = NonNullable<Extract<LeafFilter, { kind: 'firedEvent' }>['property']>

/** An event of which a property matters. */
export interface EventMatch {
  readonly eventName: string
  readonly property: EventProperty
}

/** A filter of a segment. */
export type SegmentFilter =
  | LeafFilter
  | { readonly kind: 'any'; readonly filters: readonly SegmentFilter[] }
  | { readonly kind: 'all'; readonly filters: readonly SegmentFilter[] }
  | { readonly kind: 'not'; readonly filter: SegmentFilter }

/** Which contacts a segment selects: those for which every filter holds. */
export interface SegmentDefinition {
  readonly filters: readonly SegmentFilter[]
}

/** Filters by their kind, so that a fault is named by the schema that is meant. */
export const leafSchemas: ReadonlyMap<string, TSchema> = new Map(
  leaves.map((schema) => [schema.properties.kind.const, schema])
)

/** The kinds of filters. */
export const FILTER_KINDS: readonly string[] = [...leafSchemas.keys(), 'any', 'all', 'not']

/** A definition: at most 50 filters per level. */
export const segmentDefinition = Type.Cyclic(
  {
    Filter: Type.Union([
      ...leaves,
      kind('any', {
        filters: Type.Array(Type.Ref('Filter'), { minItems: 1, maxItems: 50 })
      }),
      kind('all', {
        filters: Type.Array(Type.Ref('Filter'), { minItems: 1, maxItems: 50 })
      }),
      kind('not', { filter: Type.Ref('Filter') })
    ]),
    Segment: Type.Object({ filters: Type.Array(Type.Ref('Filter'), { maxItems: 50 }) }, closed)
  },
  'Segment'
)
