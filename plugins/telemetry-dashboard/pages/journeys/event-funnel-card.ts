// The funnel over any events: its steps are picked one by one; its order, time and groups are chosen.
import type { EventFunnelResult } from '@keelson/telemetry'
import { type AsJson, exportButtons, icon, Load, type Reloadable, tableView } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { groupKey, keyHeading } from '../figures.ts'
import type { Look } from '../look.ts'
import { failedLine, pick } from '../parts.ts'
import { attrKeys, eventNames } from '../registry.ts'
import { path } from '../requests.ts'
import type { EventRetentionCard } from './event-retention-card.ts'
import { type FunnelWords, funnelBars } from './funnel.ts'
import { groupCells, groupColumns } from './groups-card.ts'

type Answer = AsJson<EventFunnelResult>

const MOST_STEPS = 12
const ORDERS = ['strict', 'any'] as const
const WINDOWS = ['', '1h', '1d', '7d', '30d'] as const
/** What people can be told apart by at the first step, besides its attributes. */
const FIELDS = ['service', 'release', 'env'] as const

export class EventFunnelCard {
  readonly #look: Look
  readonly #retention: Load<readonly [], EventRetentionCard>
  readonly load

  constructor(look: Look) {
    this.#look = look
    const { page, range, dashboard } = look
    this.#retention = new Load(page, {
      args: () => (this.#steps.length === 0 ? null : []),
      run: async () => {
        const late = await import('./event-retention-card.ts')
        return new late.EventRetentionCard(look, () => this.#steps[0])
      }
    })
    this.load = new Load(page, {
      args: () => {
        if (this.#steps.length === 0 || page.params.has('rollup')) return null
        const { from, to } = range.span
        return [this.#steps.join(), this.#order, this.#window, this.#split, from, to] as const
      },
      run: ([steps, order, window, by, from, to], signal) => {
        const more = { ...(window !== '' && { window }), ...(by !== '' && { by }) }
        const asked = new URLSearchParams({ steps, order, ...more })
        const span = { from, to }
        return dashboard.api.read<Answer>(path('funnel/events', asked, span, {}), signal)
      }
    })
  }

  /** What the page loads again. */
  get loads(): readonly Reloadable[] {
    return [this.load, this.#retention, this.#retention.value?.load].filter(
      (one) => one !== undefined
    )
  }

  get #steps(): readonly string[] {
    const steps = (this.#look.page.params.get('steps') ?? '').split(',').filter((one) => one !== '')
    return [...new Set(steps)].slice(0, MOST_STEPS)
  }

  get #order(): string {
    return this.#look.page.params.get('order') === 'any' ? 'any' : 'strict'
  }

  get #window(): string {
    const asked = this.#look.page.params.get('window')
    return WINDOWS.find((one) => one === asked) ?? ''
  }

