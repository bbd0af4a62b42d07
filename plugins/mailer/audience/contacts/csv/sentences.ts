// Why a line of an imported file cannot be read.
import { defineSentences } from '@keelson/sdk'

/** By code; the page of suppressions has the same in other languages. */
export const lineSentences = {
  'line.tooLong': 'The line has more than {most} characters.',
  'line.notClosed': 'A quote of the line is not closed, or not where a cell begins.',
  'line.cells': 'The line has {count} cells, expected {expected}.',
  'line.noEmail': 'email is missing.',
  'line.hashAlone': 'email is missing; a hash alone is taken for reason gdpr_forget.',
  'line.invalid': '{field} {problem}.'
} as const

export const say = defineSentences(lineSentences)
