// The rows that are shown, as a file.
import type { RecordRow } from './record.ts'

const FIELDS = [
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
  'durationMs'
] as const

/** Quoted where needed; a value that a spreadsheet would run as a formula starts with an apostrophe. */
function cell(value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const keysOf = (rows: readonly RecordRow[], part: 'attrs' | 'metrics'): string[] =>
  [...new Set(rows.flatMap((row) => Object.keys(row[part] ?? {})))].sort()

/** One line a record; each attribute and metric that occurs has a column. */
export function toCsv(rows: readonly RecordRow[]): string {
  const attrs = keysOf(rows, 'attrs')
  const metrics = keysOf(rows, 'metrics')
  const header = [
    '_id',
    ...FIELDS,
    ...attrs.map((key) => `attrs.${key}`),
    ...metrics.map((key) => `metrics.${key}`)
  ]
  const lines = rows.map((row) => [
    row._id,
    ...FIELDS.map((field) => row[field]),
    ...attrs.map((key) => row.attrs?.[key]),
    ...metrics.map((key) => row.metrics?.[key])
  ])
  return [header, ...lines].map((line) => line.map(cell).join(',')).join('\r\n')
}

export const toJson = (rows: readonly RecordRow[]): string => JSON.stringify(rows, null, 2)
