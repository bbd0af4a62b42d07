// Which transaction holds which documents and unique keys, until it ends.
import type { Claims } from '../storage/scope.ts'

/** Who can hold a key. */
export interface Holder {
  /** Settles when the holder has ended and its keys are free. */
  readonly ended: Promise<unknown>
}

/** The held keys, as `textOfKey` writes them. */
export class ClaimTable<H extends Holder> implements Claims {
  readonly #holders = new Map<string, H>()

  get size(): number {
    return this.#holders.size
  }

  holderOf(text: string): H | undefined {
    return this.#holders.get(text)
  }

  /** Takes a free key. */
  take(text: string, holder: H): void {
    this.#holders.set(text, holder)
  }

  release(texts: Iterable<string>): void {
    for (const text of texts) this.#holders.delete(text)
  }
}
