// The chart of the Events page: a measure of the records over time, in groups, against the period before.
import type { ChartSeries, Span } from '@keelson/ui'
import type { Interval } from '../buckets.ts'
import { bucketStarts, fillBuckets, ghostValues, previousSpan, total } from '../buckets.ts'
import type { Counts } from '../requests.ts'
import type { GroupLines } from './groups.ts'
import { addsUp, measureText } from './measures.ts'
import type { Words } from './tile-view.ts'

/** What was measured over a range and over the one before. */
export interface Measured {
  readonly now: Counts
  readonly before: Counts
  readonly span: Span
  readonly interval: Interval
}

export interface Drawn {
  readonly starts: readonly number[]
  readonly series: readonly ChartSeries[]
  readonly caption: string
}

/** Nothing measured is 0 of a total, and a gap of anything else. */
const missingOf = (measure: string | null) => (addsUp(measure) ? 0 : null)

export interface Drawing {
  readonly measure: string | null
  readonly label: string
  readonly groups:
    | ({ readonly lines: GroupLines } & Pick<Measured, 'span' | 'interval'>)
    | undefined
}

/** The lines of the chart; none while nothing is known. */
export function drawn(
  measured: Measured | undefined,
  { measure, label, groups }: Drawing,
  { format, t }: Words
): Drawn {
  const zone = format.timeZone
  const missing = missingOf(measure)
  const startsOf = ({ span, interval }: Pick<Measured, 'span' | 'interval'>) =>
    bucketStarts(span, interval, zone)
  if (measured === undefined) return { starts: [], series: [], caption: '' }
  const { now, before, span, interval } = measured
  const starts = startsOf(measured)
  const values = fillBuckets(now.buckets, starts, missing)
  const earlier = bucketStarts(previousSpan(span), interval, zone)
  const ghost = ghostValues(before.buckets, earlier, starts.length, missing)
  const lines =
    groups === undefined
      ? [{ id: 'now', label, values }]
      : groups.lines(startsOf(groups), { nameless: t('group.none'), missing })
  const figures = {
    total: measureText(measure, total(values), format),
    before: measureText(measure, total(ghost), format)
  }
  return {
    starts,
    series: [...lines, { id: 'before', label: t('events.previous'), values: ghost, ghost: true }],
    // People of several buckets may be the same.
    caption: addsUp(measure) && measure !== 'unique' ? t('events.caption', figures) : ''
  }
}
