// What the Programs page reads: the list, one program, its figures, its runs.
import { type KeelsonPage, ListLoad, Load } from '@keelson/ui'
import { queryOf } from '../list-table.ts'
import { type MailApi, mailApi } from '../mail-api.ts'
import type {
  IssuesAnswer,
  OneRunAnswer,
  ProgramAnswer,
  ProgramLine,
  RunLine,
  StatsAnswer
} from './answers.ts'

/** What decides what is read. */
export interface ProgramAsked {
  /** Empty for the list. */
  readonly slug: string
  readonly tab: string
  readonly status: string
  readonly run: string | null
}

/** The path of a program in the API. */
export const pathOf = (slug: string): string => `/programs/${encodeURIComponent(slug)}`

/** The loads of the page. */
export class ProgramLoads {
  readonly api: MailApi
  readonly list: ListLoad<readonly [], ProgramLine>
  readonly program: Load<readonly [slug: string], ProgramAnswer>
  readonly stats: Load<readonly [slug: string], StatsAnswer>
  readonly issues: Load<readonly [slug: string], IssuesAnswer>
  readonly runs: ListLoad<readonly [slug: string, status: string], RunLine>
  readonly run: Load<readonly [slug: string, id: string], OneRunAnswer>

  constructor(page: KeelsonPage, asked: () => ProgramAsked) {
    const api = mailApi(page)
    this.api = api
    const named = () => (asked().slug === '' ? null : ([asked().slug] as const))
    const onTab = (tab: string) => (asked().tab === tab ? named() : null)
    this.list = new ListLoad(page, {
      args: () => (asked().slug === '' ? ([] as const) : null),
      idOf: ({ slug }) => slug,
      page: async (_args, _after, signal) => ({
        items: await api.read<readonly ProgramLine[]>('/programs', signal),
        nextCursor: null
      })
    })
    this.program = new Load(page, {
      quiet: true,
      args: named,
      run: ([slug], signal) => api.read<ProgramAnswer>(pathOf(slug), signal)
    })
    this.stats = new Load(page, {
      args: named,
      run: ([slug], signal) => api.read<StatsAnswer>(`${pathOf(slug)}/stats`, signal)
    })
    this.issues = new Load(page, {
      args: () => onTab('definition'),
      run: ([slug]) => api.act<IssuesAnswer>('POST', `${pathOf(slug)}/lint`, {})
    })
    this.runs = new ListLoad(page, {
      args: () => {
        const { slug, tab, status } = asked()
        return tab === 'runs' ? ([slug, status] as const) : null
      },
      idOf: ({ _id }) => _id,
      page: ([slug, status], { cursor }, signal) =>
        api.list<RunLine>(
          `${pathOf(slug)}/runs?${queryOf({ limit: '50', status, cursor })}`,
          signal
        )
    })
    this.run = new Load(page, {
      quiet: true,
      args: () => {
        const { slug, run } = asked()
        return run === null || slug === '' ? null : ([slug, run] as const)
      },
      run: ([slug, id], signal) =>
        api.read<OneRunAnswer>(`${pathOf(slug)}/runs/${encodeURIComponent(id)}`, signal)
    })
  }
}
