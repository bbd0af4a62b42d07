// Steps as indented lines of text, to compare two versions by. Pure.
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { type LaneArm, type LaneNode, laneOf } from './lane.ts'
import { stepWords, type Words } from './step-words.ts'

/** What a step has besides its words: compared, because words leave it out. */
function detailOf(step: FlowStep): string {
  const { type: _type, ...fields } = step
  const inside = ['ifTrueSteps', 'ifFalseSteps', 'timeoutSteps', 'arms']
  const shown = [
    'templateSlug',
    'value',
    'unit',
    'eventName',
    'test',
    'ifFalse',
    'timeout',
    'reason'
  ]
  const more = Object.entries(fields).filter(
    ([name]) => !inside.includes(name) && !shown.includes(name)
  )
  return more.length === 0 ? '' : `  ${JSON.stringify(Object.fromEntries(more))}`
}

/** One line for each step and each arm. */
export function stepLines(steps: readonly FlowStep[], words: Words): readonly string[] {
  const lines: string[] = []
  const add = (nodes: readonly LaneNode[], indent: string): void => {
    for (const { step, arms } of nodes) {
      const { title, note } = stepWords(step, words)
      lines.push(`${indent}${note}: ${title}${detailOf(step)}`)
      for (const arm of arms) {
        if (arm.list === undefined) continue
        lines.push(`${indent}  ${armWords(arm, words)}`)
        add(arm.nodes, `${indent}    `)
      }
    }
  }
  add(laneOf(steps), '')
  return lines
}

/** The heading of an arm. */
export function armWords({ kind, name, percent }: LaneArm, { t, format }: Words): string {
  if (kind !== 'split') return t(`arm.${kind}`)
  return t('arm.split', { name: name || '…', share: format.percent((percent ?? 0) / 100) })
}
