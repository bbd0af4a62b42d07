// A regular expression of a person as one that is matched in time linear in the text, whichever engine matches it:
// it is read, bounded and printed anew. No text of it reaches an engine as it came. Pure.
import { anyCase, charText } from './pattern-text.ts'

/** Characters of an expression. */
const MAX_PATTERN = 100
/** Times that `*` and `+` repeat. */
const MOST_REPEATS = 64
/** Ways that one place of a text may be tried: two repeats, and some choices. */
const MAX_WAYS = 20_000
const MAX_DEPTH = 8

export type SafePattern =
  | { readonly ok: true; readonly pattern: string }
  | { readonly ok: false; readonly problem: string }

class Unsafe extends Error {}

interface Reading {
  readonly chars: readonly string[]
  readonly isAnyCase: boolean
  at: number
}

interface Part {
  readonly text: string
  /** Ways to match it at one place. */
  readonly ways: number
}

/** What matches any character but the end of a line. */
const ANY = '[^\\x0A]'
const CLASSES: Readonly<Record<string, string>> = {
  d: '0-9',
  w: '0-9A-Za-z_',
  s: '\\x09-\\x0D\\x20'
}
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' }

/** `source` without its slashes. */
export function safePattern(source: string, isAnyCase = false): SafePattern {
  if (source.length > MAX_PATTERN) {
    return { ok: false, problem: `it has more than ${MAX_PATTERN} characters` }
  }
  const reading: Reading = { chars: [...source], isAnyCase, at: 0 }
  try {
    const { text, ways } = readChoice(reading, 0)
    if (reading.at < reading.chars.length) throw new Unsafe('a ) has no (')
    if (ways > MAX_WAYS) throw new Unsafe('it has more than two repeats, or too many choices')
    return { ok: true, pattern: text }
  } catch (error) {
    if (error instanceof Unsafe) return { ok: false, problem: error.message }
    throw error
  }
}

const peek = ({ chars, at }: Reading): string | undefined => chars[at]

function take(reading: Reading): string {
  const char = reading.chars[reading.at++]
  if (char === undefined) throw new Unsafe('it ends too soon')
  return char
}

/** `a|b`. */
function readChoice(reading: Reading, depth: number): Part {
  if (depth > MAX_DEPTH) throw new Unsafe('its groups are nested too deeply')
  const parts = [readSequence(reading, depth)]
  while (peek(reading) === '|') {
    reading.at++
    parts.push(readSequence(reading, depth))
  }
  return {
    text: parts.map(({ text }) => text).join('|'),
    ways: parts.reduce((sum, { ways }) => sum + ways, 0)
  }
}

function readSequence(reading: Reading, depth: number): Part {
  let text = ''
  let ways = 1
  for (let next = peek(reading); next !== undefined && next !== '|' && next !== ')'; ) {
    const part = readRepeated(reading, depth)
    text += part.text
    ways = Math.min(Number.MAX_SAFE_INTEGER, ways * part.ways)
    next = peek(reading)
  }
  return { text, ways }
}

function readRepeated(reading: Reading, depth: number): Part {
  const isGroup = peek(reading) === '('
  const isPlace = peek(reading) === '^' || peek(reading) === '$'
  const atom = isGroup ? readGroup(reading, depth) : readAtom(reading)
  const times = readTimes(reading)
  if (times === undefined) return atom
  // A repeated group may match one text in more ways than it has characters.
  if (isGroup && times.most > 1) throw new Unsafe('a group cannot be repeated')
  if (isPlace || atom.text === '\\b') throw new Unsafe('a place cannot be repeated')
  const { least, most } = times
  return {
    text: `${atom.text}{${least},${most}}`,
    ways: atom.ways * (most - least + 1)
  }
}

function readGroup(reading: Reading, depth: number): Part {
  reading.at++
  if (peek(reading) === '?') {
    reading.at++
    if (take(reading) !== ':') throw new Unsafe('looking ahead or behind is not possible')
  }
  const { text, ways } = readChoice(reading, depth + 1)
  if (peek(reading) !== ')') throw new Unsafe('a ( has no )')
  reading.at++
  return { text: `(?:${text})`, ways }
}

