// The columns of the list of spans, and of one trace's waterfall.
import { type Format, type TableColumn, timeText } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { kindTag } from '../records/columns.ts'
import { type RecordRow, summaryOf } from '../records/record.ts'
import type { Stretch } from './overview-strip.ts'
import { spanTitle, type TraceItem } from './tree.ts'

export interface TraceWords {
  readonly format: Format
  readonly now: number
  readonly isPlatform: boolean
  t(key: string): string
}

function tenantColumn<Row>({ t }: TraceWords, read: (row: Row) => string): TableColumn<Row> {
  return { id: 'tenant', header: t('column.tenant'), width: 100, hideBelow: 760, cell: read }
}

/** A bar from `start` to `start + width`, both in percent. */
const lane = (start: number, width: number, part: string): TemplateResult => html`<svg
  part="lane"
  viewBox="0 0 100 10"
  preserveAspectRatio="none"
  aria-hidden="true"
><rect part=${part} x=${start} width=${Math.max(0.4, width)} y="2" height="6"></rect></svg>`

const failed = (row: RecordRow, { t }: TraceWords) =>
  row.severity === 'error' || row.severity === 'fatal'
    ? html` <span class="tag bad">${t('traces.failed')}</span>`
    : nothing

export function spanColumns(words: TraceWords, longest: number): TableColumn<RecordRow>[] {
  const { t, format, now, isPlatform } = words
  const columns: TableColumn<RecordRow>[] = [
    {
      id: 'time',
      header: t('column.time'),
      width: 104,
      quiet: true,
      cell: ({ occurredAt }) => timeText(occurredAt, now, format),
      hint: ({ occurredAt }) => format.dateTime(occurredAt, { millis: true })
    },
    {
      id: 'span',
      header: t('traces.span'),
      grow: 2,
      cell: (row) => html`${spanTitle(row)}${failed(row, words)}`,
      hint: (row) => [row.name, ...summaryOf(row).map(({ text }) => text)].join(' ')
    },
    {
      id: 'service',
      header: t('column.service'),
      width: 120,
      hideBelow: 620,
      cell: ({ service }) => service
    },
    {
      id: 'lane',
      header: t('traces.share'),
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
  return [...columns, tenantColumn<RecordRow>(words, ({ tenantId }) => tenantId)]
}

const steps = (depth: number) =>
  Array.from({ length: Math.min(depth, 12) }, () => html`<i part="step"></i>`)

function itemName(item: TraceItem, words: TraceWords): TemplateResult {
  const { row, depth } = item
  if (item.isSpan) return html`${steps(depth)}${spanTitle(row)}${failed(row, words)}`
  const [first] = summaryOf(row)
  return html`${steps(depth)}${kindTag(row.kind)} ${row.name} <span class="dim">${first?.text ?? ''}</span>`
}

/** The lanes show one stretch of the trace; what reaches beyond it is cut off. */
export function waterfallColumns(
  words: TraceWords,
  { from, to }: Stretch
): TableColumn<TraceItem>[] {
  const { t, format, isPlatform } = words
  const percent = (ms: number) =>
    Math.min(100, Math.max(0, ((ms - from) / Math.max(to - from, 0.001)) * 100))
  const bar = ({ start, duration }: TraceItem) =>
    [percent(start), percent(start + duration) - percent(start)] as const
  const part = (item: TraceItem) =>
    item.isError ? 'bar bad' : item.isCritical || !item.isSpan ? 'bar' : 'bar aside'
  const columns: TableColumn<TraceItem>[] = [
    {
      id: 'name',
      header: t('traces.span'),
      grow: 2,
      cell: (item) => itemName(item, words),
      hint: ({ row }) => [row.name, ...summaryOf(row).map(({ text }) => text)].join(' ')
    },
    {
      id: 'service',
      header: t('column.service'),
      width: 110,
      hideBelow: 700,
      cell: ({ row }) => row.service
    },
    {
      id: 'lane',
      header: `${from === 0 ? 0 : format.duration(from)} – ${format.duration(to)}`,
      grow: 3,
      hideBelow: 420,
      cell: (item) => lane(...bar(item), part(item)),
      hint: (item) => `+${format.duration(item.start)}`
    },
    {
      id: 'duration',
      header: t('traces.duration'),
      width: 88,
      align: 'end',
      cell: ({ isSpan, duration: ms }) =>
        isSpan ? format.duration(ms) : html`<span class="dim">–</span>`
    }
  ]
  if (!isPlatform) return columns
  return [...columns, tenantColumn<TraceItem>(words, ({ row }) => row.tenantId)]
}
