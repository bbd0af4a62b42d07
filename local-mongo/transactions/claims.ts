// Which transaction holds which documents and unique keys, until it ends.
import type { Claims } from '../storage/scope.ts'
import { textOfKey } from '../storage/tree-keys.ts'

/** Who can hold a key. */
export interface Holder {
  /** Settles when the holder has ended and its keys are free. */
  readonly ended: Promise<unknown>
}

/** The held keys. */
export class ClaimTable<H extends Holder> implements Claims {
  readonly #holders = new Map<string, H>()

  get size(): number {
    return this.#holders.size
  }

  holderOf(key: Uint8Array): H | undefined {
    return this.#holders.get(textOfKey(key))
  }

  /** Takes a free key. */
  take(key: Uint8Array, holder: H): string {
    const text = textOfKey(key)
    this.#holders.set(text, holder)
    return text
  }

  release(texts: Iterable<string>): void {
    for (const text of texts) this.#holders.delete(text)
  }
}
