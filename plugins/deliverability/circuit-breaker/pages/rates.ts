// The four rates of a bucket against their limits, as figures and as bars.
import type { Format } from '@keelson/ui'
import { css, html, type TemplateResult } from 'lit'
import type { Bucket, Health } from './api.ts'

/** A rate and its limit. */
export interface Rate {
  readonly id: 'hardBounce' | 'complaint' | 'bounce' | 'failure'
  /** Fraction; null without mail. */
  readonly value: number | null
  /** Events behind the rate, of so many mails. */
  readonly count: number
  readonly of: number
  /** Fraction at which it trips or degrades. */
  readonly limit: number
  /** Below the minimum of mails a rate says nothing. */
  readonly isCounted: boolean
}

/** The limit's place on a bar, so that the marks of all bars line up. */
const MARK = 65

type Counted = Pick<Bucket, 'rates' | 'counters'>

/** The rates of a bucket, the gravest kind first. Pure. */
export function ratesOf({ rates, counters }: Counted, thresholds: Health['thresholds']): Rate[] {
  const { sent, hardBounced, complained, bounced, failedToSend } = counters
  const isCounted = sent >= thresholds.minSendsBeforeEval
  const all = { of: sent, isCounted }
  const { hardBounceRatePctTrip, complaintRatePctTrip } = thresholds
  const { combinedBounceRatePctTrip, failedToSendRatePctDegrade } = thresholds
  return [
    {
      id: 'hardBounce',
      value: rates.hardBounceRate,
      count: hardBounced,
      limit: hardBounceRatePctTrip / 100,
      ...all
    },
    {
      id: 'complaint',
      value: rates.complaintRate,
      count: complained,
      limit: complaintRatePctTrip / 100,
      ...all
    },
    {
      id: 'bounce',
      value: rates.bounceRate,
      count: bounced,
      limit: combinedBounceRatePctTrip / 100,
      ...all
    },
    {
      id: 'failure',
      value: rates.failureRate,
      count: failedToSend,
      limit: failedToSendRatePctDegrade / 100,
      of: sent + failedToSend,
      isCounted: sent + failedToSend >= thresholds.minSendsBeforeEval
    }
  ]
}

/** How a rate is doing. */
export const toneOf = ({ value, limit, isCounted }: Rate): 'good' | 'warn' | 'bad' | 'none' => {
  if (value === null || !isCounted) return 'none'
  if (value > limit) return 'bad'
  return value >= limit / 2 ? 'warn' : 'good'
}

/** The rates as a list of bars. `t` names them; `hrefOf` leads to the mails behind one. */
export const rateBars = (
  rates: readonly Rate[],
  {
    t,
    format
  }: {
    readonly t: (key: string, values?: Record<string, string | number>) => string
    readonly format: Format
  },
  hrefOf: (id: Rate['id']) => string
): TemplateResult => html`<ul class="rates">
  ${rates.map((rate) => {
    const { id, value, limit, isCounted, count, of } = rate
    const share = value === null ? 0 : Math.min(100, (value / limit) * MARK)
    const figures =
      isCounted && value !== null
        ? html`<b>${format.percent(value, 1)}</b> / ${format.percent(limit, 1)}`
        : t('health.countOf', { count: format.number(count), of: format.number(of) })
    return html`<li class=${toneOf(rate)}>
      ${count > 0 ? html`<a class="link" href=${hrefOf(id)} aria-label=${t('health.mailsOf', { rate: t(`health.rate.${id}`) })}>${t(`health.rate.${id}`)}</a>` : html`<span>${t(`health.rate.${id}`)}</span>`}<em>${figures}</em>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="6" y="0"></rect>
        <rect class="fill" width=${share} height="6"></rect>
        <rect class="mark" x=${MARK} width="1.2" height="6"></rect>
      </svg>
    </li>`
  })}
</ul>`

/** Styles of `rateBars`. */
export const rateStyles = css`
  .rates { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px 16px; font-size: var(--_text-sm); }
  .rates li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 8px; color: var(--_ink-2); font-variant-numeric: tabular-nums; }
  .rates em { font-style: normal; }
  .rates b { color: var(--_ink); font-weight: 650; }
  .rates .bad b { color: var(--_bad); }
  .rates svg { grid-column: 1 / -1; inline-size: 100%; block-size: 6px; border-radius: 3px; }
  .rates .track { fill: var(--_sunken); }
  .rates .mark { fill: var(--_ink-3); }
  .rates .fill { fill: var(--_ink-3); opacity: 0.55; }
  .rates .good .fill { fill: var(--_good); opacity: 1; }
  .rates .warn .fill { fill: var(--_warn); opacity: 1; }
  .rates .bad .fill { fill: var(--_bad); opacity: 1; }
  @media (forced-colors: active) { .rates .mark, .rates .fill { fill: CanvasText; } }
`
