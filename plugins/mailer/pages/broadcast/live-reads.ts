// Reads a broadcast again while it moves: one request in five seconds, the list when its figures changed.

import type { KeelsonPage, Reloadable } from '@keelson/ui'
import type { ReactiveController } from 'lit'

const EVERY_MS = 5000

/** What is read again. */
export interface LiveReads {
  /** Whether anything may still happen. */
  readonly isActive: () => boolean
  readonly row: Reloadable
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
    const { isActive, row, list, figures } = this.#reads
    const isHidden = document.visibilityState !== 'visible'
    const rows = list()
    if (isHidden || row.isPending || rows?.isPending === true) return
    if (rows !== undefined && this.#listed !== undefined && figures() !== this.#listed) {
      this.#listed = figures()
      void rows.reload()
    } else if (isActive()) void row.reload()
  }
}
