// A record told for people: its line in a list, and its facts in the drawer.
import type { Envelope } from '@keelson/telemetry'
import type { AsJson } from '@keelson/ui'
import { ACTOR, attrField } from '../address.ts'

/** A record as JSON brings it. */
export type RecordRow = AsJson<Envelope>

/** Tag of a kind in the colours of `@keelson/ui`. */
export const KIND_TONE: Readonly<Record<string, string>> = {
  event: 'info',
  error: 'bad',
  span: 'accent',
  state: 'warn',
  usage: 'good'
}

/** A value that can become a filter. */
export interface FilterValue {
  readonly field: string
  readonly value: string
  /** Taken out instead of in. */
  readonly not?: boolean
}

export interface SummaryPart {
  readonly text: string
  readonly filter?: FilterValue
}

const clip = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text

/** What tells this record from its neighbours, in the order of interest. */
export function summaryOf(row: RecordRow): SummaryPart[] {
  const parts: SummaryPart[] = []
  if (row.error !== undefined) {
    parts.push({ text: clip(`${row.error.type}: ${row.error.message}`, 160) })
  }
  if (row.state !== undefined) {
    const { key, from, to } = row.state
    parts.push({ text: from === undefined ? `${key} → ${to}` : `${key} ${from} → ${to}` })
  }
  if (row.usage !== undefined) {
    parts.push({ text: `${row.usage.quantity} ${row.usage.unit}` })
  }
  if (row.body !== undefined && row.body !== '') parts.push({ text: clip(row.body, 160) })
  for (const [key, value] of Object.entries(row.attrs ?? {})) {
    parts.push({
      text: `${key}=${clip(value, 60)}`,
      filter: { field: attrField(key), value }
    })
  }
  return parts
}

/** What a span is called: by its own name, or by its route. */
export function spanTitle({ name, attrs = {} }: RecordRow): string {
  const { method, route, 'span.name': own } = attrs
  return own ?? (route === undefined ? name : method === undefined ? route : `${method} ${route}`)
}

/** What a row calls a record, and what it says beside that: a span by its method and route, said once. */
export function titleOf(row: RecordRow): { readonly title: string; readonly parts: SummaryPart[] } {
  const title = row.kind === 'span' ? spanTitle(row) : row.name
  const said = new Set([title, ...title.split(' ')])
  const isNew = ({ filter }: SummaryPart) => filter === undefined || !said.has(filter.value)
  return { title, parts: summaryOf(row).filter(isNew) }
}

/** The one figure of a record: a metric that was asked for, its duration, or its first metric. */
export function figureOf(
  row: RecordRow,
  wanted: string | undefined
): { readonly key: string; readonly value: number } | undefined {
  const metrics = row.metrics ?? {}
  if (wanted !== undefined && wanted !== 'durationMs') {
    const value = metrics[wanted]
    return value === undefined ? undefined : { key: wanted, value }
  }
  if (row.durationMs !== undefined) return { key: 'durationMs', value: row.durationMs }
  const [first] = Object.entries(metrics)
  return first === undefined || wanted !== undefined
    ? undefined
    : { key: first[0], value: first[1] }
}

/** How a figure is written: by the ending of its name. */
export function figureUnit(key: string): 'duration' | 'money' | 'bytes' | 'number' {
  if (key === 'durationMs' || /(_ms|Ms)$/.test(key)) return 'duration'
  if (/_usd$/.test(key)) return 'money'
  return /_bytes$/.test(key) ? 'bytes' : 'number'
}

export interface Fact {
  /** Key of the catalog, or the name of an attribute or metric. */
  readonly label: string
  readonly isName?: boolean
  readonly text: string
  readonly mono?: boolean
  readonly filter?: FilterValue
  /** A moment, as ISO text, to be written as a time. */
  readonly isTime?: boolean
  /** A figure to be written by its unit. */
  readonly figure?: { readonly key: string; readonly value: number }
}

export interface FactSection {
  readonly heading: string
  readonly facts: readonly Fact[]
}

const exact = (field: string, value: string | undefined, mono = false): Fact[] =>
  value === undefined || value === ''
    ? []
    : [{ label: `fact.${field}`, text: value, mono, filter: { field, value } }]

