// Draws a chart with uPlot: options from what is to be shown and the colours of the moment.
import uPlot from 'uplot'
import {
  type ChartTone,
  type DrawnSeries,
  timeBounds,
  timeLabels
} from '../elements/series-table/series.ts'
import type { Format } from '../format.ts'

export type ColorName = ChartTone | 'ghost' | 'hair' | 'ink-3' | 'accent' | 'surface'

export interface PlotOptions {
  readonly times: readonly number[]
  readonly interval: number | null
  /** Buckets at the start that hold only a part of their time. */
  readonly partial: number
  readonly drawn: readonly DrawnSeries[]
  readonly kind: 'line' | 'bars'
  readonly isStacked: boolean
  readonly width: number
  readonly height: number
  readonly format: Format
  readonly brush: { readonly from: number; readonly to: number } | null
  value(n: number): string
  color(name: ColorName): string
  font: string
  /** Dragged over a stretch, in milliseconds. */
  onBrush(from: number, to: number): void
  /** Moved over a bucket, or away (null). */
  onHover(index: number | null, left: number): void
}

/** Draws into the element and returns the plot, to be resized or destroyed. */
export function drawPlot(target: HTMLElement, options: PlotOptions): uPlot {
  const data = [options.times, ...options.drawn.map(({ values }) => values)]
  return new uPlot(plotOptions(options), data as uPlot.AlignedData, target)
}

function plotOptions(options: PlotOptions): uPlot.Options {
  const { from, to } = timeBounds(options.times, options.interval)
  const half = halfBucket(options)
  // A line ends at its last point; bars need room on both sides of theirs.
  const start = from - half
  const end = half > 0 ? to - half : (options.times[options.times.length - 1] ?? to)
  return {
    width: options.width,
    height: options.height,
    ms: 1,
    tzDate: (at) => uPlot.tzDate(new Date(at), options.format.timeZone),
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      points: { size: 7, show: options.kind === 'line' }
    },
    scales: {
      x: { time: true, range: () => [start, end > start ? end : start + 1] },
      y: {
        range: (_plot, _low, high) => [0, (valueTicks(high, isWhole(options)).at(-1) ?? 1) * ROOM]
      }
    },
    axes: axes(options),
    series: [{}, ...options.drawn.map((drawn) => seriesOptions(drawn, options))],
    hooks: hooks(options)
  }
}

/** A bar stands over its time, as a line's point does: its bucket reaches half as far to either side. */
const halfBucket = ({ kind, interval }: PlotOptions): number =>
  kind === 'bars' ? (interval ?? 0) / 2 : 0

function axes(options: PlotOptions): uPlot.Axis[] {
  const common = { stroke: options.color('ink-3'), font: options.font, ticks: { show: false } }
  return [
    {
      ...common,
      size: 24,
      gap: 6,
      // Never two ticks in one bucket.
      space: (_plot, _axis, low, high, room) =>
        Math.max(72, ((options.interval ?? 0) / (high - low)) * room),
      grid: { show: false },
      values: (_plot, ticks, _axis, _space, distance) => [
        ...timeLabels(ticks, distance, options.format)
      ]
    },
    {
      ...common,
      size: (_plot, values) =>
        12 + Math.max(20, ...(values ?? []).map((text) => text.length * 6.5)),
      gap: 6,
      space: 38,
      splits: (_plot, _axis, _low, top) => [...valueTicks(top * BELOW_TOP, isWhole(options))],
      grid: { stroke: options.color('hair'), width: 1 },
      values: (_plot, ticks) => ticks.map((tick) => options.value(tick))
    }
  ]
}

/** Between them no tick is of use: a quarter of one mail is none. */
const isWhole = ({ drawn }: PlotOptions): boolean =>
  drawn.every(({ values }) => values.every((value) => value === null || value % 1 === 0))

/** Above the last tick, so that a line along it is drawn whole. */
const ROOM = 1.02
/** From the upper edge back to a value that has the same ticks. */
const BELOW_TOP = 0.97

/** From zero to above the highest value, by steps of 1, 2 or 5 and their tens: four at most. */
export function valueTicks(high: number, areWhole: boolean): readonly number[] {
  const most = high > 0 ? high : 1
  const ten = 10 ** Math.floor(Math.log10(most / 4))
  const round = [1, 2, 5, 10].map((one) => one * ten).find((one) => one >= most / 4) ?? most
  const step = areWhole ? Math.max(1, round) : round
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, at) => at * step)
}

function seriesOptions({ tone, values, dash }: DrawnSeries, options: PlotOptions): uPlot.Series {
  const stroke = options.color(tone)
  const isLonely = values.filter((value) => value !== null).length === 1
  if (tone === 'ghost') return { stroke, width: 1.5, dash, points: { show: isLonely } }
  if (options.kind === 'bars') {
    const bars = uPlot.paths.bars
    return {
      stroke,
      fill: translucent(stroke, options.isStacked ? 1 : 0.75),
      width: 0,
      points: { show: false },
      ...(bars !== undefined && {
        paths: bars({ size: [0.72, 64], radius: options.isStacked ? 0 : 0.1 })
      })
    }
  }
  const fill = translucent(stroke, options.isStacked ? 0.35 : 0.09)
  return { stroke, width: 2, fill, points: { show: isLonely, size: 6 }, dash }
}

/** `rgb(1, 2, 3)` with an opacity. Other notations are left to the browser. */
function translucent(color: string, opacity: number): string {
  return `color-mix(in srgb, ${color} ${opacity * 100}%, transparent)`
}

function hooks(options: PlotOptions): uPlot.Hooks.Arrays {
  return {
    drawClear: [(plot) => paintBrush(plot, options)],
    draw: [(plot) => paintPartial(plot, options)],
    setCursor: [
      (plot) => {
        const { idx, left = -1 } = plot.cursor
        options.onHover(left < 0 ? null : (idx ?? null), left)
      }
    ],
    setSelect: [
      (plot) => {
        const { left, width } = plot.select
        const half = halfBucket(options)
        const timeAt = (place: number) => plot.posToVal(place, 'x') + half
        if (width > 4) options.onBrush(timeAt(left), timeAt(left + width))
        plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false)
      }
    ]
  }
}

/** Buckets that hold only a part of their time are paler: a first one would look like a fall. */
function paintPartial(plot: uPlot, options: PlotOptions): void {
  const end = options.times[options.partial]
  if (options.partial === 0 || end === undefined) return
  const { left, top, height } = plot.bbox
  const place = plot.valToPos(end - halfBucket(options), 'x', true)
  plot.ctx.save()
  plot.ctx.fillStyle = translucent(options.color('surface'), 0.6)
  plot.ctx.fillRect(left, top, place - left, height)
  plot.ctx.restore()
}

function paintBrush(plot: uPlot, options: PlotOptions): void {
  const { brush, color } = options
  if (brush === null) return
  const { left, top, width, height } = plot.bbox
  const place = (at: number) =>
    Math.min(left + width, Math.max(left, plot.valToPos(at - halfBucket(options), 'x', true)))
  const start = place(brush.from)
  plot.ctx.save()
  plot.ctx.fillStyle = translucent(color('accent'), 0.1)
  plot.ctx.fillRect(start, top, place(brush.to) - start, height)
  plot.ctx.restore()
}
