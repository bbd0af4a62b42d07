// Long work on items in slices, between which others have their turn.
import { setImmediate } from 'node:timers/promises'

const SLICE = 1000

/** Each item in order. */
export async function* inSlices<T>(items: readonly T[]): AsyncIterable<readonly T[]> {
  for (let at = 0; at < items.length; at += SLICE) {
    if (at > 0) await setImmediate()
    yield items.slice(at, at + SLICE)
  }
}
