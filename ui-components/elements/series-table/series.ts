// Series of a chart as they are drawn and told: stacking, tones, buckets, times. Pure.
import { wallTime } from '@keelson/sdk/zoned-time'
import type { Format } from '../../format.ts'

const DAY = 24 * 3_600_000
/** Pixels of a line before that of a series that runs alike. */
const TURN = 8

/** The colour of a series: one of five neutral colours, or a meaning. */
export type ChartTone = 1 | 2 | 3 | 4 | 5 | 'good' | 'warn' | 'bad'

/** One line or stack of a chart. */
export interface ChartSeries {
  readonly id: string
  /** Its name in the legend and in the table. */
  readonly label: string
  /** One per time; null leaves a gap. */
  readonly values: readonly (number | null)[]
  /** The previous period: dashed and quiet, never stacked. */
  readonly ghost?: boolean
  /** Default: the next neutral colour. */
  readonly tone?: ChartTone | undefined
}

/** What is drawn, back to front: stacked from the highest sum to the lowest, ghosts last. */
export interface DrawnSeries {
  readonly series: ChartSeries
  readonly values: readonly (number | null)[]
  readonly tone: ChartTone | 'ghost'
  /** Pixels of its line that are drawn and left out. */
  readonly dash: number[]
}

/** Tones are given out in the order of the series; those that name one keep it. */
export function toneOf(all: readonly ChartSeries[], series: ChartSeries): ChartTone | 'ghost' {
  if (series.ghost === true) return 'ghost'
  if (series.tone !== undefined) return series.tone
  const place = all.filter(({ ghost }) => ghost !== true).indexOf(series)
  return ((place % 5) + 1) as ChartTone
}

/** The series as they are drawn. */
export function drawnSeries(
  all: readonly ChartSeries[],
  isStacked: boolean
): readonly DrawnSeries[] {
  const drawn = (isGhost: boolean): DrawnSeries[] =>
    all
      .filter(({ ghost = false }) => ghost === isGhost)
      .map((series) => ({
        series,
        values: series.values,
        tone: toneOf(all, series),
        dash: isGhost ? [4, 4] : []
      }))
  const lines = drawn(false)
  if (!isStacked) return [...inTurns(lines), ...drawn(true)]
  let sums: readonly number[] = []
  const stacked = lines.map((line) => {
    sums = line.values.map((value, at) => (sums[at] ?? 0) + (value ?? 0))
    return { ...line, values: sums }
  })
  return [...stacked.reverse(), ...drawn(true)]
}

/** Lines that run alike would hide each other: each is drawn for a part of the way. */
function inTurns(lines: readonly DrawnSeries[]): DrawnSeries[] {
  return lines.map((line) => {
    const same = lines.filter(({ values }) => String(values) === String(line.values))
    const at = same.indexOf(line)
    return { ...line, dash: [TURN * (same.length - at), TURN * at] }
  })
}

/** The moments of a chart with the end of its last bucket. */
export function timeBounds(
  times: readonly number[],
  interval: number | null
): { readonly from: number; readonly to: number } {
  const from = times[0] ?? 0
  const last = times[times.length - 1] ?? from
  return { from, to: last + (interval ?? 0) }
}

/** A dragged stretch widened to whole buckets, inside the chart; undefined when it holds none. */
export function brushedBuckets(
  times: readonly number[],
  interval: number | null,
  from: number,
  to: number
): { readonly from: number; readonly to: number } | undefined {
  const length = interval ?? 0
  const touched = times.filter((time) => time + length >= from && time <= to)
  const [first] = touched
  const last = touched[touched.length - 1]
  if (first === undefined || last === undefined) return undefined
  const end = last + length
  return end > first ? { from: first, to: end } : undefined
}

/** Whether there is anything to draw at all. */
export function isBlank(all: readonly ChartSeries[]): boolean {
  return !all.some(({ values }) => values.some((value) => value !== null && value !== 0))
}

/** When a bucket starts, as precisely as its length makes sense of. */
export function timeText(time: number, interval: number | null, format: Format): string {
  return (interval ?? 0) >= DAY ? format.date(time) : format.dateTime(time)
}

/** How moments read at a distance between ticks, in milliseconds; a new day always says its date. */
export function timeLabels(
  ticks: readonly number[],
  distance: number,
  { locale, timeZone }: Pick<Format, 'locale' | 'timeZone'>
): readonly string[] {
  const day = new Intl.DateTimeFormat(locale, { ...dayOptions(distance), timeZone })
  const clock = new Intl.DateTimeFormat(locale, {
    timeZone,
    timeStyle: distance < 60_000 ? 'medium' : 'short',
    hourCycle: 'h23'
  })
  return ticks.map((tick) => {
    const isDay = distance >= DAY || wallTime(tick, timeZone) % DAY === 0
    return (isDay ? day : clock).format(tick)
  })
}

function dayOptions(distance: number): Intl.DateTimeFormatOptions {
  if (distance >= 28 * DAY) return { month: 'short', year: 'numeric' }
  return { day: 'numeric', [distance >= 3 * DAY ? 'month' : 'weekday']: 'short' }
}
