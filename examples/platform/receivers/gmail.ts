// What Gmail's Postmaster Tools say about a domain of the demo: figures by day, and requirements. Pure.
import { type Static, Type } from '@keelson/sdk'
import { chanceFrom } from '../story/random.ts'

const DAY_MS = 86_400_000
/** Gmail has the figures of a day two days later. */
const LATER_DAYS = 2
const REPORTED_RATE = 0.0021

const dateSchema = Type.Object({
  year: Type.Integer({ minimum: 2000, maximum: 9999 }),
  month: Type.Integer({ minimum: 1, maximum: 12 }),
  day: Type.Integer({ minimum: 1, maximum: 31 })
})

/** The part of a question that is looked at. */
export const questionSchema = Type.Object({
  metricDefinitions: Type.Array(
    Type.Object({
      name: Type.String({ maxLength: 100 }),
      baseMetric: Type.Object({ standardMetric: Type.String({ maxLength: 100 }) }),
      filter: Type.Optional(Type.String({ maxLength: 200 }))
    }),
    { maxItems: 20 }
  ),
  timeQuery: Type.Object({
    dateRanges: Type.Object({
      dateRanges: Type.Array(Type.Object({ start: dateSchema, end: dateSchema }), {
        minItems: 1,
        maxItems: 1
      })
    })
  })
})
export type Question = Static<typeof questionSchema>
type Asked = Question['metricDefinitions'][number]

/** Answers a question about the days that Gmail has figures of. */
export function gmailFigures(
  { metricDefinitions, timeQuery }: Question,
  { now, reportedOn }: { readonly now: Date; readonly reportedOn: readonly string[] }
): object {
  const [range] = timeQuery.dateRanges.dateRanges
  const newest = now.getTime() - LATER_DAYS * DAY_MS
  const first = range === undefined ? newest : dayOf(range.start)
  const last = range === undefined ? newest : Math.min(dayOf(range.end), newest)
  const days = Array.from(
    { length: Math.max(0, Math.min(60, Math.floor((last - first) / DAY_MS) + 1)) },
    (_, at) => new Date(first + at * DAY_MS)
  )
  return {
    domainStats: days.flatMap((date) =>
      metricDefinitions.flatMap((asked) => {
        const value = figureOf(asked, date, reportedOn)
        return value === undefined ? [] : [{ metric: asked.name, date: partsOf(date), value }]
      })
    )
  }
}

const dayOf = ({ year, month, day }: Static<typeof dateSchema>) => Date.UTC(year, month - 1, day)
const partsOf = (date: Date) => ({
  year: date.getUTCFullYear(),
  month: date.getUTCMonth() + 1,
  day: date.getUTCDate()
})

function figureOf(
  { baseMetric: { standardMetric }, filter = '' }: Asked,
  date: Date,
  reportedOn: readonly string[]
): object | undefined {
  const chance = chanceFrom(Math.floor(date.getTime() / DAY_MS))
  const share = (least: number, most: number) => ({
    doubleValue: Number((least + chance.next() * (most - least)).toFixed(5))
  })
  if (standardMetric === 'SPAM_RATE') {
    const isReported = reportedOn.includes(date.toISOString().slice(0, 10))
    return isReported ? { doubleValue: REPORTED_RATE } : share(0.0002, 0.0007)
  }
  if (standardMetric === 'AUTH_SUCCESS_RATE') {
    // A newsletter service of the shop signs, and is not in its SPF record.
    return filter.includes('spf') ? share(0.91, 0.93) : share(0.978, 0.985)
  }
  if (standardMetric === 'TLS_ENCRYPTION_RATE') return { doubleValue: 1 }
  if (standardMetric === 'DELIVERY_ERROR_RATE') {
    return filter.includes('temp_fail') ? share(0.001, 0.004) : { doubleValue: 0 }
  }
  return undefined
}

const MET = { status: { status: 'COMPLIANT' } }

/** The shop meets every requirement. */
export const gmailCompliance = (domain: string): object => ({
  name: `domains/${domain}/complianceStatus`,
  complianceData: {
    domainId: domain,
    rowData: ['SPF', 'DKIM', 'DMARC_POLICY', 'MESSAGE_FORMATTING', 'ENCRYPTION'].map(
      (requirement) => ({ requirement, ...MET })
    ),
    oneClickUnsubscribeVerdict: MET,
    honorUnsubscribeVerdict: MET
  }
})
