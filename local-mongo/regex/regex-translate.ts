// Translates a regular expression of MongoDB (PCRE, UTF-8) into JavaScript's.
import {
  complement,
  NEWLINE,
  type Ranges,
  unicodeSource,
  unitSource,
  withBothCases
} from './character-set.ts'
import { readClass, readEscapedSet } from './regex-class.ts'
import { looksAt, peek, RegexProblem, type State, take } from './regex-reader.ts'

export interface Translation {
  readonly source: string
  /** Flags that the source needs: `u` for Unicode properties, `i` for references. */
  readonly flags: string
  /** Repetition within repetition: a backtracking engine may take exponential time. */
  readonly isRisky: boolean
  /** The literal text that every match begins with, when the expression is anchored at the start. */
  readonly prefix: string | undefined
  readonly isPrefixOnly: boolean
}

interface Piece {
  readonly source: string
  /** May match texts of different lengths or ways. */
  readonly isVariable: boolean
}

/** What stands before a quantifier. A set is written once it is known whether it is repeated. */
type Atom =
  | { readonly kind: 'set'; readonly ranges: Ranges }
  | { readonly kind: 'group'; readonly piece: Piece }
  | { readonly kind: 'assertion'; readonly source: string }

const MAX_NESTING = 100
const END = '(?![\\s\\S])'

/** Fails with a RegexProblem. */
export function translateRegex(pattern: string, options: string, isLocated: boolean): Translation {
  const state: State = {
    text: [...pattern],
    at: 0,
    depth: 0,
    ignoreCase: options.includes('i'),
    multiline: options.includes('m'),
    dotAll: options.includes('s'),
    extended: options.includes('x'),
    isLocated,
    isUnicode: /\\[pP]/.test(pattern),
    hasReference: false,
    isRisky: false
  }
  readLeadingFlags(state)
  const prefix = readPrefix(state)
  const { source } = readAlternatives(state)
  if (state.at < state.text.length) throw new RegexProblem('unmatched closing parenthesis')
  const flags = `${state.isUnicode ? 'u' : ''}${state.hasReference && state.ignoreCase ? 'i' : ''}`
  return { source, flags, isRisky: state.isRisky, ...prefix }
}

/** Flags for the whole expression, as in `(?i)abc`. */
function readLeadingFlags(state: State): void {
  const rest = state.text.slice(0, 20).join('')
  const match = /^\(\?([imsxu]+)\)/.exec(rest) ?? /^(?:\(\*UTF8?\)|\(\*UCP\))/.exec(rest)
  if (!match) return
  const flags = match[1] ?? ''
  state.ignoreCase ||= flags.includes('i')
  state.multiline ||= flags.includes('m')
  state.dotAll ||= flags.includes('s')
  state.extended ||= flags.includes('x')
  state.at = match[0].length
}

