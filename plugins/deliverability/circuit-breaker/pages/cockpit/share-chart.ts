// A line of shares by day against limits, small enough for a card.
import { html, nothing, svg, type TemplateResult } from 'lit'

/** A day and its share, from 0 to 1; null without a figure. */
export interface SharePoint {
  readonly day: string
  readonly share: number | null
}

/** What is drawn. */
export interface ShareChart {
  readonly points: readonly SharePoint[]
  /** Shares that the line should stay on one side of, with their words. */
  readonly limits: readonly {
    readonly at: number
    readonly tone: 'warn' | 'bad'
    readonly label: string
  }[]
  /** The shares at the lower and the upper edge. */
  readonly range: readonly [low: number, high: number]
  /** For those who do not see it. */
  readonly label: string
  /** The first and the last day. */
  readonly ends: readonly [first: string, last: string]
}

const [WIDTH, HEIGHT] = [260, 72]

/** The edges that hold all shares and limits. Pure. */
export function rangeOf(
  points: readonly SharePoint[],
  limits: readonly number[],
  { from, to }: { readonly from?: number; readonly to?: number }
): readonly [number, number] {
  const all = [...points.flatMap(({ share }) => share ?? []), ...limits]
  const low = from ?? Math.max(0, Math.min(...all) - 0.005)
  const high = to ?? Math.max(...all) * 1.1
  return [low, Math.max(high, low + 0.0001)]
}

/** The line, broken where a day has no figure. Pure. */
export function pathOf(
  points: readonly SharePoint[],
  [low, high]: readonly [number, number]
): string {
  const step = WIDTH / Math.max(1, points.length - 1)
  const y = (share: number) => HEIGHT - ((share - low) / (high - low)) * HEIGHT
  let isDrawn = false
  return points
    .flatMap(({ share }, at) => {
      const isOpen = isDrawn
      isDrawn = share !== null
      return share === null
        ? []
        : [`${isOpen ? 'L' : 'M'}${(at * step).toFixed(1)} ${y(share).toFixed(1)}`]
    })
    .join('')
}

/** The chart; nothing without two figures. */
export function shareChart({
  points,
  limits,
  range,
  label,
  ends
}: ShareChart): TemplateResult | typeof nothing {
  if (points.filter(({ share }) => share !== null).length < 2) return nothing
  const [low, high] = range
  const top = (share: number) => ((high - share) / (high - low)) * 100
  return html`<div class="chart" role="img" aria-label=${label}>
    <div class="plot">
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
        ${limits.map(({ at, tone }) => svg`<path class=${tone} d="M0 ${(top(at) / 100) * HEIGHT}H${WIDTH}"></path>`)}
        <path class="line" d=${pathOf(points, range)}></path>
      </svg>
      ${limits.map(({ at, tone, label: words }) => html`<span class=${tone} .style=${`inset-block-start:${top(at)}%`}>${words}</span>`)}
    </div>
    <p class="ends"><span>${ends[0]}</span><span>${ends[1]}</span></p>
  </div>`
}
