// Waiting with an end: work against a time limit and against being called off.

export interface Limits {
  readonly deadline?: {
    readonly ms: number
    /** Made when the time is over. */
    readonly overdue: () => Error
  }
  readonly signal?: AbortSignal
}

/**
 * Settles as the work does, or rejects when its time is over or the signal is aborted (with its
 * reason). The work itself cannot be stopped from here; what it does later is ignored.
 */
export async function within<T>(work: Promise<T> | T, limits: Limits): Promise<T> {
  const { deadline, signal } = limits
  let timer: NodeJS.Timeout | undefined
  let onAbort = () => {}
  const ends = new Promise<never>((_settle, reject) => {
    if (deadline !== undefined) {
      timer = setTimeout(() => reject(deadline.overdue()), deadline.ms)
    }
    onAbort = () => reject(signal?.reason)
    if (signal?.aborted === true) onAbort()
    signal?.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([work, ends])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
