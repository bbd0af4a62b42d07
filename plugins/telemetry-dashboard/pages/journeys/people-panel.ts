// What the drawer shows of one number of the funnel: the people behind it.
import { exportButtons, type Format } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { failedLine } from '../parts.ts'
import type { peopleOf, WantedPeople } from './loads.ts'

type PeopleLoad = ReturnType<typeof peopleOf>

export interface PeoplePanelOptions {
  readonly wanted: WantedPeople
  readonly load: PeopleLoad
  /** The people, once they are those of the wanted number. */
  readonly people: PeopleLoad['value']
  readonly format: Format
  readonly isPlatform: boolean
  t(key: string, values?: Record<string, string | number>): string
  label(as: string): string
  subjectHref(ref: string): string
}

type Person = NonNullable<PeopleLoad['value']>['people'][number]

function personLine({ ref, tenantId, anchorAt, last }: Person, options: PeoplePanelOptions) {
  const { people, format, t, label, isPlatform, subjectHref } = options
  return html`<li>
    <a class="link mono" href=${subjectHref(ref)}>${people?.labels[ref]?.label ?? ref}</a>
    <small title=${format.dateTime(anchorAt)}>${format.date(anchorAt)}</small>
    <small>${t('funnel.last', { name: label(last) })}</small>
    ${isPlatform ? html`<small>${tenantId}</small>` : nothing}
  </li>`
}

function body(heading: string, options: PeoplePanelOptions): TemplateResult {
  const { load, people, t } = options
  if (load.failure !== undefined) {
    return failedLine(load.failure, t)
  }
  if (people === undefined) {
    return html`<div class="bones" aria-busy="true">${[1, 2, 3, 4].map(() => html`<span class="bone"></span>`)}</div>`
  }
  return html`<div class="who">
      ${exportButtons({ name: heading, rows: people.people }, t)}
      ${people.people.length === 0 ? html`<span class="dim">${t('funnel.none')}</span>` : nothing}
    </div>
    <ul class="people">${people.people.map((person) => personLine(person, options))}</ul>`
}

export function peoplePanel(options: PeoplePanelOptions): TemplateResult {
  const { wanted, people, format, t, label } = options
  const { stage, outcome, week } = wanted
  const key = outcome === 'reached' ? 'funnel.whoReached' : 'funnel.whoMissed'
  const heading = t(key, { name: label(stage) })
  const shown = people?.people.length ?? 0
  const total = people?.total ?? 0
  const count =
    shown < total
      ? t('funnel.whoPart', { shown, count: total })
      : t('funnel.whoNote', { count: total })
  return html`<div slot="header" class="people-head">
      <h2>${heading}</h2>
      <p class="dim">
        ${people === undefined ? '…' : count}${week === null ? '' : ` · ${t('funnel.ofWeek', { date: format.date(week) })}`}
      </p>
    </div>
    ${body(heading, options)}`
}
