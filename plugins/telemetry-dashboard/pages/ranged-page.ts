// A page that looks at a range of time: the range and the filters of its address, fixed until asked anew.
import { type Filter, KeelsonPage, type Range, rangeBounds } from '@keelson/ui'
import type { PropertyValues } from 'lit'
import { filterParams, filtersOf, rangeOf } from './address.ts'
import { chooseInterval, type Interval, type Span } from './buckets.ts'
import { TelemetryPage } from './telemetry-page.ts'

export class RangedPage extends TelemetryPage {
  static override readonly properties: Record<string, object> = {
    ...KeelsonPage.properties,
    _now: { state: true }
  }
  /** The moment that a range such as `7d` ends at: fixed until something else is asked. */
  declare _now: number
  #asked = ''

  constructor() {
    super()
    this._now = Date.now()
  }

  protected get filters(): Filter[] {
    return filtersOf(this.params)
  }

  /** The filters as the API is asked with them. */
  protected get asking(): URLSearchParams {
    return filterParams(this.params)
  }

  protected get range(): Range {
    return rangeOf(this.params)
  }

  protected get span(): Span {
    const { from, to } = rangeBounds(this.range, new Date(this._now))
    return { from: from.getTime(), to: to.getTime() }
  }

  protected get interval(): Interval {
    return chooseInterval(this.span, this.params.get('interval'))
  }

  /** Whether the range moves with time. */
  protected get isMoving(): boolean {
    return 'range' in this.range
  }

  /** What the window is called. */
  protected get windowTitle(): string {
    return ''
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed)
    const asked = `${this.asking} ${JSON.stringify(this.range)} ${this.windowTitle}`
    if (asked === this.#asked) return
    this.#asked = asked
    this._now = Date.now()
    this.setTitle(this.windowTitle)
  }
}
