// The columns of the list of spans.
import { type Format, type TableColumn, timeText } from '@keelson/ui'
import { html } from 'lit'
import { type RecordRow, spanTitle, summaryOf } from '../records/record.ts'
import { type ValueLinks, valueLink } from '../value-link.ts'
import { failed, lane } from './lane.ts'
import type { SpanScope } from './scope.ts'

export interface SpanWords extends ValueLinks {
  readonly format: Format
  readonly now: number
  readonly isPlatform: boolean
  readonly scope: SpanScope
}

export function spanColumns(words: SpanWords, longest: number): TableColumn<RecordRow>[] {
  const { t, format, now, isPlatform, scope } = words
  const columns: TableColumn<RecordRow>[] = [
    {
      id: 'time',
      header: t('column.time'),
      width: 136,
      quiet: true,
      cell: ({ occurredAt }) => timeText(occurredAt, now, format),
      hint: ({ occurredAt }) => format.dateTime(occurredAt, { millis: true })
    },
    {
      id: 'span',
      header: t(`traces.${scope}.span`),
      grow: 2,
      wraps: true,
      cell: (row) => html`${spanTitle(row)}${failed(row, t)}`,
      hint: (row) => [row.name, ...summaryOf(row).map(({ text }) => text)].join(' ')
    },
    {
      id: 'service',
      header: t('column.service'),
      width: 120,
      hideBelow: 620,
      cell: ({ service }) => valueLink(words, { field: 'service', value: service }, service, true)
    },
    {
      id: 'lane',
      header: '',
      hiddenHeader: t('traces.share'),
      hideBelow: 760,
      cell: ({ durationMs = 0 }) => lane(0, (durationMs / Math.max(longest, 0.001)) * 100, 'bar')
    },
    {
      id: 'duration',
      header: t('traces.duration'),
      width: 92,
      align: 'end',
      cell: ({ durationMs = 0 }) => format.duration(durationMs)
    }
  ]
  if (!isPlatform) return columns
  const tenant: TableColumn<RecordRow> = {
    id: 'tenant',
    header: t('column.tenant'),
    width: 100,
    hideBelow: 760,
    cell: ({ tenantId }) => valueLink(words, { field: 'tenant', value: tenantId }, tenantId, true)
  }
  return [...columns, tenant]
}
