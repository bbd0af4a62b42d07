// Reads a broadcast again while it moves: one request in five seconds, the list when its figures changed, and its
// links and hours once a minute.

import type { KeelsonPage, Reloadable } from '@keelson/ui'
import type { ReactiveController } from 'lit'

const EVERY_MS = 5000
/** Turns from one reading of links and hours to the next. */
const REPORT_TURNS = 12

/** What is read again. */
export interface LiveReads {
  /** Whether anything may still happen. */
  readonly isActive: () => boolean
  readonly row: Reloadable
  /** Links and hours. */
  readonly report: Reloadable
  /** The list below, as long as it shows its first page. */
  readonly list: () => Reloadable | undefined
  /** What the list depends on, as text. */
  readonly figures: () => string
}

/** Asks for the broadcast, and in the next turn for its list when the broadcast had other figures. */
export class BroadcastLive implements ReactiveController {
  readonly #reads: LiveReads
  #timer: ReturnType<typeof setInterval> | undefined
  #listed: string | undefined
  #turns = 0

  constructor(page: KeelsonPage, reads: LiveReads) {
    this.#reads = reads
    page.addController(this)
  }

  hostConnected(): void {
    this.#timer = setInterval(() => this.#turn(), EVERY_MS)
  }

  hostDisconnected(): void {
    clearInterval(this.#timer)
  }

  hostUpdated(): void {
    this.#listed ??= this.#reads.figures() === '' ? undefined : this.#reads.figures()
  }

  #turn(): void {
    const { isActive, row, report, list, figures } = this.#reads
    const isHidden = document.visibilityState !== 'visible'
    const rows = list()
    if (isHidden || row.isPending || rows?.isPending === true) return
    const hasChanged =
      rows !== undefined && this.#listed !== undefined && figures() !== this.#listed
    const next = nextRead({ turn: this.#turns, hasChanged, isActive: isActive() })
    if (next === 'list') this.#listed = figures()
    else this.#turns += 1
    void { list: rows, report, row, none: undefined }[next]?.reload()
  }
}

/** What one turn reads. Pure. */
export function nextRead({
  turn,
  hasChanged,
  isActive
}: {
  readonly turn: number
  /** The list does not show the figures. */
  readonly hasChanged: boolean
  readonly isActive: boolean
}): 'list' | 'report' | 'row' | 'none' {
  if (hasChanged) return 'list'
  if (!isActive) return 'none'
  return turn % REPORT_TURNS === REPORT_TURNS - 1 ? 'report' : 'row'
}
