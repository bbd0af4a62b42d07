// The range of time that a page shows: read from its address, fixed until something else is asked.
import { html, type ReactiveController, type TemplateResult } from 'lit'
import type { KeelsonPage } from '../keelson-page.ts'
import type { ParamChanges } from '../param-changes.ts'
import { type Range, rangeBounds, rangeParams, readRange } from './range.ts'

/** A stretch of time in milliseconds since 1970. `to` is outside. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Options of a `TimeRange`. */
export interface TimeRangeOptions {
  /** The range without one in the address; the address then names none. Default `7d`. */
  readonly usual?: string
  /** Parameters that a change of the range removes: an open row, a cursor. */
  readonly closes?: ParamChanges
  /** What else the page asks for. When it changes, a range such as `7d` ends at the present again. */
  asked?(): string
}

/**
 * Reads `range`, or `from` and `to`, from the address of the page.
 *
 * A relative range ends at one moment for all requests of a page: that moment moves when the range or
 * `asked()` changes, and on `advance()`. Create it before the loads that use `span`.
 */
export class TimeRange implements ReactiveController {
  readonly #page: KeelsonPage
  readonly #options: TimeRangeOptions
  #now = Date.now()
  #asked = ''

  constructor(page: KeelsonPage, options: TimeRangeOptions = {}) {
    this.#page = page
    this.#options = options
    page.addController(this)
  }

  hostUpdate(): void {
    const asked = `${JSON.stringify(this.value)} ${this.#options.asked?.() ?? ''}`
    if (asked === this.#asked) return
    this.#asked = asked
    this.#now = Date.now()
  }

  /** The range without one in the address. */
  get usual(): string {
    return this.#options.usual ?? '7d'
  }

  /** The range that the address names, or the usual one. */
  get value(): Range {
    return readRange(this.#page.params) ?? { range: this.usual }
  }

  /** Both ends of the range. */
  get span(): Span {
    const { from, to } = rangeBounds(this.value, new Date(this.#now))
    return { from: from.getTime(), to: to.getTime() }
  }

  /** The moment at which a relative range ends, in milliseconds. */
  get now(): number {
    return this.#now
  }

  /** Whether the range moves with time, as `7d` does. */
  get isMoving(): boolean {
    return 'range' in this.value
  }

  /** The range as parameters for links to other pages. */
  get params(): Record<string, string> {
    const { value } = this
    return 'range' in value ? { range: value.range } : { from: value.from, to: value.to }
  }

  /** What a change of the range removes from the address. */
  get closing(): ParamChanges {
    return this.#options.closes ?? {}
  }

  /** The changes of the address that show a range; the usual range needs no parameter. */
  changes(range: Range): ParamChanges {
    const isUsual = 'range' in range && range.range === this.usual
    return { ...rangeParams(range), ...(isUsual && { range: null }), ...this.closing }
  }

  /** Goes to a range. */
  set(range: Range): void {
    this.#page.go(this.changes(range))
  }

  /** Lets a relative range end at the present, which loads everything that uses `span` again. */
  advance(): void {
    this.#now = Date.now()
    this.#page.requestUpdate()
  }

  /** The control that changes the range: a `KeelsonRangePicker`. */
  picker(): TemplateResult {
    return html`<keelson-range-picker
      .value=${this.value}
      @keelson-range=${({ detail }: CustomEvent<{ value: Range }>) => this.set(detail.value)}
    ></keelson-range-picker>`
  }

  /** Handles `keelson-brush` of a chart: shows the stretch that was dragged over. */
  readonly onBrush = ({ detail }: CustomEvent<Span>): void => {
    const iso = (at: number) => new Date(at).toISOString()
    this.set({ from: iso(detail.from), to: iso(detail.to) })
  }
}
