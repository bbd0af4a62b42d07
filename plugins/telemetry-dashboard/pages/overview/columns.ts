// The columns of the overview's lists.
import { type Format, shareCell, type TableColumn, timeText, trendText } from '@keelson/ui'
import { html, nothing } from 'lit'
import type { Issue } from '../errors/issues.ts'
import { kindTag } from '../records/columns.ts'
import type { RankedBy, RankedRow } from './activity.ts'

export interface OverviewWords {
  readonly format: Format
  readonly now: number
  t(key: string): string
}

function changeText(row: RankedRow, { format, t }: OverviewWords): unknown {
  if (row.change === null) return html`<span class="dim">${t('overview.isNew')}</span>`
  if (row.change === 0) return html`<span class="dim">${format.percent(0, 0)}</span>`
  const sign = row.change > 0 ? '▲' : '▼'
  return html`<span class="dim" aria-hidden="true">${sign}</span> ${trendText(row.change, row.before, format)}`
}

/** Names or services with their counts, the largest first. */
export function rankColumns(by: RankedBy, words: OverviewWords): TableColumn<RankedRow>[] {
  const { t, format } = words
  return [
    {
      id: 'name',
      header: t(`overview.${by}`),
      grow: 2,
      link: true,
      cell: ({ name, kind }) =>
        html`${kind === undefined ? nothing : html`${kindTag(kind)} `}${name}`,
      hint: ({ name }) => name
    },
    {
      id: 'share',
      header: t('overview.share'),
      hideBelow: 460,
      cell: ({ share }) => shareCell(share, format)
    },
    {
      id: 'count',
      header: t('overview.count'),
      width: 92,
      align: 'end',
      cell: ({ count }) => format.compact(count),
      hint: ({ count }) => format.number(count)
    },
    {
      id: 'change',
      header: t('overview.change'),
      width: 92,
      align: 'end',
      cell: (row) => changeText(row, words)
    }
  ]
}

export function latestIssueColumns(
  { t, format, now }: OverviewWords,
  isPlatform: boolean
): TableColumn<Issue>[] {
  const columns: TableColumn<Issue>[] = [
    {
      id: 'issue',
      header: t('overview.issue'),
      link: true,
      cell: ({ type, message, fingerprint }) =>
        html`${type || fingerprint} <span class="dim">${message}</span>`,
      hint: ({ type, message }) => `${type}: ${message}`
    },
    {
      id: 'seen',
      header: t('overview.seen'),
      width: 136,
      quiet: true,
      cell: ({ lastAt }) => timeText(lastAt, now, format),
      hint: ({ lastAt }) => format.dateTime(lastAt)
    }
  ]
  if (!isPlatform) return columns
  const tenant = { id: 'tenant', header: t('column.tenant'), width: 90 }
  return [...columns, { ...tenant, cell: ({ tenantId }) => tenantId }]
}
