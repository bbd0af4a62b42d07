// The Usage page: what was consumed, what it cost, and by whom.
import {
  chartLoad,
  controls,
  define,
  definePage,
  KeelsonEmpty,
  KeelsonFilterChips,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonRangePicker,
  KeelsonStat,
  KeelsonTable,
  LEAST_BASE,
  registerCatalog,
  shareStyles,
  trendText
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
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
import { filterFields } from '../events/fields.ts'
import { figureText, keyHeading } from '../figures.ts'
import { Look } from '../look.ts'
import { intervalPick, pick, sourceTag, widerLink } from '../parts.ts'
import { registerRecordTexts } from '../records/texts.ts'
import { ofKind } from '../registry.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { courseOfUsage, totalsOf } from './loads.ts'
import texts from './texts.en.json' with { type: 'json' }
import { tenantsTable, totalsTable } from './totals-table.ts'
import {
  billedText,
  COUNT,
  NO_COURSE,
  NO_USAGE,
  stackOf,
  type UsageFamily,
  usageAttrs,
  usageFamilies,
  usageMetrics,
  usageRows
} from './usage.ts'

type Totals = ReturnType<typeof totalsOf>

/** A trend from so few says both figures: they are not said again beside it. */
const isOfFew = (base: number | null): boolean => base !== null && base > 0 && base < LEAST_BASE

/** What a tile shows besides its words: which load it is made of, and how that went. */
interface TileOf {
  readonly load?: Pick<Totals, 'missing' | 'isFirst'>
  readonly isPartial?: string
  readonly change?: number | null
  readonly changeText?: string
  readonly points?: readonly number[]
}

class UsagePage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, shareStyles]
  readonly #look: Look = new Look(this, {
    view: 'usage',
    loads: () => [this.#course, this.#meters, this.#people, this.#attrs, this.#tenants]
  })
  readonly #dashboard = this.#look.dashboard
  readonly #registry = this.#dashboard.registry
  readonly #range = this.#look.range
  readonly #filters = this.#look.filters
  readonly #course = courseOfUsage(this.#look, () =>
    this.#registry.value === undefined
      ? null
      : { by: this.#by, measure: this.#measure, interval: this.#look.interval }
  )
  readonly #meters = totalsOf(this.#look, () => 'meter')
  readonly #people = totalsOf(this.#look, () => this.#person)
  readonly #attrs = totalsOf(this.#look, () =>
    this.#attr === undefined ? undefined : `attr:${this.#attr}`
  )
  readonly #tenants = totalsOf(this.#look, () =>
    this.#dashboard.isPlatform ? 'tenantId' : undefined
  )

  protected readonly chart = chartLoad(this)

  protected override get windowTitle(): string {
    return this.t('usage.title')
  }

  get #families(): readonly UsageFamily[] {
    return this.#registry.value === undefined ? [] : usageFamilies(this.#registry.value)
  }

  /** The family that the chart draws. */
  get #family(): UsageFamily | undefined {
    const asked = this.params.get('family')
    return this.#families.find(({ as }) => as === asked) ?? this.#families[0]
  }

  /** What usage can be measured by: its metrics, and the number of records. */
  get #measures(): readonly string[] {
    return [
      ...(this.#registry.value === undefined ? [] : usageMetrics(this.#registry.value)),
      COUNT
    ]
  }

  get #measure(): string {
    const asked = this.params.get('measure')
    return this.#measures.find((one) => one === asked) ?? this.#measures[0] ?? COUNT
  }

  /** What the chart tells apart. */
  get #by(): string {
    return this.#family?.by ?? 'meter'
  }

  /** The attribute that totals are grouped by; the first when the address names none. */
  get #attr(): string | undefined {
    const attrs = this.#registry.value === undefined ? [] : usageAttrs(this.#registry.value)
    const asked = this.params.get('by')
    return attrs.find((one) => one === asked) ?? attrs[0]
  }

  /** Persons by who is billed, or by who the usage is about. */
  get #person(): 'subject' | 'billedTo' {
    return this.params.get('person') === 'billedTo' ? 'billedTo' : 'subject'
  }

  #figure(value: number, measure = this.#measure): string {
    if (measure === COUNT) return this.format.compact(value)
    return figureText(measure, value, this.format)
  }

  protected override content(): TemplateResult {
    const meters = this.#meters.value
    const isEmpty = meters !== undefined && meters.groups.length === 0
    return html`<keelson-page-header ranged heading=${this.t('usage.title')}>
        ${this.#measurePick()} ${this.#range.picker()} ${this.#look.live.button()} ${this.#alert()}
        ${this.#dashboard.views()}
      </keelson-page-header>
      <div class="main">
        ${this.#chips()}
        <h2 class="visually-hidden">${this.t('usage.figures')}</h2>
        ${this.#tiles()} ${this.#chart()} ${isEmpty ? this.#empty() : this.#tables()}
      </div>`
  }

  #alert(): TemplateResult | typeof nothing {
    const family = this.#family
    const measure = this.#measure
    const filters = this.#filters.value
    const measured = measure === COUNT ? measure : `sum:${measure}`
    return this.#dashboard.alertLink(
      family === undefined || filters.length > 0
        ? alertParams(filters, { kind: 'usage', measure: measured })
        : alertParams([], {
            source: 'rollup',
            as: family.as,
            measure: family.sums.includes(measure) ? measured : COUNT
          })
    )
  }

  #measurePick(): TemplateResult {
    return pick({
      label: this.t('usage.measure'),
      chosen: this.#measure,
      choices: this.#measures.map((one) => [one, one === COUNT ? this.t('usage.countOf') : one]),
      slot: 'tags',
      onPick: (measure) => this.go({ measure })
    })
  }

  #chips(): TemplateResult {
    const registry = this.#registry.value
    const fields =
      registry === undefined
        ? []
        : filterFields(ofKind(registry, 'usage'), this.#dashboard, this.params.get('name'))
    return this.#filters.chips(fields.filter(({ id }) => id !== 'kind'))
  }

  #tiles(): TemplateResult {
    const meters = this.#meters.value
    const whole = meters?.total ?? NO_USAGE
    const { count: records, unbilled } = whole
    const caveat = meters?.truncated === true ? 'truncated' : ''
    const amounts = billedText(whole, this.format)
    const tile = (label: string, value: string, against: string, of: TileOf = {}) => {
      const { load = this.#meters, isPartial = caveat, points = [] } = of
      return html`<keelson-stat
        label=${label}
        value=${value}
        against=${against}
        .change=${of.change ?? null}
        change-text=${of.changeText ?? ''}
        good="none"
        .points=${points}
        source="raw"
        caveat=${isPartial}
        .error=${load.missing}
        ?loading=${load.isFirst}
      ></keelson-stat>`
    }
    const people = this.#people.value
    const [most] = usageRows(people ?? { groups: [], total: NO_USAGE }, this.#measure)
    const mostName = most?.value ?? undefined
    const mostText =
      mostName === undefined
        ? ''
        : this.t('usage.most', { name: people?.labels[mostName]?.label ?? mostName })
    return html`<div class="tiles still">
      ${this.#measureTile(tile)}
      ${tile(this.t('usage.records'), this.format.compact(records), unbilled === 0 ? '' : this.t('usage.unbilled', { count: unbilled }))}
      ${tile(this.t('usage.people'), this.format.compact(people?.values ?? 0), mostText, {
        load: this.#people,
        isPartial: people?.truncated === true ? 'truncated' : ''
      })}
      ${tile(this.t('usage.billedTile'), amounts, this.t('usage.billedText'))}
    </div>`
  }

  /** What is measured, as the chart adds it up. */
  #measureTile(tile: (label: string, value: string, against: string, of: TileOf) => unknown) {
    const measure = this.#measure
    if (measure === COUNT && this.#registry.value !== undefined) return nothing
    const course = this.#course.value
    const sum = total((course?.now.all ?? []).map(({ value }) => value))
    const before = total((course?.before.all ?? []).map(({ value }) => value))
    const named = measure === COUNT ? this.t('usage.quantity') : keyHeading(measure)
    const label = measure.endsWith('_usd') ? this.t('usage.spend') : named
    const base = this.#base(before)
    const against = isOfFew(base) ? '' : this.t('tile.against', { value: this.#figure(before) })
    return tile(label, this.#figure(sum), against, {
      load: this.#course,
      isPartial: '',
      change: change(sum, before),
      changeText: before === 0 ? '' : trendText((sum - before) / before, base, this.format),
      points:
        course === undefined
          ? []
          : fillBuckets(
              course.now.all,
              bucketStarts(course.span, course.interval, this.format.timeZone),
              0
            )
    })
  }

  #chart(): TemplateResult {
    const course = this.#course.value?.by === this.#by ? this.#course.value : undefined
    const interval = course?.interval ?? this.#look.interval
    const { span, measure } = course ?? { span: this.#range.span, measure: COUNT }
    const starts = course === undefined ? [] : bucketStarts(span, interval, this.format.timeZone)
    const stack = stackOf(course?.now ?? NO_COURSE, starts, this.t('usage.others'))
    const before = course?.before.all ?? []
    const earlier = bucketStarts(previousSpan(span), interval, this.format.timeZone)
    const ghost = ghostValues(before, earlier, starts.length, 0)
    const written = (value: number) => this.#figure(value, measure)
    const was = total(before.map(({ value }) => value))
    const { label: name } = this.#family ?? {}
    const by = { interval: this.t(`interval.${interval}`) }
    return html`<keelson-chart
      heading=${name === undefined ? this.t('usage.byInterval', by) : this.t('usage.byLabel', { ...by, name })}
      caption=${this.t('usage.caption', { total: written(stack.total), before: written(was) })}
      stacked
      kind="bars"
      .times=${starts}
      partial=${partialBuckets(starts, span)}
      .interval=${INTERVAL_MS[interval]}
      .value=${written}
      .series=${[
        ...stack.series,
        { id: 'before', label: this.t('usage.previous'), values: ghost, ghost: true }
      ]}
      view=${this.#look.chart.value}
      .loading=${this.#course.isFirst || (this.#course.isPending && !this.#look.live.isOn)}
      .error=${this.#course.failure}
      @keelson-brush=${this.#range.onBrush}
      @keelson-view=${this.#look.chart.onView}
      @keelson-retry=${() => this.#course.reload()}
      >${sourceTag(this.#look, course?.now)}
      <span slot="actions" class="dim">${course === undefined ? '' : this.#changeText(stack.total, was, written)}</span>
      ${this.#familyPick()} ${intervalPick(this.#look)}</keelson-chart
    >`
  }

  /** Of a few records a percentage says nothing; of a few dollars it does. */
  #base(before: number): number | null {
    return this.#measure === COUNT ? before : null
  }

  #changeText(now: number, before: number, written: (value: number) => string): string {
    const by = change(now, before)
    if (by === null) return written(now)
    const base = this.#base(before)
    const trend = `${by < 0 ? '▼' : '▲'} ${trendText(by, base, this.format, written)}`
    return isOfFew(base) ? trend : `${written(now)} ${trend}`
  }

  #familyPick(): TemplateResult | typeof nothing {
    if (this.#families.length < 2) return nothing
    return pick({
      label: this.t('usage.family'),
      chosen: this.#family?.as ?? '',
      choices: this.#families.map(({ as, label }) => [as, label]),
      onPick: (family) => this.go({ family }, { replace: true })
    })
  }

  #tables(): TemplateResult {
    // Its place is kept until the attributes are known.
    const attr =
      this.#attr ?? (this.#registry.value === undefined ? this.t('usage.anyAttr') : undefined)
    const person = this.#person
    const other = person === 'billedTo' ? 'usage.showPersons' : 'usage.showPayers'
    const swap = html`<a
      slot="actions"
      class="link export"
      href=${this.address({ person: person === 'billedTo' ? null : 'billedTo' })}
      >${this.t(other)}</a
    >`
    const isPayer = person === 'billedTo'
    const table = (load: Totals, heading: string, label: string, actions: unknown = nothing) =>
      totalsTable(this.#look, { load, heading, label, actions, measure: this.#measure })
    // Below what is in view, so that nothing moves when it is known who looks.
    const tenants = this.#dashboard.isPlatform
      ? tenantsTable(this.#look, this.#tenants, this.#measure)
      : nothing
    return html`${attr === undefined ? nothing : table(this.#attrs, this.t('usage.attr', { name: attr }), attr)}
    ${table(this.#meters, this.t('usage.meters'), this.t('usage.meter'))} ${tenants}
    ${table(this.#people, this.t(isPayer ? 'usage.payers' : 'usage.persons'), this.t(isPayer ? 'usage.payer' : 'usage.person'), swap)}`
  }

  #empty(): TemplateResult {
    return html`<div class="card">
      <keelson-empty heading=${this.t('usage.none')} text=${this.t('usage.noneText')}>
        <div class="actions">
          ${widerLink(this.#look)}
          ${
            this.#filters.value.length === 0
              ? nothing
              : html`<a class="btn" href=${this.address(this.#filters.changes([]))}>${this.t('empty.clear')}</a>`
          }
        </div>
      </keelson-empty>
    </div>`
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
  KeelsonEmpty
)
definePage('telemetry-dashboard-usage', UsagePage)
