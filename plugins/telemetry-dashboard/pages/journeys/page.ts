// The Journeys page: how far people come, who comes back, and every rollup to look into.

import {
  controls,
  define,
  definePage,
  exportButtons,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonStat,
  KeelsonTable,
  registerCatalog,
  Shortcuts,
  shareStyles,
  tableView
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { alertParams } from '../alert-link.ts'
import { Look } from '../look.ts'
import { panelStyles } from '../panel-styles.ts'
import { failedLine, widerLink } from '../parts.ts'
import { pageStyles } from '../styles.ts'
import { subId } from '../sub-id.ts'
import { registerTexts } from '../texts.ts'
import { EventFunnelCard } from './event-funnel-card.ts'
import {
  activityFamilies,
  allFamilies,
  type Family,
  labelOf,
  milestoneFamilies,
  type Stages,
  stagesOf,
  toggleStage
} from './families.ts'
import {
  biggestDrop,
  type FunnelWords,
  funnelBars,
  percent,
  type Slice,
  sliceCells,
  sliceColumns
} from './funnel.ts'
import { FunnelGroups } from './groups-card.ts'
import {
  cohortSpan,
  followingOf,
  funnelOf,
  peopleOf,
  retentionOf,
  type WantedPeople
} from './loads.ts'
import { peoplePanel } from './people-panel.ts'
import { retentionCard } from './retention-card.ts'
import { RollupTable } from './rollup-table.ts'
import { journeysStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }

const NO_PEOPLE = { stage: null, outcome: null, week: null }
const NO_STAGES: Stages = { stages: [], exits: [] }

class JourneysPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, panelStyles, shareStyles, journeysStyles]
  readonly #look: Look = new Look(this, {
    view: 'journeys',
    closes: NO_PEOPLE,
    asked: () => this.#family ?? '',
    loads: () => [
      this.#following,
      this.#funnel,
      this.#groups.load,
      ...this.#eventFunnel.loads,
      this.#retention,
      this.#rollup.load
    ]
  })
  readonly #dashboard = this.#look.dashboard
  readonly #registry = this.#dashboard.registry
  readonly #following = followingOf(this.#look, () =>
    this.#family === null ? this.#milestones : []
  )
  readonly #funnel = funnelOf(this.#look, () => this.#chosen, this.#following)
  readonly #groups = new FunnelGroups(this.#look, () => this.#chosen)
  readonly #eventFunnel = new EventFunnelCard(this.#look)
  readonly #retention = retentionOf(this.#look, () => this.#chosen, this.#following)
  readonly #people = peopleOf(
    this.#look,
    () => this.#chosen,
    () => this.#wanted
  )
  readonly #rollup = new RollupTable(this.#look)

  constructor() {
    super()
    new Shortcuts(this, () => [
      { keys: '/', label: this.t('journeys.findHint'), run: () => this.#focusSearch() }
    ])
  }

  protected override get windowTitle(): string {
    const title = this.t('journeys.title')
    return this.#family === null ? title : `${this.#family} · ${title}`
  }

  /** The rollup family that is looked into; `null` on the overview of funnel and retention. */
  get #family(): string | null {
    return this.params.get('rollup')
  }

  get #milestones(): readonly Family[] {
    return this.#registry.value === undefined ? [] : milestoneFamilies(this.#registry.value)
  }

  /** The chosen stages; none while a family is looked into. */
  get #chosen(): Stages {
    if (this.#family !== null) return NO_STAGES
    return stagesOf(this.#milestones, this.params, this.#following.value)
  }

  /** The number whose people are listed. */
  get #wanted(): WantedPeople | null {
    const stage = this.params.get('stage')
    const { stages, exits } = this.#chosen
    if (stage === null || ![...stages, ...exits].includes(stage)) return null
    const outcome = this.params.get('outcome') === 'missed' ? 'missed' : 'reached'
    return { stage, outcome, week: this.params.get('week') }
  }

  /** The people, once they are those of the wanted number. */
  get #shownPeople() {
    const wanted = this.#wanted
    if (wanted === null) return undefined
    const { from, to } = cohortSpan(this.#look.range.span, wanted.week, this.format.timeZone)
    const people = this.#people.value
    return people?.asked === `${wanted.stage} ${wanted.outcome} ${from} ${to}` ? people : undefined
  }

  #labelOf(as: string): string {
    return this.#registry.value === undefined ? as : labelOf(this.#registry.value, as)
  }

  #focusSearch(): void {
    this.renderRoot.querySelector<HTMLElement>('.find .field')?.focus()
  }

  readonly #subjectHref = (subject: string): string => this.#dashboard.href('journey', { subject })

  protected override updated(): void {
    // Other pages may link to a subject's journey at this address, and people write its ref behind it.
    const subject = this.params.get('subject') ?? subId(this.sub)
    if (subject !== undefined) this.page.navigate(this.#subjectHref(subject), { replace: true })
  }

  get #activity(): string {
    const registry = this.#registry.value
    return registry === undefined ? '' : (activityFamilies(registry)[0]?.label ?? '')
  }

  get #funnelWords(): FunnelWords {
    return {
      format: this.format,
      t: this.t,
      label: (as) => this.#labelOf(as),
      peopleHref: (stage, outcome, week) =>
        this.address({
          stage,
          outcome: outcome === 'reached' ? null : outcome,
          week: week ?? null
        })
    }
  }

  protected override content(): TemplateResult {
    return html`<keelson-page-header ranged heading=${this.t('journeys.title')}>
        ${this.#look.range.picker()} ${this.#look.live.button()}
        ${this.#dashboard.alertLink(alertParams([], this.#family === null ? { source: 'funnel', stages: this.#chosen.stages.join() } : { source: 'rollup', as: this.#family }))}
        ${this.#dashboard.views()}
      </keelson-page-header>
      <div class="main">
        <div class="row">${this.#search()} <span class="push"></span> ${this.#families()}</div>
        ${this.#family === null ? this.#overview() : this.#rollup.content(this.#family, this.#labelOf(this.#family))}
      </div>`
  }

  #search(): TemplateResult {
    return html`<form
      class="find"
      role="search"
      @submit=${(event: Event) => {
        event.preventDefault()
        const form = event.currentTarget as HTMLFormElement
        const subject = String(new FormData(form).get('subject')).trim()
        if (subject !== '') this.page.navigate(this.#subjectHref(subject))
      }}
    >
      <input
        class="field"
        name="subject"
        type="search"
        placeholder=${this.t('journeys.findHint')}
        aria-label=${this.t('journeys.find')}
      />
    </form>`
  }

  #families(): TemplateResult {
    const registry = this.#registry.value
    return html`<select
      class="field pick"
      aria-label=${this.t('journeys.family')}
      @change=${(event: Event) =>
        this.go({ rollup: (event.target as HTMLSelectElement).value, ...NO_PEOPLE })}
    >
      <option value="" .selected=${this.#family === null}>${this.t('journeys.pickFamily')}</option>
      ${(registry === undefined ? [] : allFamilies(registry)).map(
        ({ as, label }) =>
          html`<option value=${as} .selected=${as === this.#family}>${label}</option>`
      )}
    </select>`
  }

  #overview(): TemplateResult {
    if (this.#registry.value !== undefined && this.#milestones.length === 0) {
      return html`<div class="card">
        <keelson-empty
          heading=${this.t('journeys.noMilestones')}
          text=${this.t('journeys.noMilestonesText')}
        ></keelson-empty>
      </div>
      ${this.#eventFunnel.content()}`
    }
    return html`<h2 class="visually-hidden">${this.t('journeys.figures')}</h2>
      ${this.#tiles()} ${this.#funnelCard()} ${this.#funnel.isFirst ? nothing : this.#belowFunnel()}`
  }

  /** Drawn once the height of the funnel is known, so that nothing moves. */
  #belowFunnel(): TemplateResult {
    const { t, format } = this
    const retention = {
      load: this.#retention,
      activity: this.#activity,
      heading: t('retention.heading'),
      source: 'rollup' as const,
      format,
      t
    }
    return html`${this.#weeks()} ${this.#groups.content(this.#funnelWords)}
      ${retentionCard(retention)} ${this.#eventFunnel.content()}`
  }

  #tiles(): TemplateResult {
    const funnel = this.#funnel.value
    const stages = funnel?.stages ?? []
    const last = stages[stages.length - 1]
    const cohort = funnel?.cohortSubjects ?? 0
    const drop = biggestDrop(stages)
    const share = last?.pctOfFirst ?? null
    const time = last?.medianDaysFromAnchor ?? null
    const tile = (label: string, value: string, against = '') => html`<keelson-stat
      label=${this.t(label)}
      value=${value}
      against=${against}
      source="rollup"
      caveat=${funnel?.truncated === true ? 'truncated' : ''}
      .error=${this.#funnel.missing}
      ?loading=${this.#funnel.isFirst}
    ></keelson-stat>`
    const done = this.t('funnel.completedText', { count: last?.subjects ?? 0, total: cohort })
    return html`<div class="tiles">
      ${tile('funnel.cohort', this.format.number(cohort), this.t('funnel.cohortText'))}
      ${tile('funnel.completed', percent(share, this.#funnelWords), done)}
      ${tile('funnel.time', time === null ? '–' : this.format.duration(time * 86_400_000), this.t('funnel.timeText'))}
      ${tile(
        'funnel.drop',
        drop === undefined
          ? '–'
          : this.format.percent(drop.before.notReached / Math.max(1, drop.after.subjects), 0),
        drop === undefined
          ? ''
          : this.t('funnel.dropText', {
              count: drop.before.notReached,
              name: this.#labelOf(drop.after.as)
            })
      )}
    </div>`
  }

  #funnelCard(): TemplateResult {
    const funnel = this.#funnel.value
    return html`<section class="card panel">
      <header>
        <h2>${this.t('funnel.heading')}</h2>
        <span class="dim">${this.t(funnel?.truncated === true ? 'funnel.truncated' : 'funnel.note')}</span>
      </header>
      ${this.#stages()}
      ${
        this.#funnel.missing !== undefined
          ? failedLine(this.#funnel.missing, this.t)
          : funnel === undefined
            ? html`<div class="bones" aria-busy="true">${[1, 2, 3].map(() => html`<span class="bone"></span>`)}</div>`
            : funnel.cohortSubjects === 0
              ? this.#noCohort()
              : funnelBars(funnel, this.#funnelWords)
      }
    </section>`
  }

  #noCohort(): TemplateResult {
    return html`<keelson-empty heading=${this.t('journeys.noneStarted')} text=${this.t('journeys.noneStartedText')}>
      ${widerLink(this.#look)}
    </keelson-empty>`
  }

  #stages(): TemplateResult {
    const { stages } = this.#chosen
    return html`<div class="stages" role="group" aria-label=${this.t('funnel.stages')}>
      ${this.#milestones.map(({ as, label }) => {
        const place = stages.indexOf(as)
        return html`<button
          class="btn"
          aria-pressed=${place >= 0 ? 'true' : 'false'}
          @click=${() => this.go({ stages: toggleStage(stages, as).join(), ...NO_PEOPLE })}
        >${place >= 0 ? html`<b>${place + 1}</b>` : nothing}${label}</button>`
      })}
    </div>`
  }

  #weeks(): TemplateResult | typeof nothing {
    const funnel = this.#funnel.value
    const slices = [...(funnel?.slices ?? [])].reverse()
    const wanted = this.#wanted
    if (funnel === undefined || (slices.length === 0 && wanted === null)) return nothing
    return tableView<Slice>({
      heading: this.t('funnel.weeks'),
      note: this.t('funnel.weeksNote'),
      columns: sliceColumns(funnel, this.#funnelWords),
      rows: slices,
      idOf: ({ at }) => at,
      read: this.#funnel,
      isLive: this.#look.live.isOn,
      selected: wanted?.week ?? null,
      actions: exportButtons(
        { name: 'funnel', rows: slices, cells: () => slices.map(sliceCells) },
        this.t
      ),
      panel: {
        label: this.t('funnel.peopleLabel'),
        isOpen: wanted !== null,
        content: this.#peoplePanel(),
        onClose: () => this.go(NO_PEOPLE, { replace: true })
      }
    })
  }

  #peoplePanel(): TemplateResult | typeof nothing {
    const wanted = this.#wanted
    if (wanted === null) return nothing
    return peoplePanel({
      wanted,
      load: this.#people,
      people: this.#shownPeople,
      format: this.format,
      isPlatform: this.#dashboard.isPlatform,
      t: this.t,
      label: (as) => this.#labelOf(as),
      subjectHref: this.#subjectHref
    })
  }
}

registerTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonStat,
  KeelsonTable,
  KeelsonDrawer,
  KeelsonEmpty
)
definePage('telemetry-dashboard-journeys', JourneysPage)
