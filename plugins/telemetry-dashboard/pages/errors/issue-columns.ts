// The columns of the list of issues.
import { type Format, type Span, type TableColumn, timeText } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { bucketStarts, fillBuckets, type Interval } from '../buckets.ts'
import { type ValueLinks, valueLink } from '../value-link.ts'
import { type Issue, isNew } from './issues.ts'
import { spark } from './spark.ts'

export interface IssueColumnOptions extends ValueLinks {
  readonly format: Format
  readonly now: number
  readonly span: Span
  readonly interval: Interval
  /** Names the tenant of each issue. */
  readonly isPlatform: boolean
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
    width: 136,
    quiet: true,
    sort: 'desc',
    hideBelow,
    cell: (issue) => timeText(issue[id], now, format),
    hint: (issue) => format.dateTime(issue[id])
  }
}

function figure(
  id: 'count' | 'people' | 'total',
  header: string,
  hideBelow: number,
  { format }: IssueColumnOptions
): TableColumn<Issue> {
  const written = (value: number | null, write: (value: number) => string) =>
    value === null ? '–' : write(value)
  return {
    id,
    header,
    width: 100,
    align: 'end',
    sort: 'desc',
    hideBelow,
    cell: (issue) => written(issue[id], format.compact),
    hint: (issue) => written(issue[id], format.number)
  }
}

function trend({ buckets = [] }: Issue, options: IssueColumnOptions): TemplateResult {
  return spark(
    fillBuckets(buckets, bucketStarts(options.span, options.interval, options.format.timeZone), 0)
  )
}

export function issueColumns(options: IssueColumnOptions): TableColumn<Issue>[] {
  const { t, span, isPlatform } = options
  const mark = html`<span class="tag bad">${t('issue.isNew')}</span> `
  const tenant: TableColumn<Issue> = {
    id: 'tenant',
    header: t('column.tenant'),
    width: 100,
    hideBelow: 720,
    cell: ({ tenantId }) => valueLink(options, { field: 'tenant', value: tenantId }, tenantId, true)
  }
  return [
    {
      id: 'issue',
      header: t('issue.issue'),
      link: true,
      grow: 4,
      cell: (issue) => html`${isNew(issue, span) ? mark : nothing}${issue.type || issue.fingerprint}
        <span class="dim">${issue.message}</span>`,
      hint: ({ type, message }) => `${type}: ${message}`
    },
    ...(isPlatform ? [tenant] : []),
    {
      id: 'trend',
      header: t('issue.trend'),
      width: 132,
      hideBelow: 760,
      cell: (issue) => trend(issue, options)
    },
    figure('count', t('issue.count'), 0, options),
    figure('people', t('issue.people'), 640, options),
    figure('total', t('issue.total'), 560, options),
    moment('firstAt', t('issue.first'), 680, options),
    moment('lastAt', t('issue.last'), 420, options)
  ]
}
