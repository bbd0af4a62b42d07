// What differs between two states of a flow, as lines in words. Pure.
import { type DiffLine, diffLines } from '../../ledger/diff-lines.ts'
import type { FlowContent } from '../../ledger/flow-rows.ts'
import { scheduleOf } from './schedule-words.ts'
import { stepLines } from './step-lines.ts'
import type { Words } from './step-words.ts'
import { triggerWords } from './trigger-words.ts'

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

/** Trigger and goal as lines, to compare two versions by. A version without a trigger says nothing about either. */
function startLines(
  { trigger, goal = '' }: Pick<FlowContent, 'trigger' | 'goal'>,
  words: Words
): readonly string[] {
  if (trigger === undefined) return []
  const { t } = words
  const { title, note } = triggerWords(trigger, words, scheduleOf(trigger, words))
  const segment =
    'segmentDefinition' in trigger ? `  ${JSON.stringify(trigger.segmentDefinition)}` : ''
  const started = t('flow.startedBy', { trigger: `${title} · ${note}` }) + segment
  return goal === '' ? [started] : [started, t('flow.goalLine', { goal })]
}
