// Long work in slices of time, between which others have their turn.
import { setImmediate } from 'node:timers/promises'

/** Milliseconds of a slice. */
const SLICE_MS = 8
/** Items between two looks at the clock. */
const FEW = 100

/** To await after each piece of work: it waits for others when the slice is over. */
export function startSlices(elapsed = () => performance.now()): () => Promise<void> | undefined {
  let since = elapsed()
  const giveTurn = async (): Promise<void> => {
    await setImmediate()
    since = elapsed()
  }
  return () => (elapsed() - since < SLICE_MS ? undefined : giveTurn())
}

/** Each item in order. */
export async function* inSlices<T>(
  items: readonly T[],
  elapsed?: () => number
): AsyncIterable<readonly T[]> {
  const turn = startSlices(elapsed)
  for (let at = 0; at < items.length; at += FEW) {
    yield items.slice(at, at + FEW)
    await turn()
  }
}
