// The arms of an A/B test: one denominator, whether chance may explain the difference, and when it is decided.
import { html, nothing, type TemplateResult } from 'lit'
import { reachedOf } from '../../../ledger/outcomes/reached.ts'
import type { BroadcastDetail, BroadcastResults } from '../../broadcasts/answers.ts'
import type { Words } from '../words.ts'
import type { WatchView } from './view.ts'

type Arm = NonNullable<BroadcastResults['variants']>[number]
type Significance = NonNullable<BroadcastResults['significance']>

/** The card; nothing without a test. */
export function splitTestCard({ words, broadcast }: WatchView): TemplateResult | typeof nothing {
  const { t, format } = words
  const { results, splitTest, decidesAt, winner } = broadcast
  const { variants, rest, significance, total } = results
  if (variants === undefined || splitTest == null) return nothing
  const isReported = total.delivered > 0
  const by = t(`broadcast.by.${splitTest.winner}`)
  const decided =
    decidesAt === undefined
      ? t('broadcast.decidesAfter', { by, count: splitTest.decideAfterHours })
      : t(winner === undefined ? 'broadcast.decidesAt' : 'broadcast.decidedAt', {
          by,
          at: format.dateTime(decidesAt)
        })
  return html`<section class="card" aria-label=${t('broadcast.split')}>
    <header><h2>${t('broadcast.split')}</h2><span class="quiet">${t('broadcast.splitShare', { share: format.percent(splitTest.testPercent / 100) })}</span>
      <span class="tag push ${winner === undefined ? '' : 'good'}">${winner === undefined ? t('broadcast.noWinner') : t('broadcast.winnerIs', { name: winner })}</span></header>
    <div class="scroll" tabindex="0" role="group" aria-label=${t('broadcast.split')}><table>
      <thead><tr><th>${t('broadcast.arm')}</th><th class="num">${t(isReported ? 'broadcast.delivered' : 'broadcast.handedOff')}</th><th class="num">${t('broadcast.opened')}</th><th class="num">${t('broadcast.clicked')}</th></tr></thead>
      <tbody>${variants.map((arm, at) => armRow(arm, at, { words, isReported, by: splitTest.winner }))}
        ${rest === undefined ? nothing : restRow(rest, winner ?? '', { words, isReported })}</tbody>
    </table></div>
    ${significance === undefined ? nothing : verdict(significance, variants, words)}
    <footer class="dim">${decided}${winner === undefined ? '' : decidedOn(broadcast, words)} ${t('broadcast.machinesNote')}</footer>
  </section>`
}

/** What the decision was made on: reactions that came later can turn the figures of the table round. */
function decidedOn({ variants = [] }: BroadcastDetail, { t, format }: Words): string {
  const arms = variants.map(({ name, handed, reactions }) => {
    const share = handed === 0 ? t('mail.none') : format.percent(reactions / handed, 1)
    return `${name} ${share}`
  })
  return arms.length === 0 ? '' : ` ${t('broadcast.decidedOn', { arms: arms.join(', ') })}`
}

/** Of arms with longer names, which are beside it in full. */
const LETTERS = 'ABCDEFGHIJ'

type Counts = Pick<Arm, 'delivered' | 'handed'>

/** Delivered mails where the provider reports any, for every arm: rates must share what they are of. */
const sampleOf = ({ delivered, handed }: Counts, isReported: boolean): number =>
  isReported ? reachedOf(delivered, handed) : handed

/** Those who waited for the winner are no part of the test: they are a line of their own below it. */
function restRow(
  rest: NonNullable<BroadcastResults['rest']>,
  winner: string,
  { words: { t, format }, isReported }: { readonly words: Words; readonly isReported: boolean }
): TemplateResult {
  const of = sampleOf(rest, isReported)
  const share = (count: number) =>
    html`${format.number(count)} <span class="dim">${of === 0 ? t('mail.none') : format.percent(count / of, 1)}</span>`
  return html`<tr class="rest">
    <td>${t('broadcast.restOf', { winner })}</td>
    <td class="num">${format.number(of)}</td>
    <td class="num">${share(rest.openedByPeople)}</td>
    <td class="num">${share(rest.clickedByPeople)}</td>
  </tr>`
}

function armRow(
  arm: Arm,
  at: number,
  {
    words: { t, format },
    isReported,
    by
  }: { readonly words: Words; readonly isReported: boolean; readonly by: string }
): TemplateResult {
  const of = sampleOf(arm, isReported)
  const isShort = arm.name.length <= 2
  const text = arm.subject ?? arm.names?.template ?? arm.templateSlug
  const share = (count: number, isJudged: boolean) => {
    const text = html`${format.number(count)} <span class="dim">${of === 0 ? t('mail.none') : format.percent(count / of, 1)}</span>`
    return isJudged ? html`<b>${text}</b>` : text
  }
  return html`<tr>
    <td><span class="arm" .style=${`--c:var(--_series-${(at % 5) + 1})`}>${isShort ? arm.name : LETTERS[at]}</span> ${isShort ? text : html`${arm.name} <span class="dim">${text}</span>`} ${arm.isWinner ? html`<span class="tag good">${t('broadcast.won')}</span>` : nothing}</td>
    <td class="num">${format.number(of)}</td>
    <td class="num">${share(arm.openedByPeople, by === 'human_opens')}</td>
    <td class="num">${share(arm.clickedByPeople, by === 'human_clicks')}</td>
  </tr>`
}

function verdict(
  found: Significance,
  variants: readonly Arm[],
  { t, format }: Words
): TemplateResult {
  const { best, next, pValue, difference, needed, low, high } = found
  const points = format.number(difference * 100, { maximumFractionDigits: 1 })
  const mails = Math.min(...variants.map(({ handed }) => handed))
  const values = { best, next, points, chance: format.percent(pValue, 1) }
  const size =
    found.verdict === 'better' || needed === null
      ? nothing
      : html` ${t('broadcast.needed', { points, needed: format.number(needed), mails: format.number(mails) })}`
  return html`<div class="ci">
    <p role="status"><b>${t(`broadcast.significance.${difference === 0 ? 'equal' : found.verdict}`, values)}</b>${size}</p>
    ${difference === 0 ? nothing : interval({ best, next, low, high, difference }, { t, format })}
  </div>`
}

/** The 95 % interval of the difference on a line through zero. */
function interval(
  {
    best,
    next,
    low,
    high,
    difference
  }: Pick<Significance, 'best' | 'next' | 'low' | 'high' | 'difference'>,
  { t, format }: Pick<Words, 't' | 'format'>
): TemplateResult {
  const [from, to] = [Math.min(low, 0), Math.max(high, 0)]
  const x = (value: number) => 14 + ((value - from) / Math.max(to - from, 1e-9)) * 222
  const points = (value: number) =>
    format.number(value * 100, { maximumFractionDigits: 1, signDisplay: 'exceptZero' })
  const label = t('broadcast.interval', { best, next, low: points(low), high: points(high) })
  return html`<svg viewBox="0 0 250 46" role="img" aria-label=${label}>
    <path d="M0 20H250" class="axis"></path><path d=${`M${x(0)} 6V32`} class="zero"></path>
    <rect x=${x(low)} y="16" width=${Math.max(2, x(high) - x(low))} height="8" rx="4"></rect>
    <circle cx=${x(difference)} cy="20" r="5"></circle>
    <text x=${x(low)} y="44" text-anchor="middle">${points(low)}</text>
    <text x=${x(high)} y="44" text-anchor="middle">${points(high)}</text>
    <text x=${x(difference)} y="10" text-anchor="middle">${points(difference)}</text>
  </svg>`
}
