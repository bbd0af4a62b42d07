// The Errors page: how many, which issues they are, and what is known of each.
import {
  chartLoad,
  controls,
  define,
  definePage,
  exportButtons,
  KeelsonCopy,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonFilterChips,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonStat,
  KeelsonTable,
  registerCatalog,
  Selection,
  Shortcuts,
  searchField,
  shareStyles,
  type TableEmpty,
  type TableView,
  tableView
} from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import { alertParams } from '../alert-link.ts'
import {
  bucketStarts,
  change,
  fillBuckets,
  ghostValues,
  INTERVAL_MS,
  partialBuckets,
  previousSpan,
  total
} from '../buckets.ts'
import { countsOf } from '../counts.ts'
import { emptyList, whyEmpty } from '../empty.ts'
import { filterFields } from '../events/fields.ts'
import { Look } from '../look.ts'
import { sourceTag, widerLink } from '../parts.ts'
import { recordStyles } from '../records/styles.ts'
import { registerRecordTexts } from '../records/texts.ts'
import { ofKind } from '../registry.ts'
import { caveatOf } from '../requests.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { issueColumns } from './issue-columns.ts'
import { issuePanel } from './issue-panel.ts'
import { type Issue, isNew, issueCells, issueSort, sortIssues } from './issues.ts'
import { detailOf, IssueLists } from './loads.ts'
import { errorsStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }

class ErrorsPage extends KeelsonPage {
  static override readonly styles = [controls, recordStyles, pageStyles, shareStyles, errorsStyles]
  readonly #look: Look = new Look(this, {
    view: 'errors',
    closes: { issue: null },
    loads: () => [this.#counts, this.#issues.list, this.#issues.counted, this.#found.list]
  })
  readonly #dashboard = this.#look.dashboard
  readonly #range = this.#look.range
  readonly #filters = this.#look.filters
  readonly #counts = countsOf(this.#look, () => this.#asked)
  readonly #issues = new IssueLists(this.#look, { asked: () => this.#asked })
  /** What the search finds, of all issues. */
  readonly #found = new IssueLists(this.#look, {
    asked: () => this.#asked,
    words: () => this.#words
  })
  readonly #detail = detailOf(
    this.#look,
    () => this.#open,
    () => this.#asked
  )
  readonly #selection = new Selection<Issue>(this, { param: 'issue' })

  constructor() {
    super()
    new Shortcuts(this, () => [
      { keys: '/', label: this.t('errors.search'), run: () => this.#focusSearch() }
    ])
  }

  protected readonly chart = chartLoad(this)

  protected override get windowTitle(): string {
    return this.t('errors.title')
  }

  /** The filters, for errors alone. */
  get #asked(): URLSearchParams {
    const asked = this.#filters.params
    asked.set('kind', 'error')
    return asked
  }

  /** The text that is searched for. */
  get #words(): string {
    return this.params.get('find') ?? ''
  }

  /** The issues of the table. */
  get #shown(): IssueLists {
    return this.#words === '' ? this.#issues : this.#found
  }

  get #open(): Issue | undefined {
    return this.#shown.open ?? this.#issues.open
  }

  #focusSearch(): void {
    this.renderRoot.querySelector<HTMLElement>('.search')?.focus()
  }

  protected override content(): TemplateResult {
    const open = this.#open
    const watched = { kind: 'error', ...(open && { fingerprint: open.fingerprint }) }
    return html`<keelson-page-header ranged heading=${this.t('errors.title')}>
        ${this.#range.picker()} ${this.#look.live.button()}
        ${this.#dashboard.alertLink(alertParams(this.#filters.value, watched))}
        ${this.#dashboard.views()}
      </keelson-page-header>
      <div class="main">
        ${this.#chips()}
        <h2 class="visually-hidden">${this.t('errors.figures')}</h2>
        ${this.#tiles()} ${this.#chart()} ${this.#list(open)}
      </div>`
  }

  #chips(): TemplateResult {
    const registry = this.#dashboard.registry.value
    const fields =
      registry === undefined
        ? []
        : filterFields(ofKind(registry, 'error'), this.#dashboard, this.params.get('name'))
    return this.#filters.chips(fields.filter(({ id }) => id !== 'kind'))
  }

  #tiles(): TemplateResult {
    const counts = this.#counts.value
    const values =
      counts === undefined
        ? []
        : fillBuckets(
            counts.now.buckets,
            bucketStarts(counts.span, counts.interval, this.format.timeZone),
            0
          )
    const sum = total(values)
    const before = total(counts?.before.buckets.map(({ value }) => value) ?? [])
    const { rows, list } = this.#issues
    const fresh = rows?.filter((issue) => isNew(issue, this.#range.span)).length ?? 0
    const isWaiting = rows === undefined && list.failure === undefined
    const isLost = rows === undefined ? list.failure : undefined
    const caveat = list.value?.truncated === true ? 'truncated' : ''
    const source = this.#source
    return html`<div class="tiles">
      <keelson-stat
        label=${this.t('errors.count')}
        value=${this.format.compact(sum)}
        .change=${change(sum, before)}
        .base=${before}
        against=${this.t('tile.against', { value: this.format.compact(before) })}
        good="down"
        .points=${values}
        source=${counts?.now.source ?? ''}
        caveat=${counts === undefined ? '' : caveatOf(counts.now)}
        tone=${sum > 0 ? 'bad' : ''}
        .error=${this.#counts.missing}
        ?loading=${this.#counts.isFirst}
      ></keelson-stat>
      <keelson-stat
        label=${this.t('errors.issues')}
        value=${this.format.number(list.value?.values ?? 0)}
        against=${this.t('errors.seenText')}
        source=${source}
        caveat=${caveat}
        .error=${isLost}
        ?loading=${isWaiting}
      ></keelson-stat>
      <keelson-stat
        label=${this.t('errors.new')}
        value=${this.format.number(fresh)}
        against=${this.t('errors.newText')}
        source=${source}
        caveat=${caveat}
        .error=${isLost}
        ?loading=${isWaiting}
      ></keelson-stat>
    </div>`
  }

  /** Where the issues come from. */
  get #source(): 'raw' | 'rollup' {
    return this.#issues.list.value?.dataSource === 'rollups' ? 'rollup' : 'raw'
  }

  #chart(): TemplateResult {
    const counts = this.#counts.value
    const { span, interval } = counts ?? { span: this.#range.span, interval: this.#look.interval }
    const starts = counts === undefined ? [] : bucketStarts(span, interval, this.format.timeZone)
    const values = fillBuckets(counts?.now.buckets ?? [], starts, 0)
    const earlier = bucketStarts(previousSpan(span), interval, this.format.timeZone)
    const ghost = ghostValues(counts?.before.buckets ?? [], earlier, starts.length, 0)
    return html`<keelson-chart
      heading=${this.t('errors.by', { interval: this.t(`interval.${interval}`) })}
      caption=${this.t('errors.caption', { total: total(values), before: total(ghost) })}
      height="160"
      .times=${starts}
      partial=${partialBuckets(starts, span)}
      .interval=${INTERVAL_MS[interval]}
      .series=${[
        { id: 'now', label: this.t('errors.count'), values, tone: 'bad' },
        { id: 'before', label: this.t('errors.previous'), values: ghost, ghost: true }
      ]}
      kind="bars"
      view=${this.#look.chart.value}
      .loading=${this.#counts.isPending && !this.#look.live.isOn}
      .error=${this.#counts.failure}
      @keelson-brush=${this.#range.onBrush}
      @keelson-view=${this.#look.chart.onView}
      @keelson-retry=${() => this.#counts.reload()}
    >${sourceTag(this.#look, counts?.now)}</keelson-chart>`
  }

  #list(open: Issue | undefined): TemplateResult {
    const { list, rows = [], isWhole } = this.#shown
    const sort = issueSort(this.params.get('sort'))
    const issues = sortIssues(rows, sort)
    const answer = list.value
    const selection = this.#selection
    const note = answer?.truncated === true ? 'errors.truncated' : 'errors.issuesNote'
    return tableView({
      heading: this.t('errors.issues'),
      note: answer === undefined ? '' : this.t(note, { count: answer.issues.length }),
      columns: this.#columns(),
      rows: issues,
      total: answer?.values ?? null,
      onMore:
        answer !== undefined && answer.values > issues.length && !isWhole
          ? this.#showAll
          : undefined,
      read: list,
      isLive: this.#look.live.isOn,
      selection,
      onOpen: this.#onOpen,
      sort: { column: sort, direction: 'desc' },
      onSort: ({ column }) =>
        this.go({ sort: column === 'lastAt' ? null : column }, { replace: true }),
      actions: this.#actions(issues),
      empty: this.#empty(),
      panel: {
        label: this.t('issue.label', { name: open?.type ?? '' }),
        isOpen: selection.id !== null && answer !== undefined,
        content: this.#panel(open)
      }
    })
  }

  readonly #showAll = (): void => this.go({ issues: 'all' }, { replace: true })

  #actions(issues: readonly Issue[]): TemplateResult {
    return html`${this.#search()}
      ${exportButtons({ name: 'issues', rows: issues, cells: () => issues.map(issueCells) }, this.t)}
      <span slot="actions" class="dim source" title=${this.t(`stat.${this.#source}Hint`)}
        >${this.t(`stat.${this.#source}`)}</span
      >`
  }

  #columns() {
    const counted = this.#shown.counted.value
    const { span, interval } = counted ?? { span: this.#range.span, interval: this.#look.interval }
    return issueColumns({
      format: this.format,
      now: Date.now(),
      span,
      interval,
      isPlatform: this.#dashboard.isPlatform,
      t: this.t,
      filterHref: this.#filters.href,
      exclude: this.#filters.exclude
    })
  }

  /** A row opens; with Shift its issue is excluded. */
  readonly #onOpen: NonNullable<TableView<Issue>['onOpen']> = (event) => {
    event.preventDefault()
    const { row, shift } = event.detail
    if (shift) this.#filters.exclude({ field: 'fingerprint', value: row.fingerprint })
    else this.#selection.open(row)
  }

  #search(): TemplateResult {
    return searchField(this, 'find', this.t('errors.search'), { live: true, slot: 'actions' })
  }

  #empty(): TableEmpty {
    if (this.#words !== '') {
      const clear = html`<a class="btn" href=${this.address({ find: null })}>${this.t('errors.clear')}</a>`
      return { heading: this.t('errors.noMatch'), action: clear }
    }
    const filters = this.#filters.value
    if (filters.length > 0) {
      const registry = this.#dashboard.registry.value
      return emptyList(this.#look, whyEmpty(filters, this.#range.value, registry))
    }
    return {
      heading: this.t('errors.none'),
      text: this.t('errors.noneText'),
      action: widerLink(this.#look)
    }
  }

  #panel(issue: Issue | undefined): TemplateResult {
    if (issue === undefined) {
      return html`<keelson-empty
        heading=${this.t('issue.missing')}
        text=${this.t('issue.missingText')}
      ></keelson-empty>`
    }
    const detail = this.#detail.value?.id === issue.id ? this.#detail.value : undefined
    return issuePanel(issue, detail, {
      format: this.format,
      now: Date.now(),
      isPlatform: this.#dashboard.isPlatform,
      t: this.t,
      filterHref: this.#filters.href,
      exclude: this.#filters.exclude,
      eventsHref: (params) =>
        this.#dashboard.href('events', { ...Object.fromEntries(this.#asked), ...params }),
      traceHref: (trace) => this.#dashboard.href('trace', { trace }),
      journeyHref: (subject, tenant) =>
        this.#dashboard.href('journey', { subject, ...(tenant !== undefined && { tenant }) }),
      error: this.#detail.failure
    })
  }
}

registerTexts()
registerRecordTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonFilterChips,
  KeelsonStat,
  KeelsonTable,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonCopy
)
definePage('telemetry-dashboard-errors', ErrorsPage)