  /** What people are grouped by; empty for nothing. */
  get #split(): string {
    return this.#look.page.params.get('split') ?? ''
  }

  #go(steps: readonly string[]): void {
    this.#look.page.go({ steps: steps.length === 0 ? null : steps.join() }, { replace: true })
  }

  content(): TemplateResult {
    const { page } = this.#look
    const { t } = page
    const truncated = this.load.value?.truncated === true
    return html`<section class="card panel events-funnel">
      <header>
        <h2>${t('steps.heading')}</h2>
        <span class="dim">${t(truncated ? 'steps.truncated' : `steps.${this.#order}Note`)}</span>
        <span class="row push">${this.#orderPick()} ${this.#windowPick()} ${this.#splitPick()}</span>
      </header>
      ${this.#picker()} ${this.#body()}
    </section>
    ${this.#groups()} ${this.#steps.length === 0 ? nothing : this.#retention.value?.content()}`
  }

  #orderPick(): TemplateResult {
    const { t } = this.#look.page
    return pick({
      label: t('steps.order'),
      chosen: this.#order,
      choices: ORDERS.map((one) => [one, t(`steps.${one}`)]),
      onPick: (order) => this.#look.page.go({ order }, { replace: true })
    })
  }

  #windowPick(): TemplateResult {
    const { t } = this.#look.page
    return pick({
      label: t('steps.window'),
      chosen: this.#window,
      choices: WINDOWS.map((one) => [
        one,
        one === '' ? t('steps.anyTime') : t('steps.within', { time: one })
      ]),
      onPick: (window) =>
        this.#look.page.go({ window: window === '' ? null : window }, { replace: true })
    })
  }

  #splitPick(): TemplateResult {
    const { page, dashboard } = this.#look
    const registry = dashboard.registry.value
    const [first] = this.#steps
    const attrs = registry === undefined || first === undefined ? [] : attrKeys(registry, first)
    const known = [...attrs.map((key) => `attr:${key}`), ...FIELDS]
    const chosen = this.#split
    const isKnown = chosen === '' || known.includes(chosen)
    return pick({
      label: page.t('steps.split'),
      chosen,
      choices: [
        ['', page.t('steps.whole')],
        ...(isKnown ? known : [...known, chosen]).map(
          (by) => [by, page.t('group.byOne', { name: keyHeading(groupKey(by)) })] as const
        )
      ],
      isDisabled: first === undefined,
      onPick: (split) => page.go({ split }, { replace: true })
    })
  }

  #groups(): TemplateResult | typeof nothing {
    const by = this.#split
    const { value } = this.load
    if (by === '' || this.#steps.length === 0) return nothing
    const { groups = [], stages = [] } = value ?? {}
    const words = this.#words
    return tableView({
      heading: words.t('funnel.groups', { key: groupKey(by) }),
      note: words.t('steps.splitNote'),
      skeleton: 4,
      columns: groupColumns({ by, stages }, words),
      rows: groups,
      idOf: ({ value }) => value ?? '',
      read: this.load,
      isLive: this.#look.live.isOn,
      actions: exportButtons(
        { name: 'funnel', rows: groups, cells: () => groups.map((one) => groupCells(one, by)) },
        words.t
      )
    })
  }

  /** The steps, each with a button that takes it out, and a choice of the next. */
  #picker(): TemplateResult {
    const { page, dashboard } = this.#look
    const steps = this.#steps
    const registry = dashboard.registry.value
    const names = registry === undefined ? [] : eventNames(registry)
    const left = names.filter((name) => !steps.includes(name))
    return html`<div class="stages">
      ${steps.map(
        (step) => html`<button
          class="btn"
          title=${page.t('steps.remove', { name: step })}
          aria-label=${page.t('steps.remove', { name: step })}
          @click=${() => this.#go(steps.filter((one) => one !== step))}
        >${step} ${icon('close', 12)}</button>`
      )}
      ${
        steps.length >= MOST_STEPS
          ? nothing
          : pick({
              label: page.t('steps.add'),
              chosen: '',
              choices: [['', page.t('steps.add')], ...left.map((name) => [name, name] as const)],
              isDisabled: registry === undefined,
              onPick: (name) => (name === '' ? undefined : this.#go([...steps, name]))
            })
      }
    </div>`
  }

  #body(): TemplateResult | typeof nothing {
    const { t } = this.#look.page
    if (this.#steps.length === 0) return html`<p class="dim">${t('steps.none')}</p>`
    if (this.load.missing !== undefined) return failedLine(this.load.missing, t)
    const answer = this.load.value
    if (answer === undefined) {
      return html`<div class="bones" aria-busy="true"><span class="bone"></span></div>`
    }
    const shown = {
      ...answer,
      cohortSubjects: answer.people,
      first: answer.people,
      exits: [],
      slices: null
    }
    return funnelBars(shown, this.#words)
  }

  /** A number leads to the records of its people. */
  get #words(): FunnelWords {
    const { page, dashboard } = this.#look
    const steps = this.#steps
    return {
      format: page.format,
      t: page.t,
      label: (step) => step,
      peopleHref: (step, outcome) => {
        const before = steps[steps.indexOf(step) - 1]
        const isMissed = outcome === 'missed' && before !== undefined
        const people = isMissed ? { did: before, didNot: step } : { did: step, name: step }
        return dashboard.href('events', { ...people, by: 'subject' })
      }
    }
  }
}
