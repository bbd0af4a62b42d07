// Loads a page again: on demand, and every few seconds while Live is on.
import { html, type ReactiveController, type TemplateResult } from 'lit'
import { icon } from '../icons.ts'
import type { KeelsonPage } from '../keelson-page.ts'
import type { Shortcut } from './shortcuts.ts'
import type { TimeRange } from './time-range.ts'

/** How often Live looks for new data, and relative times are drawn again, in milliseconds. */
const LIVE_EVERY = 5000
const TIMES_EVERY = 30_000

/** A load that can run again: a `Load` or `ListLoad`. */
export interface Reloadable {
  readonly isPending: boolean
  readonly failure: unknown
  reload(): Promise<void>
}

/** Options of `Live`. */
export interface LiveOptions {
  readonly range: TimeRange
  /** The loads of the page. Live waits for their answers before it asks again. */
  loads(): readonly Reloadable[]
}

/** Parameter `live=1` of the address. Live needs a range that ends at the present. */
export class Live implements ReactiveController {
  readonly #page: KeelsonPage
  readonly #options: LiveOptions
  #ticker: ReturnType<typeof setInterval> | undefined
  #drawnAt = 0

  constructor(page: KeelsonPage, options: LiveOptions) {
    this.#page = page
    this.#options = options
    page.addController(this)
  }

  hostConnected(): void {
    this.#ticker = setInterval(() => this.#tick(), 1000)
  }

  hostDisconnected(): void {
    clearInterval(this.#ticker)
  }

  hostUpdate(): void {
    this.#drawnAt = Date.now()
  }

  #tick(): void {
    if (document.visibilityState !== 'visible') return
    const now = Date.now()
    const isDue = this.isOn && now - this.#options.range.now >= LIVE_EVERY
    if (isDue && !this.#options.loads().some(({ isPending }) => isPending)) this.refresh()
    else if (now - this.#drawnAt >= TIMES_EVERY) this.#page.requestUpdate()
  }

  /** Whether the page loads again by itself. */
  get isOn(): boolean {
    return this.#options.range.isMoving && this.#page.params.get('live') === '1'
  }

  /** Loads everything again, up to now. */
  refresh(): void {
    const { range, loads } = this.#options
    // Loads that use a moving range start by themselves, unless they failed for the same moment.
    if (range.isMoving) range.advance()
    for (const load of loads()) {
      if (!range.isMoving || load.failure !== undefined) void load.reload()
    }
  }

  /** Turns Live on or off. */
  toggle(): void {
    if (!this.#options.range.isMoving) return
    this.#page.go({ live: this.isOn ? null : '1' }, { replace: true })
  }

  /** R loads again, L turns Live on and off. */
  get shortcuts(): readonly Shortcut[] {
    return [
      { keys: 'r', label: this.#page.t('ui.refresh'), run: () => this.refresh() },
      { keys: 'l', label: this.#page.t('live.hint'), run: () => this.toggle() }
    ]
  }

  /** The button that turns Live on and off. */
  button(): TemplateResult {
    const { isMoving } = this.#options.range
    const t = (key: string) => this.#page.t(key)
    return html`<button
      class="btn"
      aria-pressed=${this.isOn}
      ?disabled=${!isMoving}
      title=${t(isMoving ? 'live.hint' : 'live.fixed')}
      @click=${() => this.toggle()}
    >${icon('live', 14)}${t('live.label')}<kbd class="hide" aria-hidden="true">L</kbd></button>`
  }
}
