// The tiles above the events as they are shown, from the answers that they asked for.
import type { DistinctResult, DistributionResult } from '@keelson/telemetry'
import type { AsJson, Format, Span } from '@keelson/ui'
import { bucketStarts, change, fillBuckets, INTERVAL_MS, type Interval, total } from '../buckets.ts'
import { figureText, keyHeading } from '../figures.ts'
import { figureUnit } from '../records/record.ts'
import { type Buckets, type Counts, caveatOf, readCounts } from '../requests.ts'
import type { Tile } from './tiles.ts'

/** The properties of a `keelson-stat`. */
export interface TileView {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly change: number | null
  /** The count that it is against; null where it is none of a count. */
  readonly base: number | null
  readonly against: string
  readonly good: 'up' | 'down' | 'none'
  readonly points: readonly number[]
  readonly source: 'raw' | 'rollup'
  readonly caveat: '' | 'truncated' | 'sampled'
  readonly isBad: boolean
  /** Why there is no figure. */
  readonly error?: unknown
}

export interface Words {
  readonly format: Format
  t(key: string, values?: Record<string, string | number>): string
}

/** Two answers to one question: of this range and of the one before. */
export interface Pair {
  readonly now: unknown
  readonly before: unknown
}

type DistinctAnswer = AsJson<DistinctResult>
type DistributionAnswer = AsJson<DistributionResult>

/** A figure of rows that nothing is compared with. */
const PLAIN: Omit<TileView, 'id' | 'label' | 'value'> = {
  change: null,
  base: null,
  against: '',
  good: 'none',
  points: [],
  source: 'raw',
  caveat: '',
  isBad: false
}

const against = (before: string, { t }: Words): string => t('tile.against', { value: before })

/** A count against that of the period before. */
const counted = (
  tile: Pick<TileView, 'id' | 'label' | 'points' | 'source' | 'caveat'>,
  now: number,
  before: number,
  words: Words
): TileView => ({
  ...PLAIN,
  ...tile,
  value: words.format.compact(now),
  change: change(now, before),
  base: before,
  against: against(words.format.compact(before), words)
})

/** How many records there are: from the data of the chart itself. */
export const countTile = (
  label: string,
  counts: Counts,
  values: readonly number[],
  before: number,
  words: Words
): TileView =>
  counted(
    { id: 'count', label, points: values, source: counts.source, caveat: caveatOf(counts) },
    total(values),
    before,
    words
  )

/** The mean of a bucket and the fullest one: what is usual, and what the limit of an alert must allow for. */
export function rateTile(
  { now, span, interval }: { now: Counts; span: Span; interval: Interval },
  values: readonly number[],
  { format, t }: Words
): TileView {
  const rate = total(values) / Math.max(1, (span.to - span.from) / INTERVAL_MS[interval])
  return {
    ...PLAIN,
    id: 'rate',
    label: t('tile.rate', { interval: t(`interval.${interval}`) }),
    value: rate < 1 ? format.number(rate, { maximumSignificantDigits: 2 }) : format.compact(rate),
    against: t('tile.peak', { value: format.compact(Math.max(0, ...values)) }),
    source: now.source,
    caveat: caveatOf(now)
  }
}

function peopleView(pair: Pair, words: Words): TileView {
  const now = pair.now as DistinctAnswer
  const before = pair.before as DistinctAnswer
  const tile = {
    id: 'people',
    label: words.t('tile.people'),
    points: now.buckets.map(({ value }) => value),
    source: 'rollup',
    caveat: now.truncated === true ? 'truncated' : ''
  } as const
  return { ...counted(tile, now.distinct, before.distinct, words), good: 'up' }
}

function errorsView(pair: Pair, span: Span, buckets: Buckets, words: Words): TileView {
  const { interval, timeZone } = buckets
  const now = readCounts(pair.now as Parameters<typeof readCounts>[0])
  const before = readCounts(pair.before as Parameters<typeof readCounts>[0])
  const values = fillBuckets(now.buckets, bucketStarts(span, interval, timeZone), 0)
  const sum = total(values)
  const sumBefore = total(before.buckets.map(({ value }) => value))
  const tile = {
    id: 'errors',
    label: words.t('tile.errors'),
    points: values,
    source: now.source,
    caveat: caveatOf(now)
  } as const
  return { ...counted(tile, sum, sumBefore, words), good: 'down', isBad: sum > 0 }
}

function medianView(pair: Pair, measure: string, words: Words): TileView {
  const now = pair.now as DistributionAnswer
  const before = pair.before as DistributionAnswer
  const written = (value: number) => figureText(measure, value, words.format)
  const notes = [
    before.p50 === undefined ? '' : against(written(before.p50), words),
    now.p95 === undefined ? '' : words.t('tile.p95', { value: written(now.p95) }),
    now.truncated === true ? words.t('tile.truncated', { n: now.n }) : ''
  ]
  return {
    ...PLAIN,
    id: 'median',
    label: words.t('tile.median', { measure: keyHeading(measure) }),
    value: now.p50 === undefined ? '–' : written(now.p50),
    change: now.p50 === undefined || before.p50 === undefined ? null : change(now.p50, before.p50),
    against: notes.filter((note) => note !== '').join(' · '),
    good: figureUnit(measure) === 'duration' ? 'down' : 'none',
    caveat: now.truncated === true ? 'truncated' : ''
  }
}

/** A tile whose request failed. */
function lostTile(tile: Tile, error: unknown, { t }: Words): TileView {
  return {
    ...PLAIN,
    id: tile.id,
    label: t(`tile.${tile.id}`, { measure: 'measure' in tile ? keyHeading(tile.measure) : '' }),
    value: '–',
    error
  }
}

/** A tile that asked for itself. */
export function tileView(
  tile: Tile,
  answer: PromiseSettledResult<Pair>,
  span: Span,
  words: Words
): TileView {
  if (answer.status === 'rejected') return lostTile(tile, answer.reason, words)
  const pair = answer.value
  switch (tile.id) {
    case 'people':
      return peopleView(pair, words)
    case 'errors':
      return errorsView(pair, span, tile.buckets, words)
    case 'median':
      return medianView(pair, tile.measure, words)
  }
}
