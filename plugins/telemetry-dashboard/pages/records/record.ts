// A record told in one line of a list.
import type { Envelope } from '@keelson/telemetry'
import type { AsJson } from '@keelson/ui'
import { attrField } from '../address.ts'

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

/** What a span is called: by its own name, or by its route. A method alone has its path beside it. */
export function spanTitle({ name, attrs = {} }: RecordRow): string {
  const { method, route, 'span.name': own } = attrs
  const path = attrs['http.route'] ?? attrs['url.path'] ?? attrs['http.target']
  if (path !== undefined && own !== undefined && /^[A-Z]+$/.test(own)) return `${own} ${path}`
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
