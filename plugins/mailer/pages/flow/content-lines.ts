// What differs between two states of a flow, as lines in words. Pure.
import { type DiffLine, diffLines } from '../../ledger/diff-lines.ts'
import type { FlowContent } from '../../ledger/flow-rows.ts'
import { stepLines } from './step-lines.ts'
import type { Words } from './step-words.ts'
import { startLines } from './trigger-words.ts'

/** Trigger and goal, then the steps. Where one state does not know its trigger, the steps alone are compared. */
export function contentLines(
  before: FlowContent | undefined,
  after: FlowContent,
  words: Words
): readonly DiffLine[] {
  const isKnown = before === undefined || (before.trigger && after.trigger) !== undefined
  const linesOf = (content: FlowContent | undefined) =>
    content === undefined
      ? []
      : [...(isKnown ? startLines(content, words) : []), ...stepLines(content.steps, words)]
  return diffLines(linesOf(before), linesOf(after))
}
