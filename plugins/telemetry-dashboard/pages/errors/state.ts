// What the Errors page asks for: counts over time, issues, and the detail of one.
import { Load } from '@keelson/ui'
import type { Changes } from '../address.ts'
import { CountedPage } from '../counted-page.ts'
import { path } from '../requests.ts'
import { readDetail } from './issue-panel.ts'
import { type Issue, type IssuesAnswer, readIssues, withCounts } from './issues.ts'

export class ErrorsState extends CountedPage {
  protected override get pageId(): string {
    return 'errors'
  }

  protected override get closed(): Changes {
    return { issue: null }
  }

  protected override get isWaiting(): boolean {
    return this.counts.isPending || this.counted.isPending
  }

  protected override get windowTitle(): string {
    return this.t('errors.title')
  }

  /** The filters, for errors alone. */
  protected override get askingRows(): URLSearchParams {
    const asked = this.asking
    asked.set('kind', 'error')
    return asked
  }

  /**
   * Rollups know when an issue was last seen, and of no filter: they can tell what was seen up to now. Any
   * other question is one for the rows.
   */
  get #canList(): boolean {
    return this.isMoving && this.filters.every(({ field }) => field === 'kind')
  }

  protected readonly listed = new Load(this, {
    args: () => (this.#canList ? ([this.span.from, this.span.to] as const) : null),
    run: async ([from, to], signal) => {
      const asked = path('issues', new URLSearchParams(), { from, to }, {})
      return readIssues(await this.read<IssuesAnswer>(asked, signal))
    }
  })

  protected readonly counted = new Load(this, {
    args: () => [this.askingRows.toString(), this.span.from, this.span.to, this.interval] as const,
    run: async ([filters, from, to, interval], signal) => {
      const asked = path('issues', new URLSearchParams(filters), { from, to }, { interval })
      return {
        ...readIssues(await this.read<IssuesAnswer>(asked, signal)),
        span: { from, to },
        interval
      }
    }
  })

  /** What the list is made of: whichever of the two is to be believed. */
  protected get list() {
    return this.#canList ? this.listed : this.counted
  }

  protected get issues(): readonly Issue[] | undefined {
    const counted = this.counted.value?.issues
    if (!this.#canList) return counted
    const listed = this.listed.value?.issues
    return listed === undefined ? undefined : withCounts(listed, counted ?? [])
  }

  protected get open(): Issue | undefined {
    const wanted = this.params.get('issue')
    return this.issues?.find(({ id }) => id === wanted)
  }

  protected readonly detail = new Load(this, {
    args: () => {
      const issue = this.open
      if (issue === undefined) return null
      const asked = this.askingRows
      asked.set('fingerprint', issue.fingerprint)
      if (this.registry.value?.platform === true) asked.set('tenant', issue.tenantId)
      return [issue.id, asked.toString(), this.span.from, this.span.to, this.interval] as const
    },
    run: ([id, filters, from, to, interval], signal) =>
      readDetail(id, new URLSearchParams(filters), { from, to }, interval, (asked) =>
        this.read(asked, signal)
      )
  })

  protected override refresh(): void {
    if (this.isMoving) super.refresh()
    else for (const load of [this.counts, this.counted]) void load.reload()
  }
}
