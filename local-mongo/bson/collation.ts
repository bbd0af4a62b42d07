// The two collations that are understood: simple (bytes), and English by strength 1 or 2.
import { Int32 } from 'bson'
import { commandError } from '../errors.ts'
import { toDouble } from './numbers.ts'
import { type Doc, isNumeric, type Value } from './value.ts'

/** How texts are compared where they are not compared by their bytes. */
export interface Collation {
  /** As the client gave it, completed; what listIndexes answers. */
  readonly spec: Doc
  /** 1 tells base letters apart, 2 also accents; neither tells case. */
  readonly strength: 1 | 2
  /** A text whose byte order in UTF-8 is the order of this collation; equal texts have one key. */
  key(text: string): string
}

const COMPLETED: readonly (readonly [string, Value])[] = [
  ['caseLevel', false],
  ['caseFirst', 'off'],
  ['numericOrdering', false],
  ['alternate', 'non-ignorable'],
  ['maxVariable', 'punct'],
  ['normalization', false],
  ['backwards', false]
]
const IGNORED: ReadonlyMap<string, Value> = new Map([...COMPLETED, ['version', '57.1']])
const KEY_CACHE_SIZE = 4096

/** Undefined stands for the simple collation. Fails with BadValue (2) for any that is not understood. */
export function parseCollation(spec: Doc | undefined): Collation | undefined {
  if (spec === undefined || spec.size === 0) return undefined
  for (const [name, value] of spec) {
    if (name === 'locale' || name === 'strength') continue
    if (!IGNORED.has(name) || (name !== 'version' && IGNORED.get(name) !== value)) {
      throw commandError('BadValue', `Collation option ${name} is not supported by this engine`)
    }
  }
  const locale = spec.get('locale')
  if (locale === 'simple' && !spec.has('strength')) return undefined
  const strength = strengthOf(spec.get('strength'))
  if ((locale !== 'en' && locale !== 'en_US') || strength === undefined) {
    throw commandError(
      'BadValue',
      `Collation ${describe(spec)} is not supported by this engine: use {locale: 'simple'} or {locale: 'en', strength: 1 | 2}`
    )
  }
  return makeCollation(locale, strength)
}

function strengthOf(value: Value): 1 | 2 | undefined {
  const strength = isNumeric(value) ? toDouble(value) : undefined
  return strength === 1 || strength === 2 ? strength : undefined
}

function describe(spec: Doc): string {
  const fields = [...spec].map(
    ([name, value]) => `${name}: ${isNumeric(value) ? toDouble(value) : String(value)}`
  )
  return `{${fields.join(', ')}}`
}

/** Whether two collations order texts alike. */
export function isSameCollation(a: Collation | undefined, b: Collation | undefined): boolean {
  return a?.strength === b?.strength
}

function makeCollation(locale: string, strength: 1 | 2): Collation {
  const keys = new Map<string, string>()
  const key = (text: string): string => {
    const known = keys.get(text)
    if (known !== undefined) return known
    if (keys.size >= KEY_CACHE_SIZE) keys.clear()
    const made = collationKey(text, strength)
    keys.set(text, made)
    return made
  }
  return { spec: completeSpec(locale, strength), strength, key }
}

function completeSpec(locale: string, strength: 1 | 2): Doc {
  const [caseLevel, caseFirst, ...others] = COMPLETED
  return new Map<string, Value>([
    ['locale', locale],
    ...[caseLevel, caseFirst].filter((entry) => entry !== undefined),
    ['strength', new Int32(strength)],
    ...others,
    ['version', '57.1']
  ])
}

// The order of the Unicode root collation for what English text is made of; other letters follow
// by code point.
const VARIABLE =
  '\t\n\u000b\f\r\u0085\u2028\u2029 ‾_-‐‑‒–—―,;:!¡?¿.·\'‘’‚‹›"“”„«»()[]{}§¶@*/\\&#%‰†‡•`´˜^¨°©®+±÷×<=>¬|¦~¤¢$£¥€'
const PRIMARY: ReadonlyMap<string, number> = ranks(
  `${VARIABLE}0123456789abcdefghijklmnopqrstuvwxyz`,
  0x21
)
const MARKS: ReadonlyMap<string, number> = ranks(
  '\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0338\u0327\u0328\u0304',
  0x10
)
/** Letters that no decomposition takes apart, by the letters they sort with. */
const EXPANSIONS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ł', 'l'],
  ['ħ', 'h']
])
const FIRST_OTHER = 0x200
/** The second weight of a letter without an accent, and of one that was expanded. */
const PLAIN = '\u0002'
const EXPANDED = '\u0003\u0002'
const SEPARATOR = '\u0001'

function ranks(characters: string, first: number): ReadonlyMap<string, number> {
  return new Map([...characters].map((character, index) => [character, first + index]))
}

function collationKey(text: string, strength: 1 | 2): string {
  let primary = ''
  let secondary = ''
  for (const character of decompose(text)) {
    if (/\p{Mn}/u.test(character)) {
      secondary += String.fromCodePoint(MARKS.get(character) ?? otherWeight(character))
      continue
    }
    const letters = EXPANSIONS.get(character) ?? character
    for (const letter of letters) {
      primary += String.fromCodePoint(PRIMARY.get(letter) ?? otherWeight(letter))
    }
    secondary += letters === character ? PLAIN : EXPANDED
  }
  if (strength === 1) return primary
  while (secondary.endsWith(PLAIN)) secondary = secondary.slice(0, -1)
  return `${primary}${SEPARATOR}${secondary}`
}

/** Small letters and marks, without the characters that sort as if they were not there. */
function decompose(text: string): string {
  let folded = ''
  for (const character of text.normalize('NFC').toLowerCase()) {
    if (PRIMARY.has(character)) folded += character
    else if (!/[\p{Cc}\p{Cf}]/u.test(character)) folded += character.normalize('NFKD').toLowerCase()
  }
  return folded
}

function otherWeight(character: string): number {
  const code = (character.codePointAt(0) ?? 0) + FIRST_OTHER
  // Surrogates are no characters: jump over them.
  return code < 0xd800 ? code : Math.min(code + 0x800, 0x10ffff)
}
