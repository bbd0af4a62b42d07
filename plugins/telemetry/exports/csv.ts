// Records as lines of CSV. Pure.
import type { Envelope } from '../schemas/envelope.ts'

const FIELDS = [
  '_id',
  'occurredAt',
  'tenantId',
  'kind',
  'name',
  'severity',
  'service',
  'release',
  'env',
  'subject',
  'actor',
  'traceId',
  'spanId',
  'parentId',
  'durationMs',
  'body'
] as const

/** Attributes and metrics with a column of their own. */
const MOST_KEYS = 200

export interface CsvColumns {
  readonly attrs: readonly string[]
  readonly metrics: readonly string[]
}

/** The keys of the first page have columns; what later records have besides is in the last one, as JSON. */
export function csvColumns(records: readonly Envelope[]): CsvColumns {
  const keysOf = (part: 'attrs' | 'metrics') =>
    [...new Set(records.flatMap((record) => Object.keys(record[part])))].sort().slice(0, MOST_KEYS)
  return { attrs: keysOf('attrs'), metrics: keysOf('metrics') }
}

export const csvHead = ({ attrs, metrics }: CsvColumns): string =>
  lineOf([
    ...FIELDS,
    'error.type',
    'error.message',
    'error.fingerprint',
    ...attrs.map((key) => `attrs.${key}`),
    ...metrics.map((key) => `metrics.${key}`),
    'more'
  ])

export function csvLine(record: Envelope, { attrs, metrics }: CsvColumns): string {
  const { error } = record
  const more = {
    ...without(record.attrs, attrs),
    ...without(record.metrics, metrics)
  }
  return lineOf([
    ...FIELDS.map((field) => record[field]),
    error?.type,
    error?.message,
    error?.fingerprint,
    ...attrs.map((key) => record.attrs[key]),
    ...metrics.map((key) => record.metrics[key]),
    Object.keys(more).length === 0 ? undefined : JSON.stringify(more)
  ])
}

function without(
  values: Readonly<Record<string, unknown>>,
  known: readonly string[]
): Readonly<Record<string, unknown>> {
  const keys = new Set(known)
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.has(key)))
}

const lineOf = (cells: readonly unknown[]): string => `${cells.map(cellOf).join(',')}\r\n`

/** A text that a spreadsheet would run as a formula begins with `'`. */
function cellOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (value instanceof Date) return value.toISOString()
  const text = String(value)
  const plain = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
