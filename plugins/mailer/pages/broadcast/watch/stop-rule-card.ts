// How far each stop rule is from pausing the broadcast.
import { html, type TemplateResult } from 'lit'
import type { BroadcastDetail } from '../../broadcasts/answers.ts'
import type { Words } from '../words.ts'
import type { WatchView } from './view.ts'

type Meter = BroadcastDetail['stopMeters'][number]

/** From how many mails on the rules count, and whether more mails may come. */
interface Course {
  readonly minSample: number
  readonly hasEnded: boolean
}

/** Nothing is left to pause. */
const ENDED: ReadonlySet<BroadcastDetail['status']> = new Set(['sent', 'cancelled', 'failed'])

/** The limit is at two thirds of a track. */
const LIMIT_AT = 200 / 3

/** The card. */
export function stopRuleCard({ words, broadcast }: WatchView): TemplateResult {
  const { t } = words
  const { stopMeters, stopRules, status } = broadcast
  const hasEnded = ENDED.has(status)
  const isOver = stopMeters.some(({ left }) => left === 0) && (hasEnded || status === 'paused')
  const active = hasEnded ? 'ended' : 'armed'
  const state = stopMeters.length === 0 ? 'off' : isOver ? 'tripped' : active
  const tone = { off: '', ended: '', tripped: 'bad', armed: 'good' }[state]
  return html`<section class="card" aria-label=${t('broadcast.stop')}>
    <header><h2>${t('broadcast.stop')}</h2><span class="tag ${tone}">${t(`broadcast.stop.${state}`)}</span></header>
    ${stopMeters.length === 0 ? html`<p class="pad quiet">${t('broadcast.stopOff')}</p>` : stopMeters.map((meter) => rule(meter, { minSample: stopRules.minSample, hasEnded }, words))}
    <footer class="dim">${t('broadcast.stopFrom', { count: stopRules.minSample })}</footer>
  </section>`
}

function rule(meter: Meter, { minSample, hasEnded }: Course, { t, format }: Words): TemplateResult {
  const { rule, count, sample, ratePct, limitPct, left } = meter
  const name = t(`broadcast.rule.${rule}`)
  const isCounted = sample >= minSample
  const tone = left === 0 && isCounted ? 'bad' : left <= 1 && count > 0 && isCounted ? 'warn' : ''
  const filled =
    limitPct === 0 ? (count > 0 ? 100 : 0) : Math.min(100, (ratePct / limitPct) * LIMIT_AT)
  const sofar = format.number(count)
  const ahead =
    count === 0 && left === 1
      ? t('broadcast.left.first')
      : t('broadcast.left', { count: left, sofar })
  const within = hasEnded ? t('broadcast.left.ended', { count: sofar }) : ahead
  const words = left === 0 && isCounted ? t('broadcast.left.none') : within
  return html`<div class="rule ${tone}">
    <p><b>${name}</b><span class="push"><b>${format.number(ratePct, { maximumFractionDigits: 1, minimumFractionDigits: 1 })}</b> / ${format.number(limitPct)}%</span></p>
    <span class="track" role="img" aria-label=${t('broadcast.meter', { name, rate: format.percent(ratePct / 100, 1), limit: format.percent(limitPct / 100, 1) })}><i .style=${`inline-size:${filled}%`}></i><u></u></span>
    <p class="left">${tone === '' ? '' : '▲ '}${words}</p>
  </div>`
}
