// The parameters of a query or a form, with those that are repeated or badly encoded. Pure.

/** Names and values, in their order. */
export type Pairs = readonly (readonly [name: string, value: string])[]

/** Limits of a request: more is refused. */
const MAX_PAIRS = 100
const MAX_CHARACTERS = 16_384
/** The only parameter that may come more than once. */
const REPEATABLE = new Set(['resource'])

export interface Parameters {
  /** Undefined when it is missing, empty, garbled, or given twice. */
  get(name: string): string | undefined
  all(name: string): readonly string[]
  /** Names that are repeated and must not be. */
  readonly repeated: readonly string[]
  /** Names whose value is not UTF-8: it could not be sent back unchanged. */
  readonly garbled: readonly string[]
  readonly pairs: Pairs
}

/** Undefined when the request is too large. */
export function readParameters(text: string): Parameters | undefined {
  if (text.length > MAX_CHARACTERS) return undefined
  const pairs = [...new URLSearchParams(text)]
  const wasThere = /%EF%BF%BD|\uFFFD/i.test(text)
  const garbled = wasThere ? [] : pairs.filter((pair) => pair.join().includes(REPLACEMENT))
  return parametersOf(
    pairs,
    garbled.map(([name]) => name)
  )
}

/** What a decoder puts in place of invalid bytes. */
const REPLACEMENT = '\uFFFD'

export function parametersOf(
  pairs: Pairs,
  garbled: readonly string[] = []
): Parameters | undefined {
  if (pairs.length > MAX_PAIRS) return undefined
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return {
    pairs,
    garbled,
    repeated: [...values]
      .filter(([name, given]) => given.length > 1 && !REPEATABLE.has(name))
      .map(([name]) => name),
    get(name) {
      const given = values.get(name)
      const isOne = given?.length === 1 && given[0] !== '' && !garbled.includes(name)
      return isOne ? given[0] : undefined
    },
    all: (name) => values.get(name) ?? []
  }
}

/** The part of an address after the `?`. */
export const queryOf = (url: string): string => {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}
