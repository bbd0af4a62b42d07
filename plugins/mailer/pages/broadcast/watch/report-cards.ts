// The links that were clicked, and what happened by the hour.
import { html, type TemplateResult } from 'lit'
import type { BroadcastReport } from '../../broadcasts/answers.ts'
import type { Words } from '../words.ts'
import type { WatchView } from './view.ts'

const MOST_HOURS = 48

/** Both cards; they keep their size while they are read. */
export const reportCards = ({ words, report }: WatchView): TemplateResult =>
  html`<div class="report">${links(report, words)} ${hours(report, words)}</div>`

function links(report: BroadcastReport | undefined, { t, format }: Words): TemplateResult {
  const most = Math.max(1, ...(report?.links ?? []).map(({ people }) => people))
  const row = ({ url, people, machines }: BroadcastReport['links'][number]) => html`<li>
    <span class="grow url" title=${url}>${url.replace(/^https?:\/\//, '')}</span>
    <span class="share"><i .style=${`inline-size:${(people / most) * 100}%`}></i></span>
    <b class="num">${format.number(people)}</b>
    <span class="dim num machines">${machines === 0 ? '' : t('broadcast.machineClicks', { count: machines })}</span>
  </li>`
  return html`<section class="card" aria-label=${t('broadcast.links')}>
    <header><h2>${t('broadcast.links')}</h2><span class="quiet">${t(report?.isPartial === true ? 'broadcast.linksPartial' : 'broadcast.linksNote')}</span></header>
    ${
      report === undefined || report.links.length === 0
        ? html`<p class="pad quiet">${t(report === undefined ? 'broadcast.reading' : 'broadcast.linksNone')}</p>`
        : html`<ul class="lines links" tabindex="0" role="list" aria-label=${t('broadcast.links')}>${report.links.map(row)}</ul>`
    }
  </section>`
}

function hours(report: BroadcastReport | undefined, { t, format }: Words): TemplateResult {
  const points = filled(report?.hours ?? [])
  const head = html`<header><h2>${t('broadcast.hours')}</h2><span class="quiet key"><i class="opens"></i>${t('broadcast.opened')} <i class="clicks"></i>${t('broadcast.clicked')}</span></header>`
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined)
    return html`<section class="card" aria-label=${t('broadcast.hours')}>${head}<p class="pad quiet">${t(report === undefined ? 'broadcast.reading' : 'broadcast.hoursNone')}</p></section>`
  const most = Math.max(1, ...points.map(({ opens }) => opens))
  const words = ({ at, opens, clicks }: Point) =>
    t('broadcast.hour', {
      at: format.dateTime(at),
      opens: format.number(opens),
      clicks: format.number(clicks)
    })
  return html`<section class="card" aria-label=${t('broadcast.hours')}>${head}
    <ol class="hours" tabindex="0" aria-label=${t('broadcast.hours')}>${points.map(
      (point) => html`<li title=${words(point)}><span class="visually-hidden">${words(point)}</span>
        <i class="opens" .style=${`block-size:${(point.opens / most) * 100}%`}></i><i class="clicks" .style=${`block-size:${(point.clicks / most) * 100}%`}></i></li>`
    )}</ol>
    <p class="ends dim"><span>${format.dateTime(first.at)}</span><span>${format.dateTime(last.at)}</span></p>
  </section>`
}

interface Point {
  readonly at: number
  readonly opens: number
  readonly clicks: number
}

const HOUR = 3_600_000

/** Every hour from the first that has mails, hours without any event too, at most two days. */
function filled(hours: BroadcastReport['hours']): readonly Point[] {
  const [first] = hours
  const last = hours.at(-1)
  if (first === undefined || last === undefined) return []
  const start = Date.parse(first.at)
  const count = Math.min(MOST_HOURS, (Date.parse(last.at) - start) / HOUR + 1)
  const byTime = new Map(hours.map((hour) => [Date.parse(hour.at), hour]))
  return Array.from({ length: Math.max(count, 12) }, (_, index) => {
    const at = start + index * HOUR
    const { openedByPeople: opens = 0, clicked: clicks = 0 } = byTime.get(at) ?? {}
    return { at, opens, clicks }
  })
}
