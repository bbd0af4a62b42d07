// Index builds under way: who writes to such a collection waits, who reads it does not.

/** The builds, by the number of their collection. */
export class Builds {
  readonly #running = new Map<number, { readonly ended: Promise<void>; readonly end: () => void }>()

  /** Settles when no index of the collection is being built. */
  endOf(collection: number): Promise<void> {
    return this.#running.get(collection)?.ended ?? Promise.resolve()
  }

  begin(collection: number): void {
    const { promise, resolve } = withResolvers()
    this.#running.set(collection, { ended: promise, end: resolve })
  }

  end(collection: number): void {
    this.#running.get(collection)?.end()
    this.#running.delete(collection)
  }
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
