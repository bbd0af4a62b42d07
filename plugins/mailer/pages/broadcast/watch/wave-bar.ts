// The bar of a broadcast by waves: how far each is, and when those that follow begin.
import { html, nothing, type TemplateResult } from 'lit'
import type { BroadcastDetail } from '../../broadcasts/answers.ts'
import type { Words } from '../words.ts'

type Wave = BroadcastDetail['progress']['waves'][number]

/**
 * More waves than this have no words of their own: one line tells of the one that goes out and the next. A wave
 * with words has at least this part of the bar.
 */
const MOST_NAMED = 6

const GOING: ReadonlySet<string> = new Set(['sending', 'paused'])

/** The bar. */
export function waveBar(broadcast: BroadcastDetail, words: Words): TemplateResult {
  const { waves, total } = broadcast.progress
  const { t } = words
  if (waves.length === 0)
    return html`<ol class="waves"><li><span class="bar"></span><span class="wave dim">${t('broadcast.waveNone')}</span></li></ol>`
  if (waves.length > MOST_NAMED) return manyWaves(broadcast, words)
  const columns = waves
    .map(({ size }) => `minmax(0, ${Math.max(size, total / MOST_NAMED)}fr)`)
    .join(' ')
  return html`<ol class="waves" .style=${`grid-template-columns:${columns}`}>${waves.map(
    (wave, at) => html`<li>${track(wave)} ${line(broadcast, at, words)}</li>`
  )}</ol>`
}

const track = ({ handed, size }: Wave): TemplateResult =>
  html`<span class="bar"><i .style=${`inline-size:${(handed / size) * 100}%`}></i></span>`

function line(broadcast: BroadcastDetail, at: number, words: Words): TemplateResult {
  const { t, format } = words
  const { waves } = broadcast.progress
  const { size = 0, handed = 0 } = waves[at] ?? {}
  const of = t('broadcast.waveOf', { handed: format.number(handed), size: format.number(size) })
  const when = whenOf(broadcast, at, words)
  return html`<span class="wave">${waves.length > 1 ? html`<b>${at + 1}</b> ` : nothing}${of} <span class="dim">${when}</span></span>`
}

/** Thin tracks, and words for the wave that goes out and the one after it. */
function manyWaves(broadcast: BroadcastDetail, words: Words): TemplateResult {
  const { waves } = broadcast.progress
  const begun = waves.filter(({ startedAt }) => startedAt !== undefined).length
  const columns = `repeat(${waves.length}, minmax(2px, 1fr))`
  const shown = [Math.max(0, begun - 1), begun].filter(
    (at, index, all) => at < waves.length && all.indexOf(at) === index
  )
  return html`<div class="waves many">
    <div class="tracks" .style=${`grid-template-columns:${columns}`} aria-hidden="true">${waves.map(track)}</div>
    <p class="row">${shown.map((at) => line(broadcast, at, words))}</p>
  </div>`
}

/** When a wave began or begins, or what it waits for. */
function whenOf(broadcast: BroadcastDetail, at: number, { t, format }: Words): string {
  const { progress, splitPhase, status, wavePlan, pauseReason } = broadcast
  const { startedAt, startsAt, handed = 0, size = 0 } = progress.waves[at] ?? {}
  if (startedAt !== undefined)
    return handed < size && GOING.has(status)
      ? t('broadcast.waveNow')
      : t('broadcast.waveFrom', { at: shortTime(startedAt, format) })
  const isFirst = progress.waves[at - 1]?.startedAt !== undefined
  if (splitPhase === 'deciding' && isFirst) return t('broadcast.waveWinner')
  if (startsAt !== undefined) return t('broadcast.waveStarts', { at: shortTime(startsAt, format) })
  if (wavePlan == null || pauseReason?.code === 'cap_reached') return t('broadcast.waveWaits')
  if (!isFirst) return t('broadcast.waveLater')
  return t(status === 'paused' ? 'broadcast.waveHeld' : 'broadcast.waveDue')
}

/** The time alone within a day. */
export function shortTime(at: string, format: Words['format'], now = Date.now()): string {
  const isSoon = Math.abs(Date.parse(at) - now) < 20 * 3_600_000
  return isSoon ? format.time(at) : format.dateTime(at)
}
