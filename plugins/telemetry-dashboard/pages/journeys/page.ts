// The Journeys page: how far people come, who comes back, and every rollup to look into.

import {
  controls,
  define,
  definePage,
  exportButtons,
  icon,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonStat,
  KeelsonTable
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { type Changes, rangeChanges } from '../address.ts'
import { alertParams } from '../alert-link.ts'
import { widerRange } from '../empty.ts'
import type { RollupAnswer } from '../requests.ts'
import { shareStyles } from '../share-bar.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { activityFamilies, allFamilies, toggleStage } from './families.ts'
import {
  biggestDrop,
  type FunnelWords,
  funnelBars,
  type Slice,
  sliceCells,
  sliceColumns
} from './funnel.ts'
import { cohortCells, retentionGrid } from './retention.ts'
import { rollupCells, rollupColumns } from './rollup-columns.ts'
import { JourneysState } from './state.ts'
import { journeysStyles } from './styles.ts'
import { registerJourneysTexts } from './texts.ts'

const NO_PEOPLE: Changes = { stage: null, outcome: null, week: null }

class JourneysPage extends JourneysState {
  static override readonly styles = [controls, pageStyles, shareStyles, journeysStyles]

  protected override get closed(): Changes {
    return NO_PEOPLE
  }

  protected override get shortcuts() {
    const find = { keys: '/', label: this.t('journeys.findHint'), run: () => this.#focusSearch() }
    return [...super.shortcuts, find]
  }

  #focusSearch(): void {
    this.renderRoot.querySelector<HTMLElement>('.find .field')?.focus()
  }

  readonly #say = (key: string, values: Record<string, string>): string => this.t(key, values)

  readonly #subjectHref = (subject: string): string => this.pageHref('journey', { subject })

  protected override updated(): void {
    // An address of a subject's journey as other pages may know it.
    const subject = this.params.get('subject')
    if (subject !== null) this.page.navigate(this.#subjectHref(subject), { replace: true })
  }

  get #activity(): string {
    const registry = this.registry.value
    return registry === undefined ? '' : (activityFamilies(registry)[0]?.label ?? '')
  }

  get #funnelWords(): FunnelWords {
    return {
      format: this.format,
      t: (key, values) => this.t(key, values),
      label: (as) => this.labelOf(as),
      peopleHref: (stage, outcome, week) =>
        this.address({
          stage,
          outcome: outcome === 'reached' ? null : outcome,
          week: week?.slice(0, 10) ?? null
        })
    }
  }

  protected override content(): TemplateResult {
    return html`<keelson-page-header heading=${this.t('journeys.title')}>
        ${this.rangePicker()} ${this.liveButton()}
        ${this.alertLink(alertParams([], this.family === null ? { source: 'funnel', stages: this.chosen.stages.join() } : { source: 'rollup', as: this.family }))}
        ${this.viewsButton()}
      </keelson-page-header>
      <div class="main">
        <div class="row">${this.#search()} <span class="push"></span> ${this.#families()}</div>
        ${this.family === null ? this.#overview() : this.#rollups(this.family)}
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

  #families(): TemplateResult | typeof nothing {
    const registry = this.registry.value
    if (registry === undefined) return nothing
    return html`<select
      class="field pick"
      aria-label=${this.t('journeys.family')}
      @change=${(event: Event) =>
        this.go({ rollup: (event.target as HTMLSelectElement).value, ...this.closed })}
    >
      <option value="" .selected=${this.family === null}>${this.t('journeys.pickFamily')}</option>
      ${allFamilies(registry).map(
        ({ as, label }) =>
          html`<option value=${as} .selected=${as === this.family}>${label}</option>`
      )}
    </select>`
  }

  #overview(): TemplateResult {
    if (this.registry.value !== undefined && this.milestones.length === 0) {
      return html`<div class="card">
        <keelson-empty
          heading=${this.t('journeys.noMilestones')}
          text=${this.t('journeys.noMilestonesText')}
        ></keelson-empty>
      </div>`
    }
    return html`<h2 class="visually-hidden">${this.t('journeys.figures')}</h2>
      ${this.#tiles()} ${this.#funnel()} ${this.#weeks()} ${this.#retention()}`
  }

  #tiles(): TemplateResult {
    const funnel = this.funnel.value
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
      ?loading=${funnel === undefined && this.funnel.status !== 'error'}
    ></keelson-stat>`
    const done = this.t('funnel.completedText', { count: last?.subjects ?? 0, total: cohort })
    return html`<div class="tiles">
      ${tile('funnel.cohort', this.format.number(cohort), this.t('funnel.cohortText'))}
      ${tile('funnel.completed', share === null ? '–' : this.format.percent(share / 100), done)}
      ${tile('funnel.time', time === null ? '–' : this.format.duration(time * 86_400_000), this.t('funnel.timeText'))}
      ${tile(
        'funnel.drop',
        drop === undefined
          ? '–'
          : this.format.percent(1 - (drop.before.pctOfPrevious ?? 0) / 100, 0),
        drop === undefined
          ? ''
          : this.t('funnel.dropText', {
              count: drop.before.notReached,
              name: this.labelOf(drop.after.as)
            })
      )}
    </div>`
  }

  #funnel(): TemplateResult {
    const funnel = this.funnel.value
    const failed = [this.funnel, this.following].find(({ status }) => status === 'error')
    return html`<section class="card panel">
      <header>
        <h2>${this.t('funnel.heading')}</h2>
        <span class="dim">${this.t(funnel?.truncated === true ? 'funnel.truncated' : 'funnel.note')}</span>
      </header>
      ${this.#stages()}
      ${
        failed !== undefined
          ? html`<keelson-error .error=${failed.error} retry @keelson-retry=${() => failed.reload()}></keelson-error>`
          : funnel === undefined
            ? html`<div class="bones" aria-busy="true">${[1, 2, 3].map(() => html`<span class="bone"></span>`)}</div>`
            : funnel.cohortSubjects === 0
              ? this.#nobody()
              : funnelBars(funnel, this.#funnelWords)
      }
    </section>`
  }

  #nobody(): TemplateResult {
    const wider = widerRange(this.range)
    return html`<keelson-empty heading=${this.t('journeys.nobody')} text=${this.t('journeys.nobodyText')}>
      ${
        wider === undefined
          ? nothing
          : html`<a class="btn" href=${this.address(rangeChanges({ range: wider }, this.usualRange))}
            >${this.t('journeys.widen', { range: wider })}</a
          >`
      }
    </keelson-empty>`
  }

  #stages(): TemplateResult {
    const { stages } = this.chosen
    return html`<div class="stages" role="group" aria-label=${this.t('funnel.stages')}>
      ${this.milestones.map(({ as, label }) => {
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
    const funnel = this.funnel.value
    const slices = [...(funnel?.slices ?? [])].reverse()
    const { wanted } = this
    if (funnel === undefined || (slices.length === 0 && wanted === null)) return nothing
    return html`<keelson-drawer
      ?open=${wanted !== null}
      label=${this.t('funnel.peopleLabel')}
      @keelson-close=${() => this.go(NO_PEOPLE, { replace: true })}
    >
      <keelson-table
        slot="list"
        heading=${this.t('funnel.weeks')}
        note=${this.t('funnel.weeksNote')}
        .columns=${sliceColumns(funnel, this.#funnelWords)}
        .rows=${slices}
        .rowId=${({ at }: Slice) => at}
        .selected=${slices.find(({ at }) => at.slice(0, 10) === wanted?.week)?.at ?? null}
        .loading=${this.funnel.isPending && !this.isLive}
      >${exportButtons({ name: 'funnel', rows: slices, cells: () => slices.map(sliceCells) }, this.#say)}</keelson-table>
      ${this.#people()}
    </keelson-drawer>`
  }

  #people(): TemplateResult | typeof nothing {
    const { wanted } = this
    if (wanted === null) return nothing
    const { stage, outcome, week } = wanted
    const people = this.shownPeople
    const heading = this.t(outcome === 'reached' ? 'funnel.whoReached' : 'funnel.whoMissed', {
      name: this.labelOf(stage)
    })
    const shown = people?.people.length ?? 0
    const total = people?.total ?? 0
    const count =
      shown < total
        ? this.t('funnel.whoPart', { shown, count: total })
        : this.t('funnel.whoNote', { count: total })
    return html`<div slot="header" class="people-head">
        <h2>${heading}</h2>
        <p class="dim">
          ${people === undefined ? '…' : count}${week === null ? '' : ` · ${this.t('funnel.ofWeek', { date: this.format.date(week) })}`}
        </p>
      </div>
      ${
        this.people.status === 'error'
          ? html`<keelson-error .error=${this.people.error} retry @keelson-retry=${() => this.people.reload()}></keelson-error>`
          : people === undefined
            ? html`<div class="bones" aria-busy="true">${[1, 2, 3, 4].map(() => html`<span class="bone"></span>`)}</div>`
            : html`<div class="who">
              ${exportButtons({ name: heading, rows: people.people }, this.#say)}
              ${shown === 0 ? html`<span class="dim">${this.t('funnel.none')}</span>` : nothing}
            </div>
            <ul class="people">
              ${people.people.map(
                ({ ref, tenantId, anchorAt, last }) => html`<li>
                  <a class="link mono" href=${this.#subjectHref(ref)}
                    >${people.labels[ref]?.label ?? ref}</a
                  >
                  <small title=${this.format.dateTime(anchorAt)}>${this.format.date(anchorAt)}</small>
                  <small>${this.t('funnel.last', { name: this.labelOf(last) })}</small>
                  ${this.isPlatform ? html`<small>${tenantId}</small>` : nothing}
                </li>`
              )}
            </ul>`
      }`
  }

  #retention(): TemplateResult | typeof nothing {
    const retention = this.retention.value
    if (retention !== undefined && retention.cohorts.length === 0) return nothing
    const words = {
      format: this.format,
      t: (key: string, values?: Record<string, string | number>) => this.t(key, values)
    }
    return html`<section class="card panel">
      <header>
        <h2>${this.t('retention.heading')}</h2>
        <span class="dim"
          >${retention?.truncated === true ? this.t('retention.truncated') : this.t('retention.note', { name: this.#activity })}</span
        >
        <span class="push"></span>
        ${exportButtons(
          {
            name: 'retention',
            rows: retention?.cohorts ?? [],
            cells: () => (retention?.cohorts ?? []).map(cohortCells)
          },
          this.#say
        )}
        <span class="dim source" title=${this.t('stat.rollupHint')}>${this.t('stat.rollup')}</span>
      </header>
      ${
        this.retention.status === 'error'
          ? html`<keelson-error .error=${this.retention.error} retry @keelson-retry=${() => this.retention.reload()}></keelson-error>`
          : retention === undefined
            ? html`<p class="dim">${this.#activity === '' ? this.t('retention.none') : '…'}</p>`
            : retentionGrid(retention, words)
      }
    </section>`
  }

  #rollups(as: string): TemplateResult {
    const answer = this.rollups.value
    const rows = answer?.rows ?? []
    const words = {
      format: this.format,
      now: Date.now(),
      isPlatform: this.isPlatform,
      t: (key: string) => this.t(key),
      subjectHref: this.#subjectHref
    }
    const wider = widerRange(this.range)
    return html`<p>
        <a class="btn back" href=${this.address({ rollup: null })}
          >${icon('chevron-left', 14)}${this.t('journey.back')}</a
        >
      </p>
      <keelson-table
        keys
        heading=${this.labelOf(as)}
        note=${answer?.truncated === true ? this.t('rollup.truncated', { count: rows.length }) : this.t('rollup.note')}
        .columns=${rollupColumns(rows, answer?.bucketed === true, words)}
        .rows=${rows}
        .rowId=${({ _id }: RollupAnswer) => _id}
        .loading=${this.rollups.isFirst || (this.rollups.isPending && !this.isLive)}
        .error=${this.rollups.status === 'error' ? this.rollups.error : undefined}
        @keelson-retry=${() => this.rollups.reload()}
      >
        ${exportButtons({ name: as, rows, cells: () => rows.map(rollupCells) }, this.#say)}
        <keelson-empty slot="empty" heading=${this.t('rollup.none')}>
          ${
            wider === undefined
              ? nothing
              : html`<a class="btn" href=${this.address(rangeChanges({ range: wider }, this.usualRange))}
                >${this.t('journeys.widen', { range: wider })}</a
              >`
          }
        </keelson-empty>
      </keelson-table>`
  }
}

registerTexts()
registerJourneysTexts()
define(
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonStat,
  KeelsonTable,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError
)
definePage('telemetry-dashboard-journeys', JourneysPage)
