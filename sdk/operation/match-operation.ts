// Finds the operation at an address: for callers that reach operations without HTTP.
import type { BoundOperation } from './operation.ts'

/** An operation, and what the parameters of its path are at an address. */
export interface MatchedOperation {
  readonly bound: BoundOperation
  /** Decoded texts by name. */
  readonly params: Readonly<Record<string, string>>
}

/**
 * Undefined where no operation is, or where an escape of the path means nothing.
 *
 * @param method in capitals
 * @param path without query
 */
export type MatchOperation = (method: string, path: string) => MatchedOperation | undefined

interface Place {
  readonly bound: BoundOperation
  readonly words: readonly string[]
}

/**
 * Prepares operations to be found, below the mount of their plugin or their own base. As in the router, a word of a
 * path comes before a parameter at its place: `/flows/new` before `/flows/:id`.
 */
export function operationMatcher(
  operations: readonly BoundOperation[],
  mount = ''
): MatchOperation {
  const places = new Map<string, Place[]>()
  for (const bound of operations) {
    const { method, base = mount, path } = bound.operation
    const words = `${base}${path}`.split('/')
    const key = keyOf(method, words)
    places.set(key, [...(places.get(key) ?? []), { bound, words }].sort(literalFirst))
  }
  return (method, path) => {
    const given = path.split('/')
    for (const { bound, words } of places.get(keyOf(method, given)) ?? []) {
      const params = paramsOf(words, given)
      if (params !== undefined) return { bound, params }
    }
    return undefined
  }
}

const keyOf = (method: string, words: readonly string[]): string => `${method} ${words.length}`

const isParameter = (word: string | undefined): boolean => word?.startsWith(':') === true

/** By the first place at which one has a parameter and the other a word. */
function literalFirst(a: Place, b: Place): number {
  const at = a.words.findIndex((word, index) => isParameter(word) !== isParameter(b.words[index]))
  return at < 0 ? 0 : Number(isParameter(a.words[at])) - Number(isParameter(b.words[at]))
}

/** Both have as many words. */
function paramsOf(
  words: readonly string[],
  given: readonly string[]
): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [index, word] of words.entries()) {
    const text = given[index] ?? ''
    if (!isParameter(word)) {
      if (word !== text) return undefined
      continue
    }
    const value = decoded(text)
    if (value === undefined || value === '') return undefined
    params[word.slice(1)] = value
  }
  return params
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
