// The Errors page: how many, which issues they are, and what is known of each.
import {
  controls,
  define,
  definePage,
  exportButtons,
  KeelsonCopy,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonFilterChips,
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonStat,
  KeelsonTable,
  loadChart
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { rangeChanges } from '../address.ts'
import { alertParams } from '../alert-link.ts'
import {
  bucketStarts,
  change,
  cutBuckets,
  fillBuckets,
  ghostValues,
  INTERVAL_MS,
  total
} from '../buckets.ts'
import { whyEmpty, widerRange } from '../empty.ts'
import { filterFields } from '../events/fields.ts'
import { recordStyles } from '../records/styles.ts'
import { registerRecordTexts } from '../records/texts.ts'
import { ofKind } from '../registry.ts'
import { caveatOf } from '../requests.ts'
import { shareStyles } from '../share-bar.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { issueColumns } from './issue-columns.ts'
import { issuePanel } from './issue-panel.ts'
import { arrangeIssues, type Issue, isNew, issueCells, issueSort } from './issues.ts'
import { ErrorsState } from './state.ts'
import { errorsStyles } from './styles.ts'
import { registerErrorsTexts } from './texts.ts'

class ErrorsPage extends ErrorsState {
  static override readonly styles = [controls, recordStyles, pageStyles, shareStyles, errorsStyles]

  override connectedCallback(): void {
    super.connectedCallback()
    void loadChart()
  }

  protected override get shortcuts() {
    const search = { keys: '/', label: this.t('errors.search'), run: () => this.#focusSearch() }
    return [...super.shortcuts, search]
  }

  readonly #say = (key: string, values?: Record<string, string | number>): string =>
    this.t(key, values)

  get #words(): string {
    return this.params.get('q') ?? ''
  }

  #focusSearch(): void {
    this.renderRoot.querySelector<HTMLElement>('.search')?.focus()
  }

  protected override content(): TemplateResult {
    const { open } = this
    const watched = { kind: 'error', ...(open && { fingerprint: open.fingerprint }) }
    return html`<keelson-page-header heading=${this.t('errors.title')}>
        ${this.rangePicker()} ${this.liveButton()}
        ${this.alertLink(alertParams(this.filters, watched))}
        ${this.viewsButton()}
      </keelson-page-header>
      <div class="main">
        ${this.#chips()}
        <h2 class="visually-hidden">${this.t('errors.figures')}</h2>
        ${this.#tiles()} ${this.#chart()} ${this.#list()}
      </div>`
  }

  #chips(): TemplateResult {
    const registry = this.registry.value
    const rows = this.detail.value?.latest ?? []
    const fields =
      registry === undefined
        ? []
        : filterFields(ofKind(registry, 'error'), rows, this.params.get('name'), this.#say)
    return this.filterChips(fields.filter(({ id }) => id !== 'kind'))
  }

  #tiles(): TemplateResult {
    const counts = this.counts.value
    const values =
      counts === undefined
        ? []
        : fillBuckets(counts.now.buckets, bucketStarts(counts.span, counts.interval), 0)
    const sum = total(values)
    const before = total(counts?.before.buckets.map(({ value }) => value) ?? [])
    const { issues, list } = this
    const fresh = issues?.filter((issue) => isNew(issue, this.span)).length ?? 0
    const isWaiting = issues === undefined && list.status !== 'error'
    const caveat = list.value?.truncated === true ? 'truncated' : ''
    const source = this.#source
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
        ?loading=${this.counts.isFirst}
      ></keelson-stat>
      <keelson-stat
        label=${this.t('errors.issues')}
        value=${this.format.number(list.value?.values ?? 0)}
        against=${this.t('errors.seenText')}
        source=${source}
        caveat=${caveat}
        ?loading=${isWaiting}
      ></keelson-stat>
      <keelson-stat
        label=${this.t('errors.new')}
        value=${this.format.number(fresh)}
        against=${this.t('errors.newText')}
        source=${source}
        caveat=${caveat}
        ?loading=${isWaiting}
      ></keelson-stat>
    </div>`
  }

  /** Where the list comes from. */
  get #source(): 'raw' | 'rollup' {
    return this.list.value?.dataSource === 'rollups' ? 'rollup' : 'raw'
  }

  #chart(): TemplateResult {
    const counts = this.counts.value
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
      .loading=${this.counts.isPending && !this.isLive}
      .error=${this.counts.status === 'error' ? this.counts.error : undefined}
      @keelson-brush=${this.onBrush}
      @keelson-view=${this.onView}
      @keelson-retry=${() => this.counts.reload()}
    >${this.sourceOf(counts?.now)}</keelson-chart>`
  }

  #list(): TemplateResult {
    const { list, open } = this
    const sort = issueSort(this.params.get('sort'))
    const issues = arrangeIssues(this.issues ?? [], this.#words, sort)
    const answer = list.value
    const wanted = this.params.get('issue')
    const note = answer?.truncated === true ? 'errors.truncated' : 'errors.issuesNote'
    return html`<keelson-drawer
      ?open=${wanted !== null && answer !== undefined}
      label=${this.t('issue.label', { name: open?.type ?? '' })}
      @keelson-close=${() => this.go({ issue: null }, { replace: true })}
    >
      <keelson-table
        slot="list"
        keys
        heading=${this.t('errors.issues')}
        note=${this.t(note, { count: answer?.issues.length ?? 0 })}
        .columns=${this.#columns()}
        .rows=${issues}
        .rowHref=${({ id }: Issue) => this.address({ issue: id })}
        .selected=${open === undefined ? null : wanted}
        .sort=${{ column: sort, direction: 'desc' }}
        .loading=${(list.isPending && !this.isLive) || (answer === undefined && list.status !== 'error')}
        .error=${list.status === 'error' ? list.error : undefined}
        @keelson-retry=${() => list.reload()}
        @keelson-sort=${({ detail }: CustomEvent<{ column: string }>) =>
          this.go({ sort: detail.column === 'lastAt' ? null : detail.column }, { replace: true })}
        @keelson-open=${this.#onOpen}
        @keelson-move=${({ detail }: CustomEvent<{ id: string }>) =>
          wanted !== null && this.go({ issue: detail.id }, { replace: true })}
      >
        ${this.#search()}
        ${exportButtons({ name: 'issues', rows: issues, cells: () => issues.map(issueCells) }, this.#say)}
        <span slot="actions" class="dim source" title=${this.t(`stat.${this.#source}Hint`)}
          >${this.t(`stat.${this.#source}`)}</span
        >
        ${this.#empty()}
      </keelson-table>
      ${wanted === null ? nothing : this.#panel(open)}
    </keelson-drawer>`
  }

  #columns() {
    const counted = this.counted.value
    const { span, interval } = counted ?? { span: this.span, interval: this.interval }
    return issueColumns({
      format: this.format,
      now: Date.now(),
      span,
      interval,
      isPlatform: this.registry.value?.platform === true,
      t: this.#say,
      filterHref: this.filterHref,
      exclude: this.exclude
    })
  }

  /** A row opens; with Shift its issue is left out. */
  readonly #onOpen = (event: CustomEvent<{ row: Issue; shift: boolean }>): void => {
    event.preventDefault()
    const { row, shift } = event.detail
    if (shift) this.exclude({ field: 'fingerprint', value: row.fingerprint })
    else this.go({ issue: row.id })
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
    if (this.filters.length > 0) {
      const registry = this.registry.value
      return this.whyEmpty(whyEmpty(this.filters, this.range, registry))
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
    const detail = this.detail.value?.id === issue.id ? this.detail.value : undefined
    return issuePanel(issue, detail, {
      format: this.format,
      now: Date.now(),
      isPlatform: this.registry.value?.platform === true,
      t: this.#say,
      filterHref: this.filterHref,
      exclude: this.exclude,
      eventsHref: (params) =>
        this.pageHref('events', {
          ...this.rangeParams,
          ...Object.fromEntries(this.askingRows),
          ...params
        }),
      traceHref: (trace) => this.pageHref('trace', { ...this.rangeParams, trace }),
      error: this.detail.status === 'error' ? this.detail.error : undefined
    })
  }
}

registerTexts()
registerRecordTexts()
registerErrorsTexts()
define(
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonFilterChips,
  KeelsonStat,
  KeelsonTable,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonCopy
)
definePage('telemetry-dashboard-errors', ErrorsPage)
