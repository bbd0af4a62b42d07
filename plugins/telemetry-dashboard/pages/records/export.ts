// Records as the cells of a file: one line each, a column for every attribute and metric.
import type { Cells } from '@keelson/ui'
import type { RecordRow } from './record.ts'

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
  'durationMs'
] as const

const keysOf = (rows: readonly RecordRow[], part: 'attrs' | 'metrics'): string[] =>
  [...new Set(rows.flatMap((row) => Object.keys(row[part] ?? {})))].sort()

export function recordCells(rows: readonly RecordRow[]): Cells[] {
  const attrs = keysOf(rows, 'attrs')
  const metrics = keysOf(rows, 'metrics')
  return rows.map((row) =>
    Object.fromEntries([
      ...FIELDS.map((field) => [field, row[field]]),
      ...attrs.map((key) => [`attrs.${key}`, row.attrs?.[key]]),
      ...metrics.map((key) => [`metrics.${key}`, row.metrics?.[key]])
    ])
  )
}