/** The literal beginning of an anchored expression; leaves the position where it is. */
function readPrefix(state: State): Pick<Translation, 'prefix' | 'isPrefixOnly'> {
  const none = { prefix: undefined, isPrefixOnly: false }
  const rest = state.text.slice(state.at).join('')
  if (state.ignoreCase || state.extended || rest.includes('|') || rest.includes('\\Q')) return none
  const anchor = /^(?:\\A|\^)/.exec(rest)?.[0]
  if (anchor === undefined || (anchor === '^' && state.multiline)) return none
  const literal =
    /^(?:[^\\^$.[\]|()?*+{}]|\\[^a-zA-Z0-9])*/u.exec(rest.slice(anchor.length))?.[0] ?? ''
  const pieces = literal.match(/\\[\s\S]|[^\\]/gu) ?? []
  const after = rest.slice(anchor.length + literal.length)
  if (/^[?*{]/.test(after)) pieces.pop()
  const prefix = pieces.map((piece) => piece.replace(/^\\/, '')).join('')
  return { prefix, isPrefixOnly: after === '' || after === '.*' }
}

function readAlternatives(state: State): Piece {
  if (++state.depth > MAX_NESTING) throw new RegexProblem('parentheses are nested too deeply')
  const branches = [readSequence(state)]
  while (take(state, '|')) branches.push(readSequence(state))
  state.depth--
  return {
    source: branches.map(({ source }) => source).join('|'),
    isVariable: branches.length > 1 || branches.some(({ isVariable }) => isVariable)
  }
}

function readSequence(state: State): Piece {
  let source = ''
  let isVariable = false
  for (;;) {
    skipIgnored(state)
    const next = peek(state)
    if (next === undefined || next === '|' || next === ')') return { source, isVariable }
    if (take(state, '\\Q')) {
      source += readQuoted(state)
      continue
    }
    const piece = readQuantified(state, readAtom(state))
    source += piece.source
    isVariable ||= piece.isVariable
  }
}

/** Comments, and blanks under the option `x`. */
function skipIgnored(state: State): void {
  for (;;) {
    if (looksAt(state, '(?#')) {
      while (peek(state) !== ')' && peek(state) !== undefined) state.at++
      state.at++
    } else if (take(state, '\\E')) {
      // The end of a quotation that was not open means nothing.
    } else if (state.extended && /^[\s]$/.test(peek(state) ?? '')) {
      state.at++
    } else if (state.extended && peek(state) === '#') {
      while (peek(state) !== '\n' && peek(state) !== undefined) state.at++
    } else {
      return
    }
  }
}

function readQuoted(state: State): string {
  let source = ''
  while (peek(state) !== undefined && !take(state, '\\E')) {
    source += literal(state, state.text[state.at++] as string, false)
  }
  return source
}

function literal(state: State, character: string, isRepeated: boolean): string {
  const code = character.codePointAt(0) as number
  return setSource(state, [[code, code]], isRepeated)
}

function setSource(state: State, ranges: Ranges, isRepeated: boolean): string {
  const [only] = ranges
  const cased = state.ignoreCase ? withBothCases(ranges) : ranges
  if (
    only &&
    ranges.length === 1 &&
    only[0] === only[1] &&
    cased.length === 1 &&
    cased[0]?.[0] === cased[0]?.[1]
  ) {
    return escapeLiteral(only[0], state.isUnicode)
  }
  return state.isUnicode ? unicodeSource(cased) : unitSource(cased, isRepeated)
}

function escapeLiteral(code: number, isUnicode: boolean): string {
  const character = String.fromCodePoint(code)
  if (/^[\^$\\.*+?()[\]{}|/]$/.test(character)) return `\\${character}`
  return code > 0xffff && !isUnicode ? `(?:${character})` : character
}

function readAtom(state: State): Atom {
  const character = state.text[state.at++] as string
  switch (character) {
    case '(':
      return readGroup(state)
    case '[':
      return { kind: 'set', ranges: readClass(state) }
    case '.':
      return { kind: 'set', ranges: complement(state.dotAll ? [] : NEWLINE) }
    case '^':
      return { kind: 'assertion', source: state.multiline ? '(?<=^|\\n)' : '^' }
    case '$':
      return { kind: 'assertion', source: endSource(state) }
    case '\\':
      return readEscape(state)
    case '*':
    case '+':
    case '?':
      throw new RegexProblem('quantifier does not follow a repeatable item')
    default: {
      const code = character.codePointAt(0) as number
      return { kind: 'set', ranges: [[code, code]] }
    }
  }
}

/** The end, or before a newline at the end. */
function endSource(state: State): string {
  if (state.multiline) return '(?=\\n|$)'
  const isLast = state.text.slice(state.at).every((character) => character === ')')
  return isLast && !state.isLocated ? '(?:\\n?$)' : '(?=\\n?$)'
}

function readQuantified(state: State, atom: Atom): Piece {
  skipIgnored(state)
  const quantifier = readQuantifier(state)
  const isRepeated = quantifier !== undefined && quantifier.max === Infinity && quantifier.min <= 1
  const isInnerVariable = atom.kind === 'group' && atom.piece.isVariable
  const source = atomSource(state, atom, isRepeated)
  if (quantifier === undefined) return { source, isVariable: isInnerVariable }
  if (quantifier.max > 1 && isInnerVariable) state.isRisky = true
  if (atom.kind === 'assertion')
    return { source: `(?:${source})${quantifier.source}`, isVariable: false }
  const isVariable = isInnerVariable || quantifier.max !== quantifier.min
  return { source: `${source}${quantifier.source}`, isVariable }
}

function atomSource(state: State, atom: Atom, isRepeated: boolean): string {
  switch (atom.kind) {
    case 'set':
      return setSource(state, atom.ranges, isRepeated)
    case 'group':
      return atom.piece.source
    case 'assertion':
      return atom.source
  }
}

interface Quantifier {
  readonly min: number
  readonly max: number
  readonly source: string
}

function readQuantifier(state: State): Quantifier | undefined {
  const bounds = readBounds(state)
  if (bounds === undefined) return undefined
  if (peek(state) === '+') throw new RegexProblem('possessive quantifiers are not supported')
  const lazy = take(state, '?') ? '?' : ''
  return { ...bounds, source: `${bounds.source}${lazy}` }
}

function readBounds(state: State): Quantifier | undefined {
  if (take(state, '*')) return { min: 0, max: Infinity, source: '*' }
  if (take(state, '+')) return { min: 1, max: Infinity, source: '+' }
  if (take(state, '?')) return { min: 0, max: 1, source: '?' }
  const match = /^\{(\d{1,5})(,(\d{0,5}))?\}/.exec(
    state.text.slice(state.at, state.at + 14).join('')
  )
  if (!match) return undefined
  const min = Number(match[1])
  const max = match[2] === undefined ? min : match[3] ? Number(match[3]) : Infinity
  if (min > 65_535 || (max !== Infinity && max > 65_535)) {
    throw new RegexProblem('number too big in {} quantifier')
  }
  if (max < min) throw new RegexProblem('numbers out of order in {} quantifier')
  state.at += match[0].length
  return { min, max, source: match[0] }
}

const PLAIN_GROUPS = ['?:', '?=', '?!', '?<=', '?<!']

function readGroup(state: State): Atom {
  const opening = groupOpening(state)
  const inner = readAlternatives(state)
  if (!take(state, ')')) throw new RegexProblem('missing closing parenthesis')
  const source = `(${opening}${inner.source})`
  const isAssertion = opening !== '' && opening !== '?:' && !opening.endsWith('>')
  if (isAssertion) return { kind: 'assertion', source }
  return { kind: 'group', piece: { source, isVariable: inner.isVariable } }
}

function groupOpening(state: State): string {
  if (peek(state) === '*') throw new RegexProblem('verbs are not supported')
  if (peek(state) !== '?') return ''
  for (const opening of PLAIN_GROUPS) if (take(state, opening)) return opening
  const named = /^\?(?:P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/.exec(
    state.text.slice(state.at, state.at + 64).join('')
  )
  if (!named) throw new RegexProblem('this kind of group is not supported')
  state.at += named[0].length
  return `?<${named[1] ?? named[2]}>`
}

const ASSERTIONS: ReadonlyMap<string, string> = new Map([
  ['b', '\\b'],
  ['B', '\\B'],
  ['A', '(?<![\\s\\S])'],
  ['z', END],
  ['Z', `(?=\\n?${END})`]
])

function readEscape(state: State): Atom {
  const character = peek(state)
  if (character === undefined) throw new RegexProblem('\\ at end of pattern')
  const assertion = ASSERTIONS.get(character)
  if (assertion !== undefined) {
    state.at++
    return { kind: 'assertion', source: assertion }
  }
  if (character === 'R') {
    state.at++
    return {
      kind: 'group',
      piece: { source: '(?:\\r\\n|[\\n-\\r\\x85\\u2028\\u2029])', isVariable: true }
    }
  }
  if (character === 'p' || character === 'P') return readProperty(state)
  return readReference(state) ?? { kind: 'set', ranges: readEscapedSet(state) }
}

function readProperty(state: State): Atom {
  const match = /^([pP])(?:\{(\^?)([\w=]+)\}|([A-Z]))/.exec(
    state.text.slice(state.at, state.at + 40).join('')
  )
  if (!match) throw new RegexProblem('malformed \\P or \\p sequence')
  state.at += match[0].length
  const isNegated = (match[1] === 'P') !== (match[2] === '^')
  const name = match[3] ?? match[4]
  const source = `\\${isNegated ? 'P' : 'p'}{${name?.length === 1 || name?.length === 2 ? name : `Script=${name}`}}`
  return { kind: 'group', piece: { source, isVariable: false } }
}

function readReference(state: State): Atom | undefined {
  const rest = state.text.slice(state.at, state.at + 64).join('')
  const match = /^(?:([1-9]\d?)|g\{?([1-9]\d?)\}?|k(?:<(\w+)>|\{(\w+)\}|'(\w+)'))/.exec(rest)
  const number = match?.[1] ?? match?.[2]
  if (!match || isOctal(state, match[1])) return undefined
  state.at += match[0].length
  state.hasReference = true
  const source =
    number === undefined ? `\\k<${match[3] ?? match[4] ?? match[5]}>` : `(?:\\${number})`
  return { kind: 'group', piece: { source, isVariable: true } }
}

/** Two digits are a reference only when there are so many groups; else they are a code in octal. */
function isOctal(state: State, digits: string | undefined): boolean {
  if (digits === undefined || digits.length < 2) return false
  const groups = state.text.join('').match(/\((?!\?)|\(\?(?:P?<[A-Za-z_]|')/g) ?? []
  return Number(digits) > groups.length
}
