// A value that is loaded when it is needed, kept for a while, and kept longer when it cannot be loaded again.
import { VerifierUnavailable } from '../errors.ts'

export interface Renewed<T> {
  /** @throws VerifierUnavailable when there is no value */
  get(): Promise<T>
  /** A newer value where the last attempt is long enough ago, else the one that is known. */
  renew(): Promise<T>
}

/** After this long it is loaded again. */
const FRESH_MS = 300_000
/** Attempts are this far apart, so that made-up key ids do not become requests. */
const APART_MS = 30_000
/** A value that cannot be renewed counts this long. */
const STALE_MS = 86_400_000

export function createRenewed<T>(load: () => Promise<T>, now: () => Date): Renewed<T> {
  let known: { readonly value: T; readonly at: number } | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let failure: unknown
  let loading: Promise<T> | undefined

  /** Callers at the same time share one request. */
  const attempt = (): Promise<T> => {
    loading ??= (async () => {
      triedAt = now().getTime()
      try {
        const value = await load()
        known = { value, at: now().getTime() }
        return value
      } catch (error) {
        failure = error
        return old()
      } finally {
        loading = undefined
      }
    })()
    return loading
  }
  const old = (): T => {
    if (known !== undefined && now().getTime() - known.at < STALE_MS) return known.value
    throw new VerifierUnavailable('The authorization server cannot be asked.', { cause: failure })
  }
  const mayTry = () => loading !== undefined || now().getTime() - triedAt >= APART_MS

  return {
    async get() {
      if (known !== undefined && now().getTime() - known.at < FRESH_MS) return known.value
      return mayTry() ? attempt() : old()
    },
    renew: async () => (mayTry() ? attempt() : old())
  }
}
