// The columns of the list of issues.
import { type Format, type TableColumn, timeText } from '@keelson/ui'
import { html, nothing } from 'lit'
import type { Span } from '../buckets.ts'
import { type Issue, isNew } from './issues.ts'

export interface IssueColumnOptions {
  readonly format: Format
  readonly now: number
  readonly span: Span
  /** Names the tenant of each issue. */
  readonly isPlatform: boolean
  t(key: string): string
}

function moment(
  id: 'firstAt' | 'lastAt',
  header: string,
  hideBelow: number,
  { format, now }: IssueColumnOptions
): TableColumn<Issue> {
  return {
    id,
    header,
    width: 122,
    quiet: true,
    sort: 'desc',
    hideBelow,
    cell: (issue) => timeText(issue[id], now, format),
    hint: (issue) => format.dateTime(issue[id])
  }
}

export function issueColumns(options: IssueColumnOptions): TableColumn<Issue>[] {
  const { t, format, span, isPlatform } = options
  const mark = html`<span class="tag bad">${t('issue.isNew')}</span> `
  const columns: TableColumn<Issue>[] = [
    {
      id: 'issue',
      header: t('issue.issue'),
      link: true,
      cell: (issue) => html`${isNew(issue, span) ? mark : nothing}${issue.type || issue.fingerprint}
        <span class="dim">${issue.message}</span>`,
      hint: ({ type, message }) => `${type}: ${message}`
    },
    {
      id: 'count',
      header: t('issue.count'),
      width: 96,
      align: 'end',
      sort: 'desc',
      cell: ({ count }) => format.compact(count)
    },
    moment('firstAt', t('issue.first'), 620, options),
    moment('lastAt', t('issue.last'), 420, options)
  ]
  if (!isPlatform) return columns
  const tenant = { id: 'tenant', header: t('column.tenant'), width: 100, hideBelow: 720 }
  return [...columns, { ...tenant, cell: ({ tenantId }) => tenantId }]
}
