// Makes a thing when it is first used, and once.

/**
 * A function that makes a value at its first call and answers the same value at each later one. For what few processes
 * use, as a module that only one kind of request needs: a start neither waits for it nor keeps it in memory. Where
 * `make` fails, the next call tries again.
 *
 * @example
 * const undici = atFirstUse(() => import('undici'))
 * const { fetch } = await undici()
 */
export function atFirstUse<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    if (made !== undefined) return made.value
    const fresh = { value: make() }
    made = fresh
    // A module that could not be loaded may be there the next time.
    if (fresh.value instanceof Promise) {
      fresh.value.catch(() => {
        if (made === fresh) made = undefined
      })
    }
    return fresh.value
  }
}
