// The filters of a segment as a form edits them. Pure.
import type {
  LeafFilter,
  SegmentDefinition,
  SegmentFilter
} from '../../audience/segments/segment-schema.ts'

/** Kinds that the form offers, in its order. */
export const KINDS: readonly LeafFilter['kind'][] = [
  'subscriptionStatus',
  'segment',
  'hasTag',
  'notHasTag',
  'fieldEquals',
  'fieldExists',
  'fieldCompare',
  'fieldWithinDays',
  'firedEvent',
  'notFiredEvent',
  'received',
  'notReceived',
  'opened',
  'notOpened',
  'clicked',
  'notClicked',
  'subscribedAfter',
  'subscribedBefore'
]

/** How a field is typed. `value`: a number where it reads as one. Those with `?` may stay empty. */
export type FieldType =
  | 'text'
  | 'days'
  | 'date'
  | 'status'
  | 'segment'
  | 'comparison'
  | 'direction'
  | 'value'
  | 'name?'
  | 'operator?'
  | 'value?'
  | 'days?'

type FormField = readonly [name: string, type: FieldType]

const mail: readonly FormField[] = [
  ['templateSlug', 'name?'],
  ['broadcastSlug', 'name?'],
  ['withinDays', 'days?']
]
const event: readonly FormField[] = [
  ['eventName', 'text'],
  ['property.name', 'name?'],
  ['property.operator', 'operator?'],
  ['property.value', 'value?'],
  ['withinDays', 'days?']
]

/** What a kind asks for: names of its fields, and how they are typed. */
export const FIELDS: Readonly<Record<string, readonly FormField[]>> = {
  subscriptionStatus: [['equals', 'status']],
  segment: [['slug', 'segment']],
  hasTag: [['tag', 'text']],
  notHasTag: [['tag', 'text']],
  fieldEquals: [
    ['field', 'text'],
    ['value', 'text']
  ],
  fieldExists: [['field', 'text']],
  fieldCompare: [
    ['field', 'text'],
    ['operator', 'comparison'],
    ['value', 'value']
  ],
  fieldWithinDays: [
    ['field', 'text'],
    ['direction', 'direction'],
    ['days', 'days']
  ],
  firedEvent: event,
  notFiredEvent: event,
  received: mail,
  notReceived: mail,
  opened: mail,
  notOpened: mail,
  clicked: mail,
  notClicked: mail,
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

/** How the filters of a definition go together, and those inside. */
export function groupOf(filters: readonly SegmentFilter[]): {
  readonly match: 'all' | 'any'
  readonly filters: readonly SegmentFilter[]
} {
  const [only, ...others] = filters
  return others.length === 0 && only?.kind === 'any'
    ? { match: 'any', filters: only.filters }
    : { match: 'all', filters }
}

/** The filters of a definition that go together so. */
export const grouped = (
  match: 'all' | 'any',
  filters: readonly SegmentFilter[]
): readonly SegmentFilter[] =>
  match === 'any' && filters.length > 0 ? [{ kind: 'any', filters }] : filters

const EMPTY: Readonly<Partial<Record<FieldType, string>>> = {
  status: 'subscribed',
  comparison: 'gt',
  direction: 'past',
  text: '',
  segment: '',
  date: '',
  value: ''
}

/** A new filter of a kind, with what must be filled left empty. */
export function emptyFilter(kind: string): SegmentFilter {
  const fields = (FIELDS[kind] ?? []).flatMap(([name, type]) => {
    const empty = EMPTY[type]
    return empty === undefined ? [] : [[name, empty] as const]
  })
  return { kind, ...Object.fromEntries(fields) } as unknown as SegmentFilter
}

/** What a filter holds under the name of a field; that of a property is below it. */
export function fieldOf(filter: SegmentFilter, name: string): unknown {
  const [group = '', inside] = name.split('.')
  const value = (filter as Record<string, unknown>)[group]
  return inside === undefined ? value : (value as Record<string, unknown> | undefined)?.[inside]
}

/** A filter with a field as it was typed; one that is empty and may be is left out. */
export function withField(filter: SegmentFilter, name: string, text: string): SegmentFilter {
  if (name.startsWith('property.')) return withProperty(filter, name.slice(9), text)
  const { [name]: _, ...rest } = filter as Record<string, unknown>
  const type = FIELDS[filter.kind]?.find(([one]) => one === name)?.[1] ?? 'text'
  const value = typedValue(type, text)
  return (value === undefined ? rest : { ...rest, [name]: value }) as unknown as SegmentFilter
}

/** The property of an event goes away with its name. */
function withProperty(filter: SegmentFilter, name: string, text: string): SegmentFilter {
  const { property, ...rest } = filter as unknown as Record<string, object | undefined>
  const value = name === 'value' ? plainValue(text) : text
  const changed = { name: '', operator: 'equals', value: '', ...property, [name]: value }
  return (changed.name === '' && name === 'name'
    ? rest
    : { ...rest, property: changed }) as unknown as SegmentFilter
}

const PLAIN: Readonly<Record<string, boolean>> = { true: true, false: false }

/** What a text means as a value of an event: a number, true or false, else itself. */
const plainValue = (text: string): string | number | boolean =>
  PLAIN[text] ?? (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text))

function typedValue(type: FieldType, text: string): string | number | undefined {
  if (text === '' && EMPTY[type] === undefined) return undefined
  const isNumber = type.startsWith('days') || (type === 'value' && text.trim() !== '')
  return isNumber && !Number.isNaN(Number(text)) ? Number(text) : text
}

/** Whether every filter that the form edits is filled. */
export const isComplete = (filters: readonly SegmentFilter[]): boolean =>
  filters.every((filter) =>
    'filters' in filter
      ? filter.filters.length > 0 && isComplete(filter.filters)
      : (FIELDS[filter.kind] ?? []).every(([name, type]) =>
          isFilled(type, fieldOf(filter, name), fieldOf(filter, 'property.operator'))
        )
  )

const isDays = (value: unknown) => Number.isInteger(value) && Number(value) > 0

const isBound = (value: unknown) =>
  typeof value === 'number' || /^\d{4}-\d{2}-\d{2}/.test(String(value ?? ''))

/** `operator` is that of the property of an event; undefined without one. */
function isFilled(type: FieldType, value: unknown, operator: unknown): boolean {
  switch (type) {
    case 'days':
      return isDays(value)
    case 'days?':
      return value === undefined || isDays(value)
    case 'name?':
      return operator === undefined || value !== ''
    case 'operator?':
    // Left out, it is the past.
    case 'direction':
      return true
    case 'value?':
      if (operator === undefined) return true
      return operator === 'equals' ? value !== '' : isBound(value)
    case 'value':
      return isBound(value)
    default:
      return String(value ?? '') !== ''
  }
}
