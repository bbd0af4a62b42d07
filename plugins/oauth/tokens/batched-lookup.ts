// Batched look-ups: keys that arrive while a read runs are read together by the next one.

export interface BatchedLookup<T> {
  /** The value in the database at some moment after this call. */
  get(key: string): Promise<T | undefined>
}

interface Waiting<T> {
  /** Shared by all callers that wait for this key. */
  readonly answer: Promise<T | undefined>
  readonly resolve: (value: T | undefined) => void
  readonly reject: (reason: unknown) => void
}

/** Most keys in one read. */
const MAX_BATCH = 500

/**
 * A call never joins a read that was sent: the read may have passed the row before a change that the caller
 * must see. At most two reads run, and they start `gapMs` apart: a quiet host does not wait, a busy one
 * puts more keys into each read.
 */
export function createBatchedLookup<T>(
  readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  { parallel = 2, gapMs = 4 }: { readonly parallel?: number; readonly gapMs?: number } = {}
): BatchedLookup<T> {
  let gathered = new Map<string, Waiting<T>>()
  let running = 0
  let isSending = false
  let sentAt = Number.NEGATIVE_INFINITY

  const send = (): void => {
    isSending = false
    if (running >= parallel || gathered.size === 0) return
    const batch = takeBatch()
    running++
    sentAt = performance.now()
    readAll([...batch.keys()])
      .then(
        (found) => {
          for (const [key, { resolve }] of batch) resolve(found.get(key))
        },
        (error: unknown) => {
          for (const { reject } of batch.values()) reject(error)
        }
      )
      .finally(() => {
        running--
        plan()
      })
  }

  /** Keys of the same turn of the event loop, or of the same gap, are read together. */
  const plan = (): void => {
    if (isSending || running >= parallel || gathered.size === 0) return
    isSending = true
    const wait = sentAt + gapMs - performance.now()
    if (wait <= 0) setImmediate(send)
    else setTimeout(send, wait)
  }

  const takeBatch = (): Map<string, Waiting<T>> => {
    if (gathered.size <= MAX_BATCH) {
      const batch = gathered
      gathered = new Map()
      return batch
    }
    const batch = new Map([...gathered].slice(0, MAX_BATCH))
    for (const key of batch.keys()) gathered.delete(key)
    return batch
  }

  return {
    get(key) {
      const known = gathered.get(key)
      if (known !== undefined) return known.answer
      const waiting = withAnswer<T>()
      gathered.set(key, waiting)
      plan()
      return waiting.answer
    }
  }
}

function withAnswer<T>(): Waiting<T> {
  let settle: Pick<Waiting<T>, 'resolve' | 'reject'> | undefined
  const answer = new Promise<T | undefined>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // A promise runs its executor synchronously.
  return { answer, ...(settle as Pick<Waiting<T>, 'resolve' | 'reject'> | undefined) } as Waiting<T>
}
