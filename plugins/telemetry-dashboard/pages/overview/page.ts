// The Overview page: how much of what, what went wrong, and where to look next.
import {
  chartLoad,
  controls,
  define,
  definePage,
  exportButtons,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonStat,
  KeelsonTable,
  registerCatalog,
  type Span,
  shareStyles,
  tableView,
  trendText
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { filterChanges } from '../address.ts'
import {
  bucketStarts,
  change,
  chooseInterval,
  ghostValues,
  INTERVAL_MS,
  partialBuckets,
  previousSpan
} from '../buckets.ts'
import { Look } from '../look.ts'
import { sourceTag, widerLink } from '../parts.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import {
  countOf,
  KIND_SERIES,
  type RankedBy,
  type RankedRow,
  rank,
  seriesByKind,
  spendOf
} from './activity.ts'
import { latestIssueColumns, type OverviewWords, rankColumns } from './columns.ts'
import { countsBy, familyOf, issuesOf, kindsOf, peopleOf, spansOf, tenantsOf } from './loads.ts'
import { overviewStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }

const filterField = (by: RankedBy): string => (by === 'tenantId' ? 'tenant' : by)

/** Rows of a ranking. */
const MOST_NAMES = 12

type Rankings = ReturnType<typeof countsBy>

class OverviewPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, shareStyles, overviewStyles]
  readonly #look: Look = new Look(this, {
    view: 'overview',
    loads: () => [
      this.#kinds,
      this.#names,
      this.#services,
      this.#tenants,
      this.#people,
      this.#spans,
      this.#issues
    ]
  })
  readonly #dashboard = this.#look.dashboard
  readonly #range = this.#look.range
  readonly #kinds = kindsOf(this.#look)
  readonly #names = countsBy(this.#look, ['name', 'kind'])
  readonly #services = countsBy(this.#look, ['service'])
  readonly #tenants = tenantsOf(this.#look)
  readonly #people = peopleOf(this.#look)
  readonly #spans = spansOf(this.#look)
  readonly #issues = issuesOf(this.#look)

  protected readonly chart = chartLoad(this)

  protected override get windowTitle(): string {
    return this.t('overview.title')
  }

  get #words(): OverviewWords {
    return { format: this.format, now: Date.now(), t: this.t }
  }

  protected override content(): TemplateResult {
    const kinds = this.#kinds.value
    const isEmpty = kinds !== undefined && countOf(kinds.now.groups) === 0
    return html`<keelson-page-header ranged heading=${this.t('overview.title')}>
        ${this.#range.picker()} ${this.#look.live.button()} ${this.#dashboard.views()}
      </keelson-page-header>
      <div class="main">
        <h2 class="visually-hidden">${this.t('overview.figures')}</h2>
        <div class="tiles">${this.#tiles()}</div>
        ${isEmpty ? this.#empty() : html`${this.#chart()} ${this.#lists()}`}
      </div>`
  }

  #tiles(): TemplateResult {
    return html`${this.#countTile()} ${this.#errorsTile()} ${this.#peopleTile()} ${this.#slowTile()}
    ${this.#spendTile()}`
  }

  /** Starts of the buckets of the chart and of the tiles. */
  #starts(span: Span): number[] {
    return bucketStarts(span, chooseInterval(this.#range.span, null), this.format.timeZone)
  }

  #against(before: number): string {
    return this.t('tile.against', { value: this.format.compact(before) })
  }

  #countTile(): TemplateResult {
    const { now, before, span } = this.#kinds.value ?? {}
    const sum = countOf(now?.groups ?? [])
    const sumBefore = countOf(before?.groups ?? [])
    const byKind = span === undefined ? [] : seriesByKind(now?.groups ?? [], this.#starts(span))
    const [first] = byKind
    const points = (first?.values ?? []).map((_, at) =>
      byKind.reduce((total, { values }) => total + (values[at] ?? 0), 0)
    )
    return html`<keelson-stat
      label=${this.t('overview.records')}
      value=${this.format.compact(sum)}
      .change=${change(sum, sumBefore)}
      .base=${sumBefore}
      against=${this.#against(sumBefore)}
      good="none"
      .points=${points}
      source="rollup"
      caveat=${now?.truncated === true ? 'truncated' : ''}
      href=${this.#dashboard.href('events')}
      .error=${this.#kinds.missing}
      ?loading=${this.#kinds.isFirst}
    ></keelson-stat>`
  }

  #errorsTile(): TemplateResult {
    const { now, before, span } = this.#kinds.value ?? {}
    const sum = countOf(now?.groups ?? [], 'error')
    const sumBefore = countOf(before?.groups ?? [], 'error')
    const byKind = span === undefined ? [] : seriesByKind(now?.groups ?? [], this.#starts(span))
    return html`<keelson-stat
      label=${this.t('overview.errors')}
      value=${this.format.compact(sum)}
      .change=${change(sum, sumBefore)}
      .base=${sumBefore}
      against=${this.#against(sumBefore)}
      good="down"
      .points=${byKind.find(({ kind }) => kind === 'error')?.values ?? []}
      tone=${sum > 0 ? 'bad' : ''}
      source="rollup"
      caveat=${now?.truncated === true ? 'truncated' : ''}
      href=${this.#dashboard.href('errors')}
      .error=${this.#kinds.missing}
      ?loading=${this.#kinds.isFirst}
    ></keelson-stat>`
  }

  /** Every tile keeps its place: one that has nothing to count says so. */
  #peopleTile(): TemplateResult {
    const registry = this.#dashboard.registry
    const isCounted = familyOf(this.#look, this.#range.span) !== undefined
    const { now, before } = (isCounted ? this.#people.value : undefined) ?? {}
    return html`<keelson-stat
      label=${this.t('overview.people')}
      value=${now === undefined ? '–' : this.format.compact(now.distinct)}
      .change=${now === undefined || before === undefined ? null : change(now.distinct, before.distinct)}
      .base=${before?.distinct ?? null}
      against=${before === undefined ? this.t('overview.noPeople') : this.#against(before.distinct)}
      .points=${(now?.buckets ?? []).map(({ value }) => value)}
      source="rollup"
      caveat=${now?.truncated === true ? 'truncated' : ''}
      .error=${registry.missing ?? (isCounted ? this.#people.missing : undefined)}
      ?loading=${registry.isFirst || (isCounted && this.#people.isFirst)}
    ></keelson-stat>`
  }

  #slowTile(): TemplateResult {
    const { now, before } = this.#spans.value ?? {}
    const { p50, p95 } = now ?? {}
    const earlier = before?.p95
    const time = (key: string, ms: number | undefined) =>
      ms === undefined ? [] : [this.t(key, { value: this.format.duration(ms) })]
    const notes = [...time('tile.against', earlier), ...time('overview.slowText', p50)]
    return html`<keelson-stat
      label=${this.t('overview.slow')}
      value=${p95 === undefined ? '–' : this.format.duration(p95)}
      .change=${p95 === undefined || earlier === undefined ? null : change(p95, earlier)}
      against=${p50 === undefined ? this.t('overview.noSpans') : notes.join(' · ')}
      good="down"
      source="raw"
      caveat=${now?.truncated === true ? 'truncated' : ''}
      href=${this.#dashboard.href('traces', { spans: 'all' })}
      .error=${this.#spans.missing}
      ?loading=${this.#spans.isFirst}
    ></keelson-stat>`
  }

  #spendTile(): TemplateResult {
    const { now, before } = this.#kinds.value ?? {}
    const spend = spendOf(now?.groups ?? [])
    const spent = spendOf(before?.groups ?? []) ?? 0
    const money = (value: number) => this.format.money(value, 'USD')
    return html`<keelson-stat
      label=${this.t('overview.spend')}
      value=${spend === undefined ? '–' : money(spend)}
      .change=${spend === undefined ? null : change(spend, spent)}
      change-text=${spend === undefined || spent === 0 ? '' : trendText((spend - spent) / spent, null, this.format)}
      against=${spend === undefined ? this.t('overview.noSpend') : this.t('tile.against', { value: money(spent) })}
      good="none"
      source="rollup"
      .error=${this.#kinds.missing}
      ?loading=${this.#kinds.isFirst}
      href=${this.#dashboard.href('usage')}
    ></keelson-stat>`
  }

  #chart(): TemplateResult {
    const { now, before, span = this.#range.span } = this.#kinds.value ?? {}
    const interval = chooseInterval(span, null)
    const starts = now === undefined ? [] : this.#starts(span)
    const earlier = (before?.groups ?? []).map(({ at = '', count }) => ({ at, value: count }))
    const merged = new Map<string, number>()
    for (const { at, value } of earlier) merged.set(at, (merged.get(at) ?? 0) + value)
    const buckets = [...merged].map(([at, value]) => ({ at, value }))
    const ghost = ghostValues(buckets, this.#starts(previousSpan(span)), starts.length, 0)
    const series = seriesByKind(now?.groups ?? [], starts).map(({ kind, values }) => ({
      id: kind,
      label: this.t(`kind.${kind}`),
      values,
      tone: KIND_SERIES[kind]
    }))
    return html`<keelson-chart
      heading=${this.t('overview.by', { interval: this.t(`interval.${interval}`) })}
      caption=${this.t('overview.caption', {
        total: countOf(now?.groups ?? []),
        before: countOf(before?.groups ?? [])
      })}
      stacked
      kind="bars"
      .times=${starts}
      partial=${partialBuckets(starts, span)}
      .interval=${INTERVAL_MS[interval]}
      .series=${[
        ...series,
        { id: 'before', label: this.t('overview.previous'), values: ghost, ghost: true }
      ]}
      view=${this.#look.chart.value}
      .loading=${this.#kinds.isPending && !this.#look.live.isOn}
      .error=${this.#kinds.failure}
      @keelson-brush=${this.#range.onBrush}
      @keelson-view=${this.#look.chart.onView}
      @keelson-retry=${() => this.#kinds.reload()}
    >${sourceTag(this.#look, now && { source: 'rollup', truncated: now.truncated, sampled: false })}</keelson-chart>`
  }

  #lists(): TemplateResult {
    return html`<div class="columns">
      ${this.#ranking('name', this.#names)}
      <div class="side">
        ${this.#issueList()} ${this.#ranking('service', this.#services)}
        ${this.#dashboard.isPlatform ? this.#ranking('tenantId', this.#tenants) : nothing}
      </div>
    </div>`
  }

  #ranking(by: RankedBy, load: Rankings): TemplateResult {
    const { now, before } = load.value ?? {}
    const rows = rank(now?.groups ?? [], before?.groups ?? [], by)
    return tableView({
      heading: this.t(`overview.by.${by}`),
      note: now?.truncated === true ? this.t('overview.partly') : '',
      skeleton: by === 'name' ? 8 : 3,
      columns: rankColumns(by, this.#words),
      rows: rows.slice(0, MOST_NAMES),
      href: ({ name }) => this.#dashboard.href('events', { [filterField(by)]: name }),
      read: load,
      isLive: this.#look.live.isOn,
      total: rows.length,
      onOpen: (event) => this.#leaveOut(event, by),
      actions: exportButtons(
        { name: `records by ${by}`, rows: rows.map(({ id: _id, share: _share, ...row }) => row) },
        this.t
      )
    })
  }

  /** With Shift the row leads to all other records. */
  #leaveOut(event: CustomEvent<{ row: RankedRow; shift: boolean }>, by: RankedBy): void {
    if (!event.detail.shift) return
    event.preventDefault()
    const { exclude } = filterChanges([
      { field: filterField(by), value: event.detail.row.name, not: true }
    ])
    this.page.navigate(this.#dashboard.href('events', { ...(exclude && { exclude }) }))
  }

  #issueList(): TemplateResult {
    return tableView({
      heading: this.t('overview.issues'),
      skeleton: 3,
      columns: latestIssueColumns(this.#words, this.#dashboard.isPlatform),
      rows: this.#issues.value ?? [],
      href: ({ id }) => this.#dashboard.href('errors', { issue: id }),
      read: this.#issues,
      isLive: this.#look.live.isOn,
      empty: { heading: this.t('overview.noIssues') }
    })
  }

  #empty(): TemplateResult {
    return html`<div class="card">
      <keelson-empty heading=${this.t('overview.none')} text=${this.t('overview.noneText')}>
        <div class="actions">
          ${widerLink(this.#look)}
          <a class="btn" href=${this.#dashboard.href('system', { new: 'key' })}>${this.t('overview.makeKey')}</a>
        </div>
      </keelson-empty>
    </div>`
  }
}

registerTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonRangePicker, KeelsonStat, KeelsonTable, KeelsonEmpty)
definePage('telemetry-dashboard-overview', OverviewPage)
