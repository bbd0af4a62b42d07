// Sets of characters in regular expressions, as ranges of code points.

/** Inclusive ranges. */
export type Ranges = readonly (readonly [number, number])[]

const LAST = 0x10ffff
const FIRST_ASTRAL = 0x10000
const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff

export const DIGIT: Ranges = [[0x30, 0x39]]
export const WORD: Ranges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a]
]
export const SPACE: Ranges = [
  [0x09, 0x0d],
  [0x20, 0x20]
]
export const HORIZONTAL: Ranges = [
  [0x09, 0x09],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x180e, 0x180e],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000]
]
export const VERTICAL: Ranges = [
  [0x0a, 0x0d],
  [0x85, 0x85],
  [0x2028, 0x2029]
]
export const NEWLINE: Ranges = [[0x0a, 0x0a]]

/** The named sets within brackets, such as `[:alpha:]`. */
export const POSIX: ReadonlyMap<string, Ranges> = new Map<string, Ranges>([
  [
    'alpha',
    [
      [0x41, 0x5a],
      [0x61, 0x7a]
    ]
  ],
  ['digit', DIGIT],
  [
    'alnum',
    [
      [0x30, 0x39],
      [0x41, 0x5a],
      [0x61, 0x7a]
    ]
  ],
  ['upper', [[0x41, 0x5a]]],
  ['lower', [[0x61, 0x7a]]],
  ['space', SPACE],
  [
    'blank',
    [
      [0x09, 0x09],
      [0x20, 0x20]
    ]
  ],
  [
    'punct',
    [
      [0x21, 0x2f],
      [0x3a, 0x40],
      [0x5b, 0x60],
      [0x7b, 0x7e]
    ]
  ],
  ['print', [[0x20, 0x7e]]],
  ['graph', [[0x21, 0x7e]]],
  [
    'cntrl',
    [
      [0x00, 0x1f],
      [0x7f, 0x7f]
    ]
  ],
  [
    'xdigit',
    [
      [0x30, 0x39],
      [0x41, 0x46],
      [0x61, 0x66]
    ]
  ],
  ['word', WORD],
  ['ascii', [[0x00, 0x7f]]]
])

/** All characters that are not in the set. */
export function complement(ranges: Ranges): Ranges {
  const result: [number, number][] = []
  let next = 0
  for (const [low, high] of merge(ranges)) {
    if (low > next) result.push([next, low - 1])
    next = high + 1
  }
  if (next <= LAST) result.push([next, LAST])
  return result
}

function merge(ranges: Ranges): Ranges {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0])
  const result: [number, number][] = []
  for (const [low, high] of sorted) {
    const last = result.at(-1)
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high)
    else result.push([low, high])
  }
  return result
}

// Characters that fold to an ASCII letter or its neighbour though neither case change says so.
const ODD_FOLDS: ReadonlyMap<number, readonly number[]> = new Map([
  [0x6b, [0x212a]],
  [0x212a, [0x6b, 0x4b]],
  [0x73, [0x17f]],
  [0x17f, [0x73, 0x53]],
  [0xe5, [0x212b]],
  [0x212b, [0xe5, 0xc5]]
])

/** With the other case of every letter in the set. */
export function withBothCases(ranges: Ranges): Ranges {
  const added = merge(ranges).flatMap(([low, high]) => otherCasesBetween(low, high))
  return merge([...ranges, ...added.map((code) => [code, code] as const)])
}

/** No character after it has another case. */
const LAST_CASED = FIRST_ASTRAL + 0x2000
/** Of so many characters it is faster to ask each for its other cases than to go through all that have some. */
const FEW = 256

function otherCasesBetween(low: number, high: number): readonly number[] {
  if (high - low >= FEW) {
    return casedCharacters().flatMap(([code, others]) =>
      code >= low && code <= high ? others : []
    )
  }
  const codes = Array.from({ length: high - low + 1 }, (_, at) => low + at)
  return codes.flatMap(otherCases)
}

