// Index builds under way: who writes to such a collection waits, who reads it does not.

interface Running {
  readonly ended: Promise<void>
  readonly end: () => void
  /** Why the build has ended without being taken back. */
  failure: Error | undefined
}

/** The builds, by the number of their collection. */
export class Builds {
  readonly #running = new Map<number, Running>()
  readonly #left = new Map<number, () => Promise<void>>()

  /**
   * Settles when no index of the collection is being built. Fails with the error of a build that could
   * not be taken back yet: callers must not wait for that.
   */
  endOf(collection: number): Promise<void> {
    const running = this.#running.get(collection)
    if (running?.failure !== undefined) throw running.failure
    return running?.ended ?? Promise.resolve()
  }

  begin(collection: number): void {
    const { promise, resolve } = withResolvers()
    this.#running.set(collection, { ended: promise, end: resolve, failure: undefined })
  }

  end(collection: number): void {
    this.#running.get(collection)?.end()
    this.#running.delete(collection)
    this.#left.delete(collection)
  }

  /** Takes a broken build back, now or, when that fails too, by `takeBackLeft`. */
  async takeBack(collection: number, failure: Error, act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch {
      const running = this.#running.get(collection)
      if (running === undefined) return
      running.failure = failure
      running.end()
      this.#left.set(collection, act)
    }
  }

  /** Tries once more to take back what could not be. */
  async takeBackLeft(): Promise<void> {
    for (const act of this.#left.values()) await act().catch(() => undefined)
  }
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
