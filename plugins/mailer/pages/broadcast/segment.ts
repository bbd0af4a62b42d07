// The filters of a segment as a form edits them. Pure.
import type {
  LeafFilter,
  SegmentDefinition,
  SegmentFilter
} from '../../audience/segments/segment-schema.ts'

/** Kinds that the form offers, in its order. */
export const KINDS: readonly LeafFilter['kind'][] = [
  'subscriptionStatus',
  'hasTag',
  'notHasTag',
  'fieldEquals',
  'fieldExists',
  'firedEvent',
  'notFiredEvent',
  'opened',
  'notOpened',
  'subscribedAfter',
  'subscribedBefore'
]

/** What a kind asks for: names of its fields, and how they are typed. */
export const FIELDS: Readonly<
  Record<string, readonly (readonly [name: string, type: 'text' | 'days' | 'date' | 'status'])[]>
> = {
  subscriptionStatus: [['equals', 'status']],
  hasTag: [['tag', 'text']],
  notHasTag: [['tag', 'text']],
  fieldEquals: [
    ['field', 'text'],
    ['value', 'text']
  ],
  fieldExists: [['field', 'text']],
  firedEvent: [
    ['eventName', 'text'],
    ['withinDays', 'days']
  ],
  notFiredEvent: [
    ['eventName', 'text'],
    ['withinDays', 'days']
  ],
  opened: [['withinDays', 'days']],
  notOpened: [['withinDays', 'days']],
  subscribedAfter: [['date', 'date']],
  subscribedBefore: [['date', 'date']]
}

/** Whether the form can edit a filter; others keep their place and are shown as they are. */
export const isEditable = ({ kind }: SegmentFilter): boolean => Object.hasOwn(FIELDS, kind)

/** The filters of a stored definition; none when it is not one. */
export function filtersOf(definition: unknown): readonly SegmentFilter[] {
  const { filters } = (definition ?? {}) as Partial<SegmentDefinition>
  return Array.isArray(filters) ? filters : []
}

/** A new filter of a kind, with what must be filled left empty. */
export function emptyFilter(kind: string): SegmentFilter {
  const fields = (FIELDS[kind] ?? []).flatMap(([name, type]) =>
    type === 'days' ? [] : [[name, type === 'status' ? 'subscribed' : ''] as const]
  )
  return { kind, ...Object.fromEntries(fields) } as unknown as SegmentFilter
}

/** A filter with a field as it was typed; an empty number leaves the field out. */
export function withField(filter: SegmentFilter, name: string, text: string): SegmentFilter {
  if (name !== 'withinDays') return { ...filter, [name]: text } as SegmentFilter
  const { withinDays: _, ...rest } = filter as Record<string, unknown>
  const days = Number(text)
  return (text === '' ? rest : { ...rest, withinDays: days }) as unknown as SegmentFilter
}

/** Whether every filter that the form edits is filled. */
export const isComplete = (filters: readonly SegmentFilter[]): boolean =>
  filters.every((filter) =>
    (FIELDS[filter.kind] ?? []).every(([name, type]) => {
      const value = (filter as Record<string, unknown>)[name]
      return type === 'days'
        ? value === undefined || (Number.isInteger(value) && Number(value) > 0)
        : String(value ?? '') !== ''
    })
  )
