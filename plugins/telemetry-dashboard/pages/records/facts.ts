// Everything that a record says, in sections of facts.
import { ACTOR, attrField } from '../address.ts'
import type { FilterValue, RecordRow } from './record.ts'

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
