// The Errors page: how many, which issues they are, and what is known of each.
import {
  controls,
  define,
  definePage,
  KeelsonCopy,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonStat,
  KeelsonTable,
  Load,
  loadChart
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { type Changes, rangeChanges } from '../address.ts'
import { alertParams } from '../alert-link.ts'
import {
  bucketStarts,
  change,
  cutBuckets,
  fillBuckets,
  ghostValues,
  INTERVAL_MS,
  previousSpan,
  type Span,
  total
} from '../buckets.ts'
import { widerRange } from '../empty.ts'
import { exportButtons } from '../export.ts'
import { RangedPage } from '../ranged-page.ts'
import { recordStyles } from '../records/styles.ts'
import { registerRecordTexts } from '../records/texts.ts'
import { caveatOf, countsPath, readCounts } from '../requests.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { issueColumns } from './issue-columns.ts'
import { type IssueDetail, issuePanel, readDetail } from './issue-panel.ts'
import {
  arrangeIssues,
  type Issue,
  isNew,
  issueSort,
  issuesFamily,
  type RollupAnswer,
  readIssue
} from './issues.ts'
import { errorsStyles } from './styles.ts'
import { registerErrorsTexts } from './texts.ts'

const ERRORS = new URLSearchParams({ kind: 'error' })

class ErrorsPage extends RangedPage {
  static override readonly styles = [controls, recordStyles, pageStyles, errorsStyles]

  override connectedCallback(): void {
    super.connectedCallback()
    void loadChart()
  }

  protected override get pageId(): string {
    return 'errors'
  }

  protected override get closed(): Changes {
    return { issue: null }
  }

  protected override get isWaiting(): boolean {
    return this.#counts.isPending || this.#issues.isPending
  }

  protected override get shortcuts() {
    const search = { keys: '/', label: this.t('errors.search'), run: () => this.#focusSearch() }
    return [...super.shortcuts, search]
  }

  protected override get windowTitle(): string {
    return this.t('errors.title')
  }

  readonly #counts = new Load(this, {
    args: () => [this.span.from, this.span.to, this.interval] as const,
    run: async ([from, to, interval], signal) => {
      const span = { from, to }
      const ask = (one: Span) =>
        this.read<Parameters<typeof readCounts>[0]>(countsPath(ERRORS, one, interval), signal)
      const [now, before] = await Promise.all([ask(span), ask(previousSpan(span))])
      return { now: readCounts(now), before: readCounts(before), span, interval }
    }
  })

  readonly #issues = new Load(this, {
    args: () => {
      const family = this.#family
      return family === undefined ? null : ([family, this.span.from, this.span.to] as const)
    },
    run: async ([family, from, to], signal) => {
      const asked = new URLSearchParams({
        as: family,
        on: 'lastAt',
        sort: 'lastAt',
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString()
      })
      const { rows, truncated } = await this.read<{
        rows: readonly RollupAnswer[]
        truncated: boolean
      }>(`/api/rollups?${asked}`, signal)
      return { issues: rows.map(readIssue), truncated }
    }
  })

  readonly #detail = new Load(this, {
    args: () => {
      const issue = this.#open
      if (issue === undefined) return null
      return [issue.fingerprint, this.span.from, this.span.to, this.interval] as const
    },
    run: ([fingerprint, from, to, interval], signal) =>
      readDetail(fingerprint, { from, to }, interval, (path) => this.read(path, signal))
  })

  get #family(): string | undefined {
    return this.registry.value === undefined ? undefined : issuesFamily(this.registry.value)
  }

  get #open(): Issue | undefined {
    const wanted = this.params.get('issue')
    return this.#issues.value?.issues.find(({ id }) => id === wanted)
  }

  get #words(): string {
    return this.params.get('q') ?? ''
  }

  protected override refresh(): void {
    if (this.isMoving) super.refresh()
    else for (const load of [this.#counts, this.#issues]) void load.reload()
  }

  #focusSearch(): void {
    this.renderRoot.querySelector<HTMLElement>('.search')?.focus()
  }

  protected override content(): TemplateResult {
    const hasNoFamily = this.registry.value !== undefined && this.#family === undefined
    return html`<keelson-page-header heading=${this.t('errors.title')}>
        ${this.rangePicker()} ${this.liveButton()}
        ${this.alertLink(alertParams(this.filters, { kind: 'error', ...(this.#open && { fingerprint: this.#open.fingerprint }) }))}
        ${this.viewsButton()}
      </keelson-page-header>
      <div class="main">
        <h2 class="visually-hidden">${this.t('errors.figures')}</h2>
        ${this.#tiles()} ${this.#chart()} ${hasNoFamily ? this.#noFamily() : this.#list()}
      </div>`
  }

  #tiles(): TemplateResult {
    const counts = this.#counts.value
    const values =
      counts === undefined
        ? []
        : fillBuckets(counts.now.buckets, bucketStarts(counts.span, counts.interval), 0)
    const sum = total(values)
    const before = total(counts?.before.buckets.map(({ value }) => value) ?? [])
    const issues = this.#issues.value?.issues
    const fresh = issues?.filter((issue) => isNew(issue, this.span)).length ?? 0
    const isWaiting = issues === undefined && this.#issues.status !== 'error'
    return html`<div class="tiles">
      <keelson-stat
        label=${this.t('errors.count')}
        value=${this.format.compact(sum)}
        .change=${change(sum, before)}
        against=${this.t('tile.against', { value: this.format.compact(before) })}
        good="down"
        .points=${values}
        source=${counts?.now.source ?? ''}
      caveat=${counts === undefined ? '' : caveatOf(counts.now)}
        tone=${sum > 0 ? 'bad' : ''}
        ?loading=${this.#counts.isFirst}
      ></keelson-stat>
      <keelson-stat
        label=${this.t('errors.issues')}
        value=${this.format.number(issues?.length ?? 0)}
        against=${this.t('errors.seenText')}
        source="rollup"
        caveat=${this.#issues.value?.truncated === true ? 'truncated' : ''}
        ?loading=${isWaiting}
      ></keelson-stat>
      <keelson-stat
        label=${this.t('errors.new')}
        value=${this.format.number(fresh)}
        against=${this.t('errors.newText')}
        source="rollup"
        caveat=${this.#issues.value?.truncated === true ? 'truncated' : ''}
        ?loading=${isWaiting}
      ></keelson-stat>
    </div>`
  }

  #chart(): TemplateResult {
    const counts = this.#counts.value
    const { span, interval } = counts ?? { span: this.span, interval: this.interval }
    const starts = counts === undefined ? [] : bucketStarts(span, interval)
    const values = fillBuckets(counts?.now.buckets ?? [], starts, 0)
    const ghost = ghostValues(counts?.before.buckets ?? [], span, interval, starts.length)
    const cut = cutBuckets(starts, span)
    return html`<keelson-chart
      heading=${this.t('errors.by', { interval: this.t(`interval.${interval}`) })}
      caption=${this.t('errors.caption', { total: total(values), before: total(ghost) })}
      height="160"
      .times=${starts.slice(cut)}
      .interval=${INTERVAL_MS[interval]}
      .series=${[
        { id: 'now', label: this.t('errors.count'), values: values.slice(cut), tone: 'bad' },
        { id: 'before', label: this.t('errors.previous'), values: ghost.slice(cut), ghost: true }
      ]}
      kind="bars"
      view=${this.chartView}
      .loading=${this.#counts.isPending && !this.isLive}
      .error=${this.#counts.status === 'error' ? this.#counts.error : undefined}
      @keelson-brush=${this.onBrush}
      @keelson-view=${this.onView}
      @keelson-retry=${() => this.#counts.reload()}
    >${this.sourceOf(counts?.now)}</keelson-chart>`
  }

  #noFamily(): TemplateResult {
    return html`<div class="card">
      <keelson-empty heading=${this.t('errors.noFamily')} text=${this.t('errors.noFamilyText')}>
        <a class="btn" href=${this.pageHref('events', { kind: 'error' })}>${this.t('errors.rows')}</a>
      </keelson-empty>
    </div>`
  }

  #list(): TemplateResult {
    const value = this.#issues.value
    const issues = arrangeIssues(
      value?.issues ?? [],
      this.#words,
      issueSort(this.params.get('sort'))
    )
    const count = value?.issues.length ?? 0
    const open = this.#open
    const wanted = this.params.get('issue')
    return html`<keelson-drawer
      ?open=${wanted !== null && value !== undefined}
      label=${this.t('issue.label', { name: open?.type ?? '' })}
      @keelson-close=${() => this.go({ issue: null }, { replace: true })}
    >
      <keelson-table
        slot="list"
        keys
        heading=${this.t('errors.issues')}
        note=${this.t(value?.truncated === true ? 'errors.truncated' : 'errors.issuesNote', { count })}
        .columns=${issueColumns({
          format: this.format,
          now: Date.now(),
          span: this.span,
          isPlatform: this.registry.value?.platform === true,
          t: (key) => this.t(key)
        })}
        .rows=${issues}
        .rowHref=${({ id }: Issue) => this.address({ issue: id })}
        .selected=${open === undefined ? null : wanted}
        .sort=${{ column: issueSort(this.params.get('sort')), direction: 'desc' }}
        .loading=${(this.#issues.isPending && !this.isLive) || (value === undefined && this.#issues.status !== 'error')}
        .error=${this.#issues.status === 'error' ? this.#issues.error : undefined}
        @keelson-retry=${() => this.#issues.reload()}
        @keelson-sort=${({ detail }: CustomEvent<{ column: string }>) =>
          this.go({ sort: detail.column === 'lastAt' ? null : detail.column }, { replace: true })}
        @keelson-open=${(event: CustomEvent<{ id: string }>) => {
          event.preventDefault()
          this.go({ issue: event.detail.id })
        }}
        @keelson-move=${({ detail }: CustomEvent<{ id: string }>) =>
          wanted !== null && this.go({ issue: detail.id }, { replace: true })}
      >
        ${this.#search()}
        ${exportButtons({ name: 'issues', rows: issues }, (key, values) => this.t(key, values))}
        ${this.#empty()}
      </keelson-table>
      ${wanted === null ? nothing : this.#panel(open)}
    </keelson-drawer>`
  }

  #search(): TemplateResult {
    return html`<input
      slot="actions"
      class="field search"
      type="search"
      placeholder=${this.t('errors.search')}
      aria-label=${this.t('errors.search')}
      .value=${this.#words}
      @input=${(event: Event) =>
        this.go({ q: (event.target as HTMLInputElement).value || null }, { replace: true })}
    />`
  }

  #empty(): TemplateResult {
    if (this.#words !== '') {
      return html`<keelson-empty slot="empty" heading=${this.t('errors.noMatch')}>
        <a class="btn" href=${this.address({ q: null })}>${this.t('errors.clear')}</a>
      </keelson-empty>`
    }
    const wider = widerRange(this.range)
    return html`<keelson-empty
      slot="empty"
      heading=${this.t('errors.none')}
      text=${this.t('errors.noneText')}
    >
      ${
        wider === undefined
          ? nothing
          : html`<a class="btn" href=${this.address(rangeChanges({ range: wider }))}
            >${this.t('errors.widen', { range: wider })}</a
          >`
      }
    </keelson-empty>`
  }

  #panel(issue: Issue | undefined): TemplateResult {
    if (issue === undefined) {
      return html`<keelson-empty
        heading=${this.t('issue.missing')}
        text=${this.t('issue.missingText')}
      ></keelson-empty>`
    }
    const detail: IssueDetail | undefined =
      this.#detail.value?.fingerprint === issue.fingerprint ? this.#detail.value : undefined
    return issuePanel(issue, detail, {
      format: this.format,
      now: Date.now(),
      isPlatform: this.registry.value?.platform === true,
      t: (key, values) => this.t(key, values),
      eventsHref: (params) => this.pageHref('events', params),
      traceHref: (trace) => this.pageHref('traces', { trace }),
      error: this.#detail.status === 'error' ? this.#detail.error : undefined
    })
  }
}

registerTexts()
registerRecordTexts()
registerErrorsTexts()
define(
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonStat,
  KeelsonTable,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonCopy
)
definePage('telemetry-dashboard-errors', ErrorsPage)
