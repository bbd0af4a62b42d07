// The columns of one trace's waterfall.
import type { Format, TableColumn } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { kindTag } from '../records/columns.ts'
import { spanTitle, summaryOf } from '../records/record.ts'
import { failed, lane } from '../traces/lane.ts'
import type { Stretch } from './overview-strip.ts'
import type { TraceItem } from './tree.ts'

export interface TraceWords {
  readonly format: Format
  readonly isPlatform: boolean
  t(key: string): string
}

/** Tables below this many pixels have their bars below the names: see the style `under`. */
const NARROW = 456

const steps = (depth: number) =>
  Array.from({ length: Math.min(depth, 12) }, () => html`<i part="step"></i>`)

function itemName(item: TraceItem, words: TraceWords): TemplateResult {
  const { row, depth } = item
  if (item.isSpan) {
    const orphan = item.isOrphan
      ? html` <span class="dim" title=${words.t('trace.orphanHint')}>${words.t('trace.orphan')}</span>`
      : nothing
    return html`${steps(depth)}${spanTitle(row)}${failed(row, words.t)}${orphan}`
  }
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
      // A phone has room for the bar below the name alone.
      cell: (item) => html`${itemName(item, words)}${lane(...bar(item), part(item), 'under')}`,
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
      // Without a trace there is no time to name.
      ...(to === 0
        ? { header: '', hiddenHeader: t('trace.waterfall') }
        : { header: `${from === 0 ? 0 : format.duration(from)} – ${format.duration(to)}` }),
      grow: 3,
      hideBelow: NARROW,
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
  const tenant = { id: 'tenant', header: t('column.tenant'), width: 100, hideBelow: 760 }
  return [...columns, { ...tenant, cell: ({ row }) => row.tenantId }]
}
