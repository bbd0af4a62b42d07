// The report of list hygiene from the sums of a walk. Pure.
import { type Static, Type } from '@keelson/sdk'
import { BUCKET_DAYS, SUNSET_DAYS, type Tally } from './tally.ts'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])
const rate = nullable(Type.Number({ description: 'From 0 to 1; null without mail.' }))

/** The answer of `GET /hygiene`. */
export const reportSchema = Type.Object(
  {
    totalSubscribers: Type.Integer(),
    totalWithSends: Type.Integer({ description: 'Subscribers that were mailed.' }),
    buckets: Type.Array(
      Type.Object({
        label: Type.String(),
        minDays: nullable(Type.Integer()),
        maxDays: nullable(Type.Integer()),
        neverEngaged: Type.Boolean(),
        count: Type.Integer(),
        pctOfTotal: Type.Number({ description: 'Percent of all subscribers.' })
      })
    ),
    sunsetCandidate: Type.Object({
      count: Type.Integer(),
      pctOfTotal: Type.Number(),
      cohortLifetime: nullable(
        Type.Object({
          totalSends: Type.Integer(),
          bouncedRate: rate,
          hardBouncedRate: rate,
          complaintRate: rate
        })
      ),
      projectedImpact: nullable(
        Type.Object({
          recentTotalSends: Type.Integer(),
          recentBounced: Type.Integer(),
          recentComplained: Type.Integer(),
          cohortRecentSends: Type.Integer(),
          cohortRecentBounced: Type.Integer(),
          cohortRecentComplained: Type.Integer(),
          currentOverallBounceRate: rate,
          projectedBounceRate: rate,
          currentOverallComplaintRate: rate,
          projectedComplaintRate: rate
        })
      )
    }),
    computedAt: Type.Unsafe<Date>(Type.String({ format: 'date-time' }))
  },
  { title: 'HygieneReport' }
)

/** The report. Rates are fractions from 0 to 1, shares of subscribers are percent. */
export type HygieneReport = Static<typeof reportSchema>

/** The report of a walk that came to its end. */
export function reportOf(tally: Tally, computedAt: Date): HygieneReport {
  const { totalSubscribers, totalWithSends } = tally
  const share = (count: number) => (totalSubscribers === 0 ? 0 : (count / totalSubscribers) * 100)
  return {
    totalSubscribers,
    totalWithSends,
    buckets: BUCKETS.map((bucket, at) => {
      const count = tally.buckets[at] ?? 0
      return { ...bucket, count, pctOfTotal: share(count) }
    }),
    sunsetCandidate: {
      count: tally.sunset,
      pctOfTotal: share(tally.sunset),
      cohortLifetime: lifetimeOf(tally),
      projectedImpact: impactOf(tally)
    },
    computedAt
  }
}

const engaged = BUCKET_DAYS.map((maxDays, at) => {
  const minDays = at === 0 ? 0 : (BUCKET_DAYS[at - 1] ?? 0) + 1
  const label = at === 0 ? `Last ${maxDays} days` : `${minDays}–${maxDays} days ago`
  return { label, minDays, maxDays: maxDays as number | null, neverEngaged: false }
})

const BUCKETS = [
  ...engaged,
  {
    label: `More than ${SUNSET_DAYS} days ago`,
    minDays: SUNSET_DAYS + 1,
    maxDays: null,
    neverEngaged: false
  },
  { label: 'Never engaged', minDays: null, maxDays: null, neverEngaged: true }
]

const rateOf = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)

function lifetimeOf({ sunsetLifetime: { sent, bounced, hardBounced, complained } }: Tally) {
  if (sent === 0) return null
  return {
    totalSends: sent,
    bouncedRate: rateOf(bounced, sent),
    hardBouncedRate: rateOf(hardBounced, sent),
    complaintRate: rateOf(complained, sent)
  }
}

/** What the rates of the last 90 days would have been without the candidates. */
function impactOf({ recent, sunsetRecent }: Tally) {
  if (recent.sent === 0) return null
  const otherSends = recent.sent - sunsetRecent.sent
  return {
    recentTotalSends: recent.sent,
    recentBounced: recent.bounced,
    recentComplained: recent.complained,
    cohortRecentSends: sunsetRecent.sent,
    cohortRecentBounced: sunsetRecent.bounced,
    cohortRecentComplained: sunsetRecent.complained,
    currentOverallBounceRate: rateOf(recent.bounced, recent.sent),
    projectedBounceRate: rateOf(recent.bounced - sunsetRecent.bounced, otherSends),
    currentOverallComplaintRate: rateOf(recent.complained, recent.sent),
    projectedComplaintRate: rateOf(recent.complained - sunsetRecent.complained, otherSends)
  }
}
