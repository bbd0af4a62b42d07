// Operators that match regular expressions.
import { BSONRegExp, Int32 } from 'bson'
import { characterCount } from '../bson/code-points.ts'
import type { Doc, Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { compileLocator } from '../regex/regex.ts'
import { isNothing, MISSING, type Result } from './expression.ts'
import { type NamedArguments, named, needText } from './operator-arguments.ts'
import type { OperatorParser } from './parse-expression.ts'

interface Search {
  readonly text: string
  readonly regex: RegExp
}

const COMPILED_AT_MOST = 256

/** The text and the expression; undefined when either is null. Expressions are kept compiled. */
function makeSearch(name: string): (values: NamedArguments) => Search | undefined {
  const compiled = new Map<string, RegExp>()
  return ({ input = MISSING, regex = MISSING, options = MISSING }) => {
    if (isNothing(input) || isNothing(regex)) return undefined
    const text = needText(input, `${name} needs 'input': it`, 'Location51104')
    const [pattern, flags] = patternOf(name, regex, options)
    const key = `${flags}/${pattern}`
    const known = compiled.get(key)
    if (known) return { text, regex: known }
    if (compiled.size >= COMPILED_AT_MOST) compiled.clear()
    const made = compileLocator(pattern, flags)
    compiled.set(key, made)
    return { text, regex: made }
  }
}

function patternOf(name: string, regex: Value, options: Result): readonly [string, string] {
  const flags = isNothing(options)
    ? ''
    : needText(options, `${name} needs 'options': it`, 'Location51106')
  if (!(regex instanceof BSONRegExp))
    return [needText(regex, `${name} needs 'regex': it`, 'Location51105'), flags]
  if (regex.options !== '' && flags !== '') {
    throw commandError(
      'Location51107',
      `${name}: found regex option(s) specified in both 'regex' and 'option' fields`
    )
  }
  return [regex.pattern, flags || regex.options]
}

function described(match: RegExpMatchArray, text: string): Doc {
  return new Map<string, Value>([
    ['match', match[0]],
    ['idx', new Int32(characterCount(text, match.index))],
    ['captures', match.slice(1).map((group: string | undefined) => group ?? null)]
  ])
}

function search(name: string, answer: (found: Search | undefined) => Result): OperatorParser {
  return (argument, context, operator) => {
    const find = makeSearch(name)
    return named(['input', 'regex'], ['options'], (values) => answer(find(values)))(
      argument,
      context,
      operator
    )
  }
}

export const REGEXES: Readonly<Record<string, OperatorParser>> = {
  $regexMatch: search(
    '$regexMatch',
    (found) => found !== undefined && found.text.search(found.regex) >= 0
  ),
  $regexFind: search('$regexFind', (found) => {
    const [first] = found ? found.text.matchAll(found.regex) : []
    return first && found ? described(first, found.text) : null
  }),
  $regexFindAll: search('$regexFindAll', (found) =>
    found ? [...found.text.matchAll(found.regex)].map((match) => described(match, found.text)) : []
  )
}