const plain = (label: string, value: unknown, mono = false): Fact[] =>
  value === undefined || value === null || value === ''
    ? []
    : [{ label: `fact.${label}`, text: String(value), mono }]

function originFacts(row: RecordRow): Fact[] {
  return [
    ...exact('service', row.service),
    ...exact('release', row.release),
    ...exact('env', row.env),
    ...exact('severity', row.severity),
    ...plain('origin', row.origin),
    ...plain('tenantId', row.tenantId),
    ...plain('receivedAt', row.receivedAt).map((fact) => ({ ...fact, isTime: true })),
    ...(row.sampleRate < 1 ? plain('sampleRate', row.sampleRate) : [])
  ]
}

function actorFacts({ actor, actorType, onBehalfOf }: RecordRow): Fact[] {
  if (actor === undefined || actor === null) return []
  const type = actorType ?? actor.slice(0, actor.indexOf(':'))
  return [
    { label: 'fact.actor', text: actor, filter: { field: ACTOR, value: type, not: true } },
    ...plain('onBehalfOf', onBehalfOf)
  ]
}

function subjectFacts(row: RecordRow): Fact[] {
  const subjects = row.subjects ?? []
  const facts = subjects.map(({ type, id, role }): Fact => {
    const value = `${type}:${id}`
    const text = role === undefined ? id : `${id} (${role})`
    return { label: type, isName: true, text, filter: { field: 'subject', value } }
  })
  return [...facts, ...actorFacts(row)]
}

function traceFacts(row: RecordRow): Fact[] {
  return [
    ...exact('traceId', row.traceId, true),
    ...plain('spanId', row.spanId, true),
    ...plain('parentId', row.parentId, true),
    ...(row.durationMs === undefined
      ? []
      : [
          {
            label: 'fact.durationMs',
            text: String(row.durationMs),
            figure: { key: 'durationMs', value: row.durationMs }
          }
        ])
  ]
}

function detailFacts(row: RecordRow): FactSection[] {
  const { error, state, usage } = row
  return [
    {
      heading: 'record.error',
      facts:
        error === undefined
          ? []
          : [
              ...plain('errorType', error.type),
              ...plain('errorMessage', error.message),
              ...plain('handled', error.handled),
              ...exact('fingerprint', error.fingerprint, true)
            ]
    },
    {
      heading: 'record.state',
      facts:
        state === undefined
          ? []
          : [...plain('key', state.key), ...plain('from', state.from), ...plain('to', state.to)]
    },
    {
      heading: 'record.usage',
      facts: Object.entries(usage ?? {}).flatMap(([key, value]) =>
        key === 'meter' || key === 'billedTo' ? exact(key, String(value)) : plain(key, value)
      )
    }
  ]
}

/** Everything a record says, by sections; empty ones are left out. */
export function sectionsOf(row: RecordRow): FactSection[] {
  const attrs = Object.entries(row.attrs ?? {}).map(
    ([key, value]): Fact => ({
      label: key,
      isName: true,
      text: value,
      filter: { field: attrField(key), value }
    })
  )
  const metrics = Object.entries(row.metrics ?? {}).map(
    ([key, value]): Fact => ({
      label: key,
      isName: true,
      text: String(value),
      figure: { key, value }
    })
  )
  const sections: FactSection[] = [
    { heading: 'record.subjects', facts: subjectFacts(row) },
    ...detailFacts(row),
    { heading: 'record.attrs', facts: attrs },
    { heading: 'record.metrics', facts: metrics },
    { heading: 'record.trace', facts: traceFacts(row) },
    { heading: 'record.origin', facts: originFacts(row) }
  ]
  return sections.filter(({ facts }) => facts.length > 0)
}

/** One line of a stack. */
export function frameText(
  frame: NonNullable<NonNullable<RecordRow['error']>['frames']>[number]
): string {
  const { fn = '?', filename = '?', lineno, colno } = frame
  const place = [filename, lineno, colno].filter((part) => part !== undefined).join(':')
  return `${fn} (${place})`
}