let cased: readonly (readonly [number, readonly number[]])[] | undefined

/** Each character that has other cases, with them. Found once: that takes ten milliseconds. */
function casedCharacters() {
  cased ??= Array.from(
    { length: LAST_CASED + 1 },
    (_, code) => [code, otherCases(code)] as const
  ).filter(([, others]) => others.length > 0)
  return cased
}

function otherCases(code: number): readonly number[] {
  const character = String.fromCodePoint(code)
  const lower = character.toLowerCase()
  const upper = character.toUpperCase()
  if (lower === upper && !ODD_FOLDS.has(code)) return []
  const folds = [lower, upper].filter(isSingle).map((text) => text.codePointAt(0) as number)
  const odd = folds.flatMap((fold) => ODD_FOLDS.get(fold) ?? [])
  return [...folds, ...odd, ...(ODD_FOLDS.get(code) ?? [])]
}

function isSingle(text: string): boolean {
  return [...text].length === 1
}

/** A set as JavaScript source for the flag `u`. */
export function unicodeSource(ranges: Ranges): string {
  const body = merge(ranges).map(([low, high]) =>
    rangeSource(low, high, (c) => `\\u{${c.toString(16)}}`)
  )
  return body.length === 0 ? '[]' : `[${body.join('')}]`
}

/**
 * A set as JavaScript source without the flag `u`: characters beyond U+FFFF are pairs of units.
 * `isRepeated` says that any number may follow, so that the units of a pair may be taken singly.
 */
export function unitSource(ranges: Ranges, isRepeated: boolean): string {
  const merged = merge(ranges)
  const tail = merged.at(-1)
  const hasAllAstral = tail !== undefined && tail[0] <= FIRST_ASTRAL && tail[1] === LAST
  const single = merged.flatMap(([low, high]) => basic(low, high))
  if (hasAllAstral && isRepeated) return unitClass([...single, [FIRST_SURROGATE, LAST_SURROGATE]])
  const pairs = merged
    .filter(([, high]) => high >= FIRST_ASTRAL)
    .flatMap(([low, high]) => pairSources(Math.max(low, FIRST_ASTRAL), high))
  if (pairs.length === 0) return unitClass(single)
  return `(?:${[...(single.length > 0 ? [unitClass(single)] : []), ...pairs].join('|')})`
}

/** The part of a range below U+10000 and without surrogates. */
function basic(low: number, high: number): [number, number][] {
  const parts: [number, number][] = [
    [low, Math.min(high, FIRST_SURROGATE - 1)],
    [Math.max(low, LAST_SURROGATE + 1), Math.min(high, FIRST_ASTRAL - 1)]
  ]
  return parts.filter(([first, last]) => first <= last)
}

function unitClass(ranges: Ranges): string {
  return `[${merge(ranges)
    .map(([low, high]) => rangeSource(low, high, unit))
    .join('')}]`
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}

function rangeSource(low: number, high: number, write: (code: number) => string): string {
  return low === high ? write(low) : `${write(low)}-${write(high)}`
}

/** A range beyond U+FFFF as alternatives of a first and a second unit. */
function pairSources(low: number, high: number): string[] {
  const lead = (code: number) => 0xd7c0 + (code >> 10)
  const trail = (code: number) => 0xdc00 + (code & 0x3ff)
  if (lead(low) === lead(high)) {
    return [`${unit(lead(low))}[${rangeSource(trail(low), trail(high), unit)}]`]
  }
  const sources: string[] = []
  let first = lead(low)
  let last = lead(high)
  if (trail(low) > 0xdc00) {
    sources.push(`${unit(first)}[${rangeSource(trail(low), 0xdfff, unit)}]`)
    first++
  }
  if (trail(high) < 0xdfff) {
    sources.push(`${unit(last)}[${rangeSource(0xdc00, trail(high), unit)}]`)
    last--
  }
  if (first <= last) sources.push(`[${rangeSource(first, last, unit)}][\\udc00-\\udfff]`)
  return sources
}
