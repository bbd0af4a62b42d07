// MongoDB's regular expressions, compiled to JavaScript's with a guard against exponential ones.
import { setFlagsFromString } from 'node:v8'
import { commandError } from '../errors.ts'
import { RegexProblem } from './regex-reader.ts'
import { type Translation, translateRegex } from './regex-translate.ts'

export interface CompiledRegex {
  readonly pattern: string
  /** In alphabetical order. */
  readonly options: string
  readonly test: (text: string) => boolean
  /** The literal beginning that every match has, when the expression is anchored and case-sensitive. */
  readonly prefix: string | undefined
  /** True when the expression says no more than its prefix (`^abc`). */
  readonly isPrefixOnly: boolean
}

const LONGEST_PATTERN = 32_764
let isLinearEngineOn = false

/** Compiles for testing texts. Fails with Location51091 for what is wrong or not supported. */
export function compileRegex(pattern: string, options: string): CompiledRegex {
  const translation = translate(pattern, options, false)
  const regex = build(translation, '')
  return {
    pattern,
    options: [...options].sort().join(''),
    test: (text) => regex.test(text),
    prefix: translation.prefix,
    isPrefixOnly: translation.isPrefixOnly
  }
}

/** Compiles for locating matches: global, with groups. Fails as `compileRegex` does. */
export function compileLocator(pattern: string, options: string): RegExp {
  return build(translate(pattern, options, true), 'g')
}

function translate(pattern: string, options: string, isLocated: boolean): Translation {
  if (Buffer.byteLength(pattern) > LONGEST_PATTERN) {
    throw commandError(
      'Location51091',
      'Regular expression is invalid: regular expression is too large'
    )
  }
  const wrong = [...options].find((option) => !'imsxu'.includes(option))
  if (wrong !== undefined) {
    throw commandError('Location51108', `invalid flag in regex options: ${wrong}`)
  }
  try {
    return translateRegex(pattern, options, isLocated)
  } catch (cause) {
    if (cause instanceof RegexProblem) throw refused(cause.message, cause)
    throw cause
  }
}

function refused(reason: string, cause: unknown): Error {
  return commandError('Location51091', `Regular expression is invalid: ${reason}`, { cause })
}

function build({ source, flags, isRisky }: Translation, more: string): RegExp {
  turnLinearEngineOn()
  const all = `${flags}${more}`
  try {
    // V8's linear engine (flag l) takes time in proportion to the text, whatever the expression.
    return new RegExp(source, isRisky ? `${all}l` : all)
  } catch (cause) {
    const reason = isRisky ? 'it is too complex: repetitions within repetitions' : String(cause)
    throw refused(reason, cause)
  }
}

/**
 * Lets V8 fall back to its linear engine when plain backtracking takes too many steps, and allows
 * the flag that asks for it outright.
 */
function turnLinearEngineOn(): void {
  if (isLinearEngineOn) return
  isLinearEngineOn = true
  setFlagsFromString('--enable-experimental-regexp-engine')
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks')
}
