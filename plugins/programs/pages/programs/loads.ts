// What the Programs page reads: one program, its figures, what is wrong with it.
import { type DocumentsApi, type DraftRequest, type KeelsonPage, Load } from '@keelson/ui'
import type { IssuesAnswer, ProgramAnswer, StatsAnswer } from './answers.ts'
import { programApi } from './program-api.ts'

/** What decides what is read. */
export interface ProgramAsked {
  /** Empty for the list. */
  readonly slug: string
  readonly tab: string
}

/** The path of a program in the API. */
export const pathOf = (slug: string): string => `/programs/${encodeURIComponent(slug)}`

/** The loads of the page. */
export class ProgramLoads {
  readonly api: DocumentsApi
  readonly program: Load<readonly [slug: string], ProgramAnswer>
  readonly stats: Load<readonly [slug: string], StatsAnswer>
  readonly issues: Load<readonly [slug: string], IssuesAnswer>

  constructor(page: KeelsonPage, asked: () => ProgramAsked) {
    const api = programApi(page)
    this.api = api
    const named = () => (asked().slug === '' ? null : ([asked().slug] as const))
    const onTab = (tab: string) => (asked().tab === tab ? named() : null)
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
  }

  /** Saves the draft of the definition, and checks it. @throws RequestError `draft_conflict` */
  async saveDraft(slug: string, draft: unknown, request: DraftRequest): Promise<ProgramAnswer> {
    const { body: program } = await this.api.revise<ProgramAnswer>(
      `${pathOf(slug)}/draft`,
      { draft },
      request
    )
    this.program.set(program)
    void this.issues.reload()
    return program
  }

  /** Reads what the server has now. */
  async readAgain(slug: string): Promise<ProgramAnswer> {
    const program = await this.api.read<ProgramAnswer>(pathOf(slug))
    this.program.set(program)
    return program
  }
}
