// Reports about single mails and about TLS, as tables of the DMARC page.
import {
  type KeelsonPage,
  type Load,
  type TableColumn,
  type TableView,
  tableView
} from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import type { Failure, Feedback, TlsReport } from './answers.ts'
import { received } from './received-column.ts'

type Page = Pick<KeelsonPage, 't' | 'format'>

/** Codes of a report in words. One that no standard has stays as the receiver wrote it. */
function codeWords(group: string, codes: readonly string[], { t, format }: Page): string {
  const words = codes.map((code) => {
    const key = `dmarc.${group}.${code}`
    const said = t(key)
    return said === key ? code : said
  })
  return words.length === 0 ? '–' : format.list(words)
}

const failureColumns = (page: Page): TableColumn<Failure>[] => {
  const { t } = page
  return [
    {
      id: 'type',
      header: t('dmarc.feedbackType'),
      width: 110,
      cell: ({ feedbackType }) => t(`dmarc.type.${feedbackType}`)
    },
    {
      id: 'failed',
      header: t('dmarc.failedChecks'),
      width: 110,
      hideBelow: 760,
      cell: ({ authFailure }) => codeWords('authFailure', authFailure, page)
    },
    {
      id: 'ip',
      header: t('dmarc.source'),
      width: 140,
      mono: true,
      hideBelow: 480,
      cell: ({ sourceIp }) => sourceIp ?? '–'
    },
    {
      id: 'domain',
      grow: 2,
      header: t('dmarc.domain'),
      cell: ({ reportedDomain }) => reportedDomain ?? '–'
    },
    {
      id: 'recipients',
      header: t('dmarc.recipients'),
      grow: 3,
      hideBelow: 880,
      cell: ({ recipients }) => recipients.join(', ') || '–'
    },
    {
      id: 'effect',
      header: t('dmarc.effect'),
      width: 120,
      hideBelow: 640,
      cell: ({ effect }) => t(`dmarc.effect.${effect ?? 'none'}`)
    },
    {
      id: 'subject',
      header: t('dmarc.subject'),
      grow: 2,
      hideBelow: 880,
      cell: ({ subject }) => subject ?? '–'
    },
    received(page)
  ]
}

const tlsColumns = (page: Page): TableColumn<TlsReport>[] => {
  const { t, format } = page
  const domains = ({ policies }: TlsReport) =>
    [...new Set(policies.map(({ policyDomain }) => policyDomain))].join(', ')
  const failures = ({ policies }: TlsReport) => {
    const types = policies.flatMap((policy) => policy.failures.map(({ resultType }) => resultType))
    return codeWords('tlsFailure', [...new Set(types)], page)
  }
  return [
    { id: 'org', header: t('dmarc.org'), cell: ({ organizationName }) => organizationName },
    { id: 'domain', header: t('dmarc.domain'), hideBelow: 560, cell: domains },
    {
      id: 'good',
      header: t('dmarc.tlsGood'),
      width: 90,
      align: 'end',
      hideBelow: 640,
      cell: ({ totalSuccessfulSessionCount }) => format.number(totalSuccessfulSessionCount)
    },
    {
      id: 'bad',
      header: t('dmarc.tlsBad'),
      width: 80,
      align: 'end',
      cell: ({ totalFailureSessionCount: count }) =>
        count === 0 ? '0' : html`<span class="tag bad">${format.number(count)}</span>`
    },
    {
      id: 'why',
      header: t('dmarc.tlsWhy'),
      hideBelow: 760,
      cell: failures
    },
    received(page)
  ]
}

/** The rows of a table that are shown at first. */
export type Newest = <Row>(
  table: string,
  rows: readonly Row[]
) => Pick<TableView<Row>, 'rows' | 'total' | 'onMore'>

/** Both tables. */
export function feedbackTables(
  page: Page,
  read: Load<readonly [], Feedback>,
  newest: Newest
): TemplateResult {
  const { failures = [], reports = [] } = read.value ?? {}
  const table = <Row extends { readonly key: string }>(
    name: string,
    columns: readonly TableColumn<Row>[],
    rows: readonly Row[]
  ) =>
    tableView({
      heading: page.t(`dmarc.${name}`),
      note: page.t(`dmarc.${name}Note`),
      columns,
      ...newest(name, rows),
      idOf: ({ key }) => key,
      read,
      empty: { heading: page.t(`dmarc.${name}None`), text: page.t(`dmarc.${name}NoneText`) }
    })
  return html`${table('failures', failureColumns(page), failures)}
    ${table('tls', tlsColumns(page), reports)}`
}
