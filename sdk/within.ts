// Waiting with an end: work against a time limit and against an abort signal.

/** What ends the wait before the work does. */
export interface WaitLimits {
  readonly deadline?: {
    /** Milliseconds. */
    readonly ms: number
    /** Makes the rejection once the time is over. */
    readonly overdue: () => Error
  }
  readonly signal?: AbortSignal
}

/**
 * Settles as the work does, or rejects when its time is over or the signal is aborted (with the reason
 * of the signal). The work itself is not stopped; its later result is ignored.
 */
export async function within<T>(work: Promise<T> | T, limits: WaitLimits): Promise<T> {
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

/** The result of `work`, or undefined after `ms` milliseconds; rejects when `work` rejects first. */
export async function settledWithin<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}
