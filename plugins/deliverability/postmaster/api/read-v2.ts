// Version 2 of the API: the questions, and what their answers say. Pure.
import { type Compliance, type DayStats, emptyDay } from './day-stats.ts'
import { dateOf, fieldsOf, listOf, ratioOf, textOf } from './json-fields.ts'

interface Metric {
  readonly name: string
  readonly standardMetric: string
  readonly filter?: string
}

/** What judging a domain needs. */
const FIGURES: readonly Metric[] = [
  { name: 'userReportedSpamRatio', standardMetric: 'SPAM_RATE' },
  {
    name: 'spfSuccessRatio',
    standardMetric: 'AUTH_SUCCESS_RATE',
    filter: 'auth_type = "spf"'
  },
  {
    name: 'dkimSuccessRatio',
    standardMetric: 'AUTH_SUCCESS_RATE',
    filter: 'auth_type = "dkim"'
  },
  {
    name: 'dmarcSuccessRatio',
    standardMetric: 'AUTH_SUCCESS_RATE',
    filter: 'auth_type = "dmarc"'
  }
]

/** What is good to know: asked apart, so that a refusal here loses nothing. */
const DETAILS: readonly Metric[] = [
  {
    name: 'inboundEncryptionRatio',
    standardMetric: 'TLS_ENCRYPTION_RATE',
    filter: 'traffic_direction = "inbound"'
  },
  {
    name: 'outboundEncryptionRatio',
    standardMetric: 'TLS_ENCRYPTION_RATE',
    filter: 'traffic_direction = "outbound"'
  },
  {
    name: 'error_reject',
    standardMetric: 'DELIVERY_ERROR_RATE',
    filter: 'error_type = "reject"'
  },
  {
    name: 'error_temp_fail',
    standardMetric: 'DELIVERY_ERROR_RATE',
    filter: 'error_type = "temp_fail"'
  },
  { name: 'feedbackLoops', standardMetric: 'FEEDBACK_LOOP_ID' }
]

const PAGE_SIZE = 200

/** Which days are asked for. */
export interface AskedDays {
  readonly first: Date
  readonly last: Date
}

/** The bodies of `domainStats:query`: figures that are needed, then details. */
export const statsQueries = (days: AskedDays): readonly [figures: object, details: object] => [
  queryOf(FIGURES, days),
  queryOf(DETAILS, days)
]

function queryOf(metrics: readonly Metric[], { first, last }: AskedDays): object {
  return {
    metricDefinitions: metrics.map(({ name, standardMetric, filter }) => ({
      name,
      baseMetric: { standardMetric },
      ...(filter !== undefined && { filter })
    })),
    timeQuery: { dateRanges: { dateRanges: [{ start: partsOf(first), end: partsOf(last) }] } },
    aggregationGranularity: 'DAILY',
    pageSize: PAGE_SIZE
  }
}

const partsOf = (date: Date) => ({
  year: date.getUTCFullYear(),
  month: date.getUTCMonth() + 1,
  day: date.getUTCDate()
})

type Figures = { -readonly [Key in keyof DayStats]: DayStats[Key] }

/** The days of any number of answers, newest first. Values that cannot be read are left out. */
export function readStats(answers: readonly unknown[]): readonly DayStats[] {
  const days = new Map<string, Figures>()
  const stats = answers.flatMap((answer) => listOf(fieldsOf(answer)['domainStats']))
  for (const stat of stats) {
    const { metric, date, value } = fieldsOf(stat)
    const { year, month, day } = fieldsOf(date)
    const at = dateOf(year, month, day)
    if (at === null || typeof metric !== 'string') continue
    const figures = days.get(at) ?? { ...emptyDay(at) }
    days.set(at, figures)
    setFigure(figures, metric, fieldsOf(value))
  }
  return [...days.values()].sort((a, b) => (a.date < b.date ? 1 : -1))
}

const RATIOS = [
  'userReportedSpamRatio',
  'spfSuccessRatio',
  'dkimSuccessRatio',
  'dmarcSuccessRatio',
  'inboundEncryptionRatio',
  'outboundEncryptionRatio'
] as const

function setFigure(figures: Figures, metric: string, value: Readonly<Record<string, unknown>>) {
  const ratio = ratioOf(value['doubleValue'] ?? value['floatValue'])
  const name = RATIOS.find((one) => one === metric)
  if (name !== undefined) {
    figures[name] = ratio
    return
  }
  const errorClass = /^error_(\w+)$/.exec(metric)?.[1]
  if (errorClass !== undefined && ratio !== null && ratio > 0) {
    const error = { errorClass, errorType: null, errorRatio: ratio }
    figures.deliveryErrors = [...figures.deliveryErrors, error]
  }
  if (metric !== 'feedbackLoops') return
  const ids = listOf(fieldsOf(value['stringList'])['values']).flatMap((id) => textOf(id) ?? [])
  figures.spammyFeedbackLoops = ids.slice(0, 100).map((id) => ({ id, spamRatio: null }))
}

const givenOf = (reason: string | null): string | null =>
  reason === 'REASON_UNSPECIFIED' ? null : reason

/** The requirements of Gmail, from `complianceStatus`. That of a subdomain wins over its parent's. */
export function readCompliance(answer: unknown): readonly Compliance[] {
  const { complianceData, subdomainComplianceData } = fieldsOf(answer)
  const { rowData, oneClickUnsubscribeVerdict, honorUnsubscribeVerdict } = fieldsOf(
    subdomainComplianceData ?? complianceData
  )
  const rows = listOf(rowData).map((row) => [fieldsOf(row)['requirement'], row] as const)
  const verdicts: readonly (readonly [unknown, unknown])[] = [
    ...rows,
    ['ONE_CLICK_UNSUBSCRIBE', oneClickUnsubscribeVerdict],
    ['HONOR_UNSUBSCRIBE', honorUnsubscribeVerdict]
  ]
  return verdicts.slice(0, 50).flatMap(([name, verdict]) => {
    const { status, reason } = fieldsOf(verdict)
    const requirement = textOf(name)
    const text = textOf(fieldsOf(status)['status']) ?? textOf(status)
    return requirement === null || text === null
      ? []
      : [{ requirement, status: text, reason: givenOf(textOf(reason)) }]
  })
}
