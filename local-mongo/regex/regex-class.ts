// Escapes and bracketed classes of regular expressions, as sets of characters.
import {
  complement,
  DIGIT,
  HORIZONTAL,
  NEWLINE,
  POSIX,
  type Ranges,
  SPACE,
  VERTICAL,
  WORD,
  withBothCases
} from './character-set.ts'
import { peek, RegexProblem, type State, take } from './regex-reader.ts'

const ESCAPED_SETS: ReadonlyMap<string, Ranges> = new Map([
  ['d', DIGIT],
  ['D', complement(DIGIT)],
  ['w', WORD],
  ['W', complement(WORD)],
  ['s', SPACE],
  ['S', complement(SPACE)],
  ['h', HORIZONTAL],
  ['H', complement(HORIZONTAL)],
  ['v', VERTICAL],
  ['V', complement(VERTICAL)],
  ['N', complement(NEWLINE)]
])
const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['a', 0x07],
  ['e', 0x1b],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09]
])
/** What an escape means as a set, both within brackets and outside. */
export function readEscapedSet(state: State): Ranges {
  const character = state.text[state.at++]
  if (character === undefined) throw new RegexProblem('\\ at end of pattern')
  const set = ESCAPED_SETS.get(character)
  if (set !== undefined) return set
  const code = CONTROLS.get(character) ?? readCode(state, character)
  return [[code, code]]
}

function readCode(state: State, character: string): number {
  const rest = state.text.slice(state.at, state.at + 12).join('')
  const hex =
    character === 'x'
      ? (/^\{([0-9a-fA-F]{1,6})\}/.exec(rest) ?? /^([0-9a-fA-F]{0,2})/.exec(rest))
      : null
  const octal =
    character === 'o'
      ? /^\{([0-7]{1,7})\}/.exec(rest)
      : /[0-7]/.test(character)
        ? /^([0-7]{0,2})/.exec(rest)
        : null
  const match = hex ?? octal
  if (match) {
    state.at += match[0].length
    const digits = /[0-7]/.test(character) ? `${character}${match[1]}` : (match[1] ?? '')
    const code = Number.parseInt(`0${digits}`, hex ? 16 : 8)
    if (code > 0x10ffff) throw new RegexProblem('character code point value is too large')
    return code
  }
  if (character === 'c')
    return ((state.text[state.at++]?.toUpperCase().codePointAt(0) ?? 0) ^ 0x40) & 0x7f
  if (/^[a-zA-Z0-9]$/.test(character)) {
    throw new RegexProblem('unrecognized character follows \\')
  }
  return character.codePointAt(0) as number
}

/** A set in brackets; the opening bracket is read. */
export function readClass(state: State): Ranges {
  const isNegated = take(state, '^')
  const ranges: (readonly [number, number])[] = []
  for (let isFirst = true; isFirst || peek(state) !== ']'; isFirst = false) {
    if (peek(state) === undefined)
      throw new RegexProblem('missing terminating ] for character class')
    const low = readClassMember(state)
    const single = low.length === 1 && low[0]?.[0] === low[0]?.[1] ? low[0]?.[0] : undefined
    if (
      single === undefined ||
      peek(state) !== '-' ||
      peek(state, 1) === ']' ||
      peek(state, 1) === undefined
    ) {
      ranges.push(...low)
      continue
    }
    state.at++
    const high = readClassMember(state)
    const last = high.length === 1 ? high[0]?.[0] : undefined
    if (last === undefined || last !== high[0]?.[1])
      throw new RegexProblem('invalid range in character class')
    if (last < single) throw new RegexProblem('range out of order in character class')
    ranges.push([single, last])
  }
  state.at++
  // Case first: what is neither `a` nor `A` is the complement of both.
  const cased = state.ignoreCase ? withBothCases(ranges) : ranges
  return isNegated ? complement(cased) : cased
}

function readClassMember(state: State): Ranges {
  const posix = /^\[:(\^?)(\w+):\]/.exec(state.text.slice(state.at, state.at + 14).join(''))
  if (posix) {
    const set = POSIX.get(posix[2] as string)
    if (set === undefined) throw new RegexProblem('unknown POSIX class name')
    state.at += posix[0].length
    return posix[1] === '^' ? complement(set) : set
  }
  const character = state.text[state.at++] as string
  if (character !== '\\')
    return [[character.codePointAt(0) as number, character.codePointAt(0) as number]]
  if (take(state, 'b')) return [[0x08, 0x08]]
  if (peek(state) === 'p' || peek(state) === 'P')
    throw new RegexProblem('\\p within brackets is not supported')
  return readEscapedSet(state)
}
