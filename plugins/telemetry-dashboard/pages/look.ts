// What a page of figures looks at: filters and a range of its address, fixed until asked again, or live.
import {
  ChartView,
  Filters,
  type KeelsonPage,
  Live,
  type ParamChanges,
  type Reloadable,
  Shortcuts,
  TimeRange
} from '@keelson/ui'
import { FILTERS_OF_RECORDS } from './address.ts'
import { chooseInterval, type Interval } from './buckets.ts'
import { Dashboard } from './dashboard.ts'

export interface LookOptions {
  /** The page's id among those that views can be saved of; omitted: the page has no views. */
  readonly view?: string
  /** Parameters that a change of range or filters removes. */
  readonly closes?: ParamChanges
  /** What the page asks for besides filters and range. */
  asked?(): string
  /** The loads of the page. */
  loads(): readonly Reloadable[]
}

export class Look {
  readonly page: KeelsonPage
  readonly dashboard: Dashboard
  readonly filters: Filters
  readonly range: TimeRange
  readonly live: Live
  readonly chart: ChartView

  constructor(page: KeelsonPage, options: LookOptions) {
    const { closes = {}, view } = options
    this.page = page
    this.dashboard = new Dashboard(page, view === undefined ? {} : { view })
    this.filters = new Filters(page, { codec: FILTERS_OF_RECORDS, closes })
    const asked = () => `${this.filters.params} ${options.asked?.() ?? ''}`
    this.range = new TimeRange(page, { closes, asked })
    const { registry } = this.dashboard
    const loads = () => (registry.failure ? [registry, ...options.loads()] : options.loads())
    this.live = new Live(page, { range: this.range, loads })
    this.chart = new ChartView(page)
    new Shortcuts(page, () => [
      ...this.dashboard.shortcuts,
      ...this.live.shortcuts,
      ...this.chart.shortcuts
    ])
  }

  /** The time zone of the page's days, weeks and months. */
  get timeZone(): string {
    return this.page.format.timeZone
  }

  /** The interval that the address names, or the one that suits the range. */
  get interval(): Interval {
    return chooseInterval(this.range.span, this.page.params.get('interval'))
  }
}
