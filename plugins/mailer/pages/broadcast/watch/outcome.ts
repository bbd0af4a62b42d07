// What recipients did: people, machines alone, and those who did nothing yet.
import { html, nothing, type TemplateResult } from 'lit'
import { reachedOf } from '../../../ledger/outcomes/reached.ts'
import type { Words } from '../words.ts'
import type { WatchView } from './view.ts'

/** The card. */
export function outcome({ words, broadcast }: WatchView): TemplateResult {
  const { t, format } = words
  const { delivered, handed, ...total } = broadcast.results.total
  const reached = reachedOf(delivered, handed)
  const note = t(delivered === 0 ? 'broadcast.resultsNoteHanded' : 'broadcast.resultsNote', {
    count: format.number(reached)
  })
  return html`<section class="card" aria-label=${t('broadcast.results')}>
    <header><h2>${t('broadcast.results')}</h2><span class="quiet">${reached === 0 ? t('broadcast.resultsNone') : note}</span></header>
    <dl class="outcome">
      ${line(t('broadcast.opened'), { people: total.openedByPeople, all: total.opened, reached }, words)}
      ${line(t('broadcast.clicked'), { people: total.clickedByPeople, all: total.clicked, reached }, words)}
      ${line(t('broadcast.unsubscribed'), { people: total.unsubscribed, all: total.unsubscribed, reached }, words)}
    </dl>
  </section>`
}

interface Line {
  readonly people: number
  /** By people or machines. */
  readonly all: number
  readonly reached: number
}

function line(label: string, { people, all, reached }: Line, { t, format }: Words): TemplateResult {
  const machines = Math.max(0, all - people)
  const width = (count: number) => `inline-size:${reached === 0 ? 0 : (count / reached) * 100}%`
  const share = reached === 0 ? t('mail.none') : format.percent(people / reached, 1)
  return html`<dt>${label}</dt>
    <dd>
      <span class="stacked" aria-hidden="true"><i class="people" .style=${width(people)}></i><i class="machine" .style=${width(machines)}></i></span>
      <span class="figures"><b>${t('broadcast.people', { count: people, share })}</b>${machines === 0 ? nothing : html` <span class="dim">${t('broadcast.machines', { count: machines })}</span>`}</span>
    </dd>`
}
