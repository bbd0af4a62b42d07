// The columns of the list of records.
import { type Format, type TableColumn, timeText } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import { figureText, keyHeading } from '../figures.ts'
import { type ValueLinks, valueLink } from '../value-link.ts'
import {
  type FilterValue,
  figureOf,
  KIND_TONE,
  type RecordRow,
  summaryOf,
  titleOf
} from './record.ts'

export interface ColumnOptions extends ValueLinks {
  readonly now: number
  readonly format: Format
  /** The metric whose figures are shown; undefined: each record's own. */
  readonly measure: string | undefined
  /** Names the tenant of each row. */
  readonly isPlatform: boolean
}

export function kindTag(kind: string): TemplateResult {
  return html`<span class="tag ${KIND_TONE[kind] ?? ''}">${kind}</span>`
}

/** The row is what the keyboard opens: it holds the same links. */
const value = (options: ColumnOptions, filter: FilterValue, content: unknown): TemplateResult =>
  valueLink(options, filter, content, true)

function nameCell(row: RecordRow, options: ColumnOptions): TemplateResult {
  const { title, parts } = titleOf(row)
  const shown = parts.map(({ text, filter }) =>
    filter === undefined ? ` ${text}` : html` ${value(options, filter, text)}`
  )
  return html`${title}<span class="dim">${shown}</span>`
}

function figureCell(row: RecordRow, { measure, format }: ColumnOptions): unknown {
  const figure = figureOf(row, measure)
  return figure === undefined
    ? html`<span class="dim">–</span>`
    : figureText(figure.key, figure.value, format)
}

export function recordColumns(options: ColumnOptions): TableColumn<RecordRow>[] {
  const { now, format, t, isPlatform } = options
  const columns: TableColumn<RecordRow>[] = [
    {
      id: 'time',
      header: t('column.time'),
      width: 136,
      quiet: true,
      cell: (row) => timeText(row.occurredAt, now, format),
      hint: (row) => format.dateTime(row.occurredAt, { millis: true })
    },
    {
      id: 'kind',
      header: t('column.kind'),
      width: 74,
      cell: (row) => value(options, { field: 'kind', value: row.kind }, kindTag(row.kind))
    },
    {
      id: 'name',
      header: t('column.name'),
      wraps: true,
      cell: (row) => nameCell(row, options),
      hint: (row) => [row.name, ...summaryOf(row).map(({ text }) => text)].join(' ')
    },
    {
      id: 'subject',
      header: t('column.subject'),
      width: 150,
      mono: true,
      hideBelow: isPlatform ? 760 : 600,
      cell: ({ subject }) =>
        subject === undefined
          ? html`<span class="dim">–</span>`
          : value(options, { field: 'subject', value: subject }, subject),
      hint: ({ subject }) => subject
    },
    {
      id: 'figure',
      header: options.measure === undefined ? t('column.figure') : keyHeading(options.measure),
      width: 96,
      align: 'end',
      cell: (row) => figureCell(row, options),
      hint: (row) => figureOf(row, options.measure)?.key
    }
  ]
  if (!isPlatform) return columns
  const tenant: TableColumn<RecordRow> = {
    id: 'tenant',
    header: t('column.tenant'),
    width: 100,
    hideBelow: 520,
    cell: ({ tenantId }) => value(options, { field: 'tenant', value: tenantId }, tenantId)
  }
  return [...columns.slice(0, 2), tenant, ...columns.slice(2)]
}
