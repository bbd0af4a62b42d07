// A histogram of durations: bars that are links to the spans behind them.
import type { HistogramBar } from '@keelson/telemetry'
import type { AsJson, Format } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'

export type Bar = AsJson<HistogramBar>

export interface HistogramOptions {
  readonly format: Format
  t(key: string, values: Record<string, string | number>): string
  /** The address that shows the spans of this bar alone. */
  barHref(bar: Bar): string
}

/** Height of a bar of 100; the smallest that has anything stays visible. */
export const barHeight = (n: number, most: number): number =>
  n === 0 ? 0 : Math.max(2, (n / most) * 100)

export function histogram(bars: readonly Bar[], options: HistogramOptions): TemplateResult {
  const { format, t, barHref } = options
  const most = Math.max(1, ...bars.map(({ n }) => n))
  const text = ({ min, max, n }: Bar) =>
    t('traces.bar', { count: n, min: format.duration(min), max: format.duration(max) })
  const [first] = bars
  const last = bars[bars.length - 1]
  const scale = bars.length === 0 ? '' : t('traces.histogramScale', { count: format.number(most) })
  return html`<div class="ends dim" aria-hidden="true">
      <span>${bars.length === 0 ? '' : format.number(most)}</span>
    </div>
    <ol class="bars" aria-label=${scale}>
      ${bars.map((bar) => {
        const height = barHeight(bar.n, most)
        return html`<li>
          <a href=${barHref(bar)} aria-label=${text(bar)} title=${text(bar)}
            ><svg viewBox="0 0 1 100" preserveAspectRatio="none" aria-hidden="true"
              ><rect width="1" y=${100 - height} height=${height}></rect></svg
          ></a>
        </li>`
      })}
    </ol>
    <div class="ends dim">
      <span>${first === undefined ? '' : format.duration(first.min)}</span>
      <span>${last === undefined ? '' : format.duration(last.max)}</span>
    </div>`
}
