// What the Errors page asks for, besides counts: issues, and the detail of one.
import { Load } from '@keelson/ui'
import type { Look } from '../look.ts'
import { bucketParams, path } from '../requests.ts'
import { readDetail } from './issue-panel.ts'
import {
  type Issue,
  type IssueSort,
  type IssuesAnswer,
  issueSort,
  readIssues,
  withCounts
} from './issues.ts'

/** Issues of one answer. */
const MOST = '1000'

const wanted = (contains: string | undefined, isWhole: boolean) => ({
  ...(contains !== undefined && { contains }),
  ...(isWhole && { limit: MOST })
})

export interface IssueListOptions {
  /** The filters. */
  asked(): URLSearchParams
  /** The text that all issues are searched for. Empty: none are read. */
  words?(): string
}

/**
 * The issues of the page. Rollups list them fast, but know no filters and only ranges that end now; for
 * all other questions the rows are counted. The counts of the range come from the rows in any case.
 */
export class IssueLists {
  readonly #look: Look
  readonly listed
  readonly counted

  constructor(look: Look, { asked, words }: IssueListOptions) {
    const { page, range, dashboard } = look
    this.#look = look
    this.listed = new Load(page, {
      args: () => {
        const contains = words?.()
        if (!this.#canList || contains === '') return null
        return [range.span.from, range.span.to, this.#sort, contains, this.isWhole] as const
      },
      run: async ([from, to, sort, contains, isWhole], signal) => {
        const more = { sort, ...wanted(contains, isWhole) }
        const issues = path('issues', new URLSearchParams(), { from, to }, more)
        return readIssues(await dashboard.api.read<IssuesAnswer>(issues, signal))
      }
    })
    this.counted = new Load(page, {
      args: () => {
        const { from, to } = range.span
        const contains = words?.()
        if (contains === '') return null
        return [
          asked().toString(),
          from,
          to,
          look.interval,
          look.timeZone,
          this.#canList ? 'lastAt' : this.#sort,
          contains,
          this.isWhole
        ] as const
      },
      run: async ([filters, from, to, interval, timeZone, sort, contains, isWhole], signal) => {
        const buckets = {
          ...bucketParams({ interval, timeZone }),
          sort,
          ...wanted(contains, isWhole)
        }
        const issues = path('issues', new URLSearchParams(filters), { from, to }, buckets)
        const answer = await dashboard.api.read<IssuesAnswer>(issues, signal)
        return { ...readIssues(answer), span: { from, to }, interval }
      }
    })
  }

  /** Whether as many issues are listed as one answer may have. */
  get isWhole(): boolean {
    return this.#look.page.params.get('issues') === 'all'
  }

  get #canList(): boolean {
    const { range, filters } = this.#look
    const isOfRollups = this.#sort !== 'count' && this.#sort !== 'people'
    return isOfRollups && range.isMoving && filters.value.every(({ field }) => field === 'kind')
  }

  /** What all issues are sorted by, before a list is cut. */
  get #sort(): IssueSort {
    return issueSort(this.#look.page.params.get('sort'))
  }

  /** The load that the list is made of. */
  get list() {
    return this.#canList ? this.listed : this.counted
  }

  /** The issues with their counts; undefined until the list is loaded. */
  get rows(): readonly Issue[] | undefined {
    const counted = this.counted.value?.issues
    if (!this.#canList) return counted
    const listed = this.listed.value?.issues
    return listed === undefined ? undefined : withCounts(listed, counted ?? [])
  }

  /** The issue that parameter `issue` names, when it is listed. */
  get open(): Issue | undefined {
    const wanted = this.#look.page.params.get('issue')
    return this.rows?.find(({ id }) => id === wanted)
  }
}

/** Counts, releases and latest errors of the open issue. */
export function detailOf(
  look: Look,
  open: () => Issue | undefined,
  askedFor: () => URLSearchParams
) {
  const { page, range, dashboard } = look
  return new Load(page, {
    args: () => {
      const issue = open()
      if (issue === undefined) return null
      const asked = askedFor()
      asked.set('fingerprint', issue.fingerprint)
      if (dashboard.isPlatform) asked.set('tenant', issue.tenantId)
      const { from, to } = range.span
      return [issue.id, asked.toString(), from, to, look.interval, look.timeZone] as const
    },
    run: ([id, filters, from, to, interval, timeZone], signal) =>
      readDetail(
        id,
        new URLSearchParams(filters),
        { span: { from, to }, interval, timeZone },
        (asked) => dashboard.api.read(asked, signal)
      )
  })
}
