// What lint finds in a program, in words.
import { defineSentences } from '@keelson/sdk'

/** By code; the page has the same in other languages. */
export const programLintSentences = {
  'program.lint.schema': '{path} {problem}.',
  'program.lint.schemaWhole': 'The definition {problem}.',
  'program.lint.idTwice': 'The id is used twice.',
  'program.lint.template': 'The template {template} is not published.',
  'program.lint.action': 'Unknown action {action}.',
  'program.lint.fact': 'Unknown fact {fact}.',
  'program.lint.isText': 'The fact {fact} is a text.',
  'program.lint.isNumber': 'The fact {fact} is a number.',
  'program.lint.isBoolean': 'The fact {fact} is true or false.',
  'program.lint.isTime': 'The fact {fact} is a time.',
  'program.lint.circle': 'It is never sent: what it requires waits for itself.',
  'program.lint.zone': 'Unknown time zone {zone}.',
  'program.lint.session': 'The host has no fact {fact}.',
  'program.lint.endless': 'An action that holds may keep a run open for ever: add a sunset.',
  'program.lint.holdout': 'Every subject is held out: no mail is sent.'
} as const

export const say = defineSentences(programLintSentences)
