// What the Flow page reads: the flow, where its runs are, what steps can name, runs, versions, a simulation.
import { type KeelsonPage, ListLoad, Load } from '@keelson/ui'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { type MailApi, mailApi, queryOf } from '../mail-api.ts'
import type {
  CountsAnswer,
  EventsAnswer,
  FlowAnswer,
  RunAnswer,
  SimulationAnswer
} from './answers.ts'
import { choicesOf, type FieldChoices } from './field-choices.ts'
import type { ShownVersions } from './read-versions.ts'
import type { Words } from './step-words.ts'

/** What decides what is read. */
export interface FlowAsked {
  /** Empty for none. */
  readonly slug: string
  readonly tab: string
  /** The contact that is simulated; empty for none. */
  readonly contact: string
  /** The steps that are simulated. */
  readonly steps: readonly FlowStep[] | undefined
  /** Filters of the runs. */
  readonly status: string
  readonly atStep: string
  /** The version that is compared with the one before; 0 for the draft, and while none is known. */
  readonly version: number
}

/** The loads of the page. */
export class FlowLoads {
  readonly api: MailApi
  /** The words of steps, with the names of templates. */
  readonly words: () => Words
  readonly flow: Load<readonly [slug: string], FlowAnswer | null>
  readonly counts: Load<readonly [slug: string], CountsAnswer>
  readonly choices: Load<readonly [], FieldChoices>
  readonly versions: Load<readonly [slug: string, version: number, live: number], ShownVersions>
  readonly runs: ListLoad<readonly [slug: string, status: string, step: string], RunAnswer>
  readonly simulation: Load<
    readonly [slug: string, contact: string, steps: readonly FlowStep[]],
    SimulationAnswer
  >

  constructor(page: KeelsonPage, asked: () => FlowAsked) {
    const api = mailApi(page)
    this.api = api
    const { t } = page
    const templateName = (slug: string) =>
      this.choices.value?.templates.find((row) => row.slug === slug)?.name ?? slug
    this.words = () => ({ t, format: page.format, templateName })
    const path = (slug: string) => `/flows/${encodeURIComponent(slug)}`
    const named = () => (asked().slug === '' ? null : ([asked().slug] as const))
    this.flow = new Load(page, {
      args: named,
      run: ([slug], signal) => api.find<FlowAnswer>(path(slug), signal)
    })
    this.counts = new Load(page, {
      quiet: true,
      args: named,
      run: ([slug], signal) => api.read<CountsAnswer>(`${path(slug)}/counts`, signal)
    })
    this.choices = new Load(page, {
      quiet: true,
      args: () => [] as const,
      run: async (_args, signal) => {
        const [templates, events] = await Promise.all([
          api.read<FieldChoices['templates']>('/templates', signal),
          api.read<EventsAnswer>('/events', signal)
        ])
        return choicesOf(templates, events)
      }
    })
    this.versions = new Load(page, {
      args: () => {
        const { slug, tab, version } = asked()
        const live = this.flow.value?.version
        return tab === 'versions' && live !== undefined ? ([slug, version, live] as const) : null
      },
      run: async ([slug, version]) =>
        (await import('./read-versions.ts')).readVersions(api, path(slug), version)
    })
    this.runs = new ListLoad(page, {
      args: () => {
        const { slug, tab, status, atStep } = asked()
        return tab === 'runs' ? ([slug, status, atStep] as const) : null
      },
      idOf: ({ _id }) => _id,
      page: ([slug, status, step], { cursor }, signal) => {
        const query = queryOf({ limit: '50', status, step, cursor })
        return api.list<RunAnswer>(`${path(slug)}/runs?${query}`, signal)
      }
    })
    this.simulation = new Load(page, {
      quiet: true,
      args: () => {
        const { slug, contact, steps } = asked()
        return contact === '' || steps === undefined ? null : ([slug, contact, steps] as const)
      },
      run: async ([slug, contact, steps]) =>
        (await import('./simulation.ts')).simulate(api, path(slug), { contact, steps })
    })
  }
}
