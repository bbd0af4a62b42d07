// The text of a regular expression while it is being read.

/** Why an expression cannot be translated: it is wrong, or uses what has no counterpart. */
export class RegexProblem extends Error {}

export interface State {
  readonly text: readonly string[]
  at: number
  depth: number
  ignoreCase: boolean
  multiline: boolean
  dotAll: boolean
  extended: boolean
  /** True when matches are located, not only looked for: then `$` must not take the line's end. */
  readonly isLocated: boolean
  readonly isUnicode: boolean
  hasReference: boolean
  isRisky: boolean
}

export function peek(state: State, ahead = 0): string | undefined {
  return state.text[state.at + ahead]
}

export function looksAt(state: State, text: string): boolean {
  return state.text.slice(state.at, state.at + text.length).join('') === text
}

export function take(state: State, text: string): boolean {
  if (!looksAt(state, text)) return false
  state.at += text.length
  return true
}
