// The Journey page: one subject's milestones, and all its records as a line of time.
import {
  addedParams,
  breadcrumb,
  controls,
  define,
  definePage,
  exportButtons,
  icon,
  KeelsonCopy,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonStat,
  KeelsonTable,
  registerCatalog,
  Selection,
  tableView,
  timeText
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { filterChanges, withFilter } from '../address.ts'
import { labelOf } from '../journeys/families.ts'
import { Look } from '../look.ts'
import { panelStyles } from '../panel-styles.ts'
import { widerLink } from '../parts.ts'
import { recordBody, recordHead, registerPanel } from '../records/panel.ts'
import type { FilterValue } from '../records/record.ts'
import { recordStyles } from '../records/styles.ts'
import { registerRecordTexts } from '../records/texts.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { isRef, type JourneyOf, journeyOf, matchesOf, subjectIn } from './loads.ts'
import { journeyStyles } from './styles.ts'
import { milestoneSteps, type SubjectWords, timelineColumns, transitionColumns } from './subject.ts'
import texts from './texts.en.json' with { type: 'json' }
import { type TimelineItem, timelineCells, transitionsOf } from './timeline.ts'

class JourneyPage extends KeelsonPage {
  static override readonly styles = [controls, recordStyles, pageStyles, panelStyles, journeyStyles]
  readonly #look: Look = new Look(this, {
    closes: { row: null },
    loads: () => [this.#journey, this.#matches]
  })
  readonly #dashboard = this.#look.dashboard
  readonly #journey = journeyOf(this.#look)
  readonly #matches = matchesOf(this.#look)
  readonly #selection = new Selection<TimelineItem>(this, { param: 'row' })

  /** The ref of the subject that is looked at; empty for none. */
  get #subject(): string {
    return subjectIn(this)
  }

  protected override get windowTitle(): string {
    const title = this.t('journey.title')
    return this.#subject === '' ? title : `${this.#subject} · ${title}`
  }

  #labelOf(as: string): string {
    const registry = this.#dashboard.registry.value
    return registry === undefined ? as : labelOf(registry, as)
  }

  get #words(): SubjectWords {
    return {
      format: this.format,
      now: Date.now(),
      isPlatform: this.#dashboard.isPlatform,
      t: this.t,
      label: (as) => this.#labelOf(as)
    }
  }

  protected override updated(): void {
    const [only, ...others] = this.#matches.value?.found ?? []
    const isAsked = this.#matches.value?.id === this.#subject && !isRef(this.#subject)
    if (isAsked && only !== undefined && others.length === 0) {
      this.go({ subject: only }, { replace: true })
    }
  }

  protected override content(): TemplateResult {
    const subject = this.#subject
    const { value } = this.#journey
    const journey = value?.subject === subject ? value : undefined
    const label = journey?.labels[subject]
    const back = this.#dashboard.href('journeys')
    if (!isRef(subject)) return this.#noSubject(subject, back)
    return html`<keelson-page-header ranged heading=${label?.label ?? subject}>
        ${breadcrumb(this, back, this.t('journey.list'))}
        ${label === undefined ? nothing : html`<span slot="tags" class="mono dim ref">${subject}</span>`}
        ${label?.href === undefined ? nothing : html`<a slot="tags" class="link" href=${label.href}>${icon('external', 14)}</a>`}
        <keelson-copy slot="tags" text=${subject} label=${this.t('journey.copy')}></keelson-copy>
        ${this.#look.range.picker()} ${this.#look.live.button()}
      </keelson-page-header>
      <div class="main">
        <h2 class="visually-hidden">${this.t('journeys.figures')}</h2>
        ${this.#tiles(journey)} ${this.#milestones(journey)} ${this.#timeline(subject, journey)}
        ${this.#states(journey)}
      </div>`
  }

  /** The address names no ref: those that have its ID, or how to write one. */
  #noSubject(id: string, back: string): TemplateResult {
    const { value, isFirst, missing } = this.#matches
    const matches = value?.id === id ? value : undefined
    const isFound = (matches?.found ?? []).length > 0
    const refs = (isFound ? matches?.found : matches?.tried) ?? []
    const state = id === '' ? 'unnamed' : isFound ? 'several' : 'unknown'
    const isShown = id === '' || missing !== undefined || matches !== undefined
    return html`<keelson-page-header ranged heading=${id === '' ? this.t('journey.title') : id}>
        ${breadcrumb(this, back, this.t('journey.list'))}
      </keelson-page-header>
      <div class="main">
        <div class="card" aria-busy=${isFirst && !isShown ? 'true' : 'false'}>
          ${isShown ? this.#choice(state, id, refs) : html`<div class="bones"><span class="bone"></span></div>`}
        </div>
      </div>`
  }

  #choice(state: string, id: string, refs: readonly string[]): TemplateResult {
    return html`<keelson-empty
      heading=${this.t(`journey.${state}`, { id })}
      text=${this.t(`journey.${state}Text`)}
    >
      <div class="actions">
        ${refs.map((ref) => html`<a class="btn" href=${this.address({ subject: ref })}>${this.t('journey.open', { ref })}</a>`)}
      </div>
    </keelson-empty>`
  }

  #tiles(journey: JourneyOf | undefined): TemplateResult {
    const records = journey?.records ?? []
    const errors = records.filter(({ kind }) => kind === 'error').length
    const first = journey?.milestones[0]
    const latest = records[0]
    const now = Date.now()
    const time = (at: string) => timeText(at, now, this.format)
    const caveat = journey?.truncated === true ? 'truncated' : ''
    const tile = (
      label: string,
      value: string,
      against: string,
      source: string,
      isBad = false
    ) => html`<keelson-stat
      label=${this.t(label)}
      value=${value}
      against=${against}
      source=${source}
      caveat=${source === 'raw' ? caveat : ''}
      tone=${isBad ? 'bad' : ''}
      .error=${journey === undefined ? this.#journey.failure : undefined}
      ?loading=${journey === undefined && this.#journey.failure === undefined}
    ></keelson-stat>`
    return html`<div class="tiles">
      ${tile('journey.records', this.format.number(records.length), '', 'raw')}
      ${tile('journey.errors', this.format.number(errors), '', 'raw', errors > 0)}
      ${tile('journey.first', first === undefined ? '–' : time(first.firstAt), first === undefined ? '' : this.#labelOf(first.as), 'rollup')}
      ${tile('journey.latest', latest === undefined ? '–' : time(latest.occurredAt), latest?.name ?? this.t('journey.never'), 'raw')}
    </div>`
  }

  #milestones(journey: JourneyOf | undefined): TemplateResult {
    const milestones = journey?.milestones ?? []
    return html`<section class="card panel">
      <header>
        <h2>${this.t('journey.milestones')}</h2>
        <span class="dim">${this.t('journey.milestonesNote')}</span>
      </header>
      ${
        milestones.length === 0
          ? html`<p class="dim steps">${journey === undefined ? (this.#journey.failure === undefined ? '…' : '–') : this.t('journey.noMilestones')}</p>`
          : milestoneSteps(milestones, this.#words)
      }
    </section>`
  }

  #timeline(subject: string, journey: JourneyOf | undefined): TemplateResult {
    const items = journey?.items ?? []
    const selection = this.#selection
    const open = items.find(({ id }) => id === selection.id)
    const events = this.#dashboard.href('events', { subject })
    return tableView<TimelineItem>({
      heading: this.t('journey.timeline'),
      note:
        journey?.truncated === true
          ? this.t('journey.truncated', { count: journey.records.length })
          : this.t('journey.timelineNote'),
      columns: timelineColumns(this.#words),
      rows: items,
      read: this.#journey,
      isLive: this.#look.live.isOn && journey !== undefined,
      selection,
      href: (item) => (item.record === undefined ? undefined : selection.href(item)),
      onOpen: (event) => {
        event.preventDefault()
        if (event.detail.row.record !== undefined) selection.open(event.detail.row)
      },
      actions: html`<a slot="actions" class="link export" href=${events}>${this.t('journey.events')}</a>
        ${exportButtons(
          { name: subject, rows: journey?.records ?? [], cells: () => items.map(timelineCells) },
          this.t
        )}`,
      empty: {
        heading: this.t('journey.none'),
        text: this.t('journey.noneText'),
        action: widerLink(this.#look)
      },
      panel: {
        label: this.t('record.label', {
          name: open?.record?.name ?? '',
          id: open?.record?._id ?? ''
        }),
        isOpen: open?.record !== undefined,
        content: open && this.#panel(open)
      }
    })
  }

  #panel({ record }: TimelineItem): TemplateResult | typeof nothing {
    if (record === undefined) return nothing
    const options = {
      format: this.format,
      t: this.t,
      traceHref: (trace: string) => this.#dashboard.href('trace', { trace }),
      // A value of a record leads to all records with it.
      filterHref: (filter: FilterValue) =>
        this.#dashboard.href('events', { ...addedParams(filterChanges(withFilter([], filter))) })
    }
    return html`${recordHead(record, options)}${recordBody(record, options)}`
  }

  #states(journey: JourneyOf | undefined): TemplateResult | typeof nothing {
    const transitions = transitionsOf(journey?.records ?? [])
    if (transitions.length === 0) return nothing
    return tableView({
      heading: this.t('journey.states'),
      columns: transitionColumns(this.#words),
      rows: transitions
    })
  }
}

registerTexts()
registerRecordTexts()
registerPanel()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonStat,
  KeelsonTable,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonCopy
)
definePage('telemetry-dashboard-journey', JourneyPage)