function readAtom(reading: Reading): Part {
  const char = take(reading)
  switch (char) {
    case '.':
      return { text: ANY, ways: 1 }
    case '^':
    case '$':
      return { text: char, ways: 1 }
    case '[':
      return { text: readClass(reading), ways: 1 }
    case '\\':
      return { text: readEscape(reading), ways: 1 }
    case '*':
    case '+':
    case '?':
      throw new Unsafe(`a ${char} has nothing to repeat`)
    default:
      return { text: reading.isAnyCase ? anyCase(char) : charText(char), ways: 1 }
  }
}

function readEscape(reading: Reading): string {
  const char = take(reading)
  if (char === 'b') return '\\b'
  const known = CLASSES[char]
  if (known !== undefined) return `[${known}]`
  const negated = CLASSES[char.toLowerCase()]
  if (negated !== undefined) return `[^${negated}]`
  return charText(escaped(char))
}

function escaped(char: string): string {
  const control = CONTROLS[char]
  if (control !== undefined) return control
  if (/[A-Za-z0-9]/.test(char)) throw new Unsafe(`\\${char} is not known`)
  return char
}

function readClass(reading: Reading): string {
  let text = '['
  if (peek(reading) === '^') {
    reading.at++
    text += '^'
  }
  let isEmpty = true
  while (peek(reading) !== ']') {
    text += readClassPart(reading)
    isEmpty = false
  }
  if (isEmpty) throw new Unsafe('a [ ] is empty')
  reading.at++
  return `${text}]`
}

function readClassPart(reading: Reading): string {
  const first = take(reading)
  if (first === '\\' && CLASSES[peek(reading) ?? ''] !== undefined) {
    return CLASSES[take(reading)] ?? ''
  }
  const low = classChar(reading, first)
  const isRange = peek(reading) === '-' && (reading.chars[reading.at + 1] ?? ']') !== ']'
  if (!isRange) return reading.isAnyCase ? caseForms(low) : charText(low)
  reading.at++
  const high = classChar(reading, take(reading))
  if (low > high) throw new Unsafe('a range of [ ] ends before it begins')
  const range = (a: string, b: string) => `${charText(a)}-${charText(b)}`
  const isLetters = /^[a-z]{2}$|^[A-Z]{2}$/.test(low + high)
  return reading.isAnyCase && isLetters
    ? range(low.toLowerCase(), high.toLowerCase()) + range(low.toUpperCase(), high.toUpperCase())
    : range(low, high)
}

function classChar(reading: Reading, first: string): string {
  const char = first === '\\' ? escaped(take(reading)) : first
  if (char.length > 1) throw new Unsafe(`${char} cannot be in [ ]`)
  return char
}

const caseForms = (char: string): string =>
  [...new Set([char, char.toLowerCase(), char.toUpperCase()])]
    .filter((form) => form.length === 1)
    .map(charText)
    .join('')

interface Times {
  readonly least: number
  readonly most: number
}

function readTimes(reading: Reading): Times | undefined {
  const times = readQuantifier(reading)
  // As few as possible: it matches the same texts.
  if (times !== undefined && peek(reading) === '?') reading.at++
  const next = peek(reading)
  if (times !== undefined && (next === '*' || next === '+')) {
    throw new Unsafe('a repeat cannot be repeated')
  }
  return times
}

function readQuantifier(reading: Reading): Times | undefined {
  const next = peek(reading)
  if (next !== undefined && '*+?'.includes(next)) {
    reading.at++
    return { least: next === '+' ? 1 : 0, most: next === '?' ? 1 : MOST_REPEATS }
  }
  const rest = reading.chars.slice(reading.at, reading.at + 10).join('')
  const [all, from, comma, to] = /^\{(\d{1,3})(,)?(\d{1,3})?\}/.exec(rest) ?? []
  if (all === undefined) return undefined
  reading.at += all.length
  const least = Number(from)
  const most = to !== undefined ? Number(to) : comma === undefined ? least : MOST_REPEATS
  if (most > MOST_REPEATS || least > most) {
    throw new Unsafe(`a repeat must be of at most ${MOST_REPEATS}, the lesser number first`)
  }
  return { least, most }
}
