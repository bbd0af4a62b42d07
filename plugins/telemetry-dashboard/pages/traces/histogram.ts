// A histogram of durations: bars that are links to the spans behind them.
import type { HistogramBar } from '@keelson/telemetry'
import type { AsJson, Format } from '@keelson/ui'
import { html, nothing, svg, type TemplateResult } from 'lit'
import { axisTop, countTicks } from './count-axis.ts'

export type Bar = AsJson<HistogramBar>

export interface HistogramOptions {
  readonly format: Format
  t(key: string, values: Record<string, string | number>): string
  /** The address that shows the spans of this bar alone. */
  barHref(bar: Bar): string
}

/** Height of a bar of 100; the smallest that has anything stays visible. */
export const barHeight = (n: number, top: number): number =>
  n === 0 ? 0 : Math.max(2, (n / top) * 100)

/** All bars, and half as many for where so many are too narrow to be pressed: styles show one of the two. */
export const histogram = (bars: readonly Bar[], options: HistogramOptions): TemplateResult =>
  html`${plot('many', bars, options)}${plot('few', mergedBars(bars), options)}`

/** One bar of each two. */
export const mergedBars = (bars: readonly Bar[]): readonly Bar[] =>
  bars.flatMap((bar, at) => {
    if (at % 2 === 1) return []
    const next = bars[at + 1]
    return next === undefined ? [bar] : [{ min: bar.min, max: next.max, n: bar.n + next.n }]
  })

function plot(
  size: 'many' | 'few',
  bars: readonly Bar[],
  { format, t, barHref }: HistogramOptions
): TemplateResult {
  const most = Math.max(0, ...bars.map(({ n }) => n))
  const top = axisTop(most)
  const text = ({ min, max, n }: Bar) =>
    t('traces.bar', { count: n, min: format.duration(min), max: format.duration(max) })
  const scale = bars.length === 0 ? '' : t('traces.histogramScale', { count: format.number(most) })
  return html`<div class="plot ${size}">
    ${bars.length === 0 ? nothing : countAxis(most, format)}
    <ol class="bars" aria-label=${scale}>
      ${bars.map((bar) => {
        const height = barHeight(bar.n, top)
        return html`<li>
          <a href=${barHref(bar)} aria-label=${text(bar)} title=${text(bar)}
            ><svg viewBox="0 0 1 100" preserveAspectRatio="none" aria-hidden="true"
              ><rect width="1" y=${100 - height} height=${height}></rect></svg
          ></a>
        </li>`
      })}
    </ol>
    <div class="ends dim" aria-hidden="true">${durationTicks(bars).map((at) => html`<span>${format.duration(at)}</span>`)}</div>
  </div>`
}

/** Where the first bar starts, one in the middle, and where the last ends. */
function durationTicks(bars: readonly Bar[]): readonly number[] {
  const [first] = bars
  const last = bars.at(-1)
  if (first === undefined || last === undefined) return []
  const middle = bars.length > 2 ? bars[bars.length >> 1] : undefined
  return [first.min, ...(middle === undefined ? [] : [middle.min]), last.max]
}

/** Lines behind the bars with their counts; the bars say theirs themselves. */
function countAxis(most: number, format: Format): TemplateResult {
  const top = axisTop(most)
  return html`<svg class="axis" aria-hidden="true">
    ${countTicks(most).map((tick) => {
      const y = `${100 - (tick / top) * 100}%`
      return svg`<line x1="40" x2="100%" y1=${y} y2=${y}></line>
        <text x="34" y=${y} dy="0.32em">${format.compact(tick)}</text>`
    })}
  </svg>`
}
