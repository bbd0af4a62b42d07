// What starts a flow, in words. Pure.
import type { FlowContent, FlowTrigger } from '../../ledger/flow-rows.ts'
import type { Words } from './step-words.ts'

type T = (key: string) => string

/** The card of a trigger. */
export function triggerWords(
  trigger: FlowTrigger,
  t: T
): { readonly title: string; readonly note: string } {
  const title =
    trigger.type === 'event'
      ? trigger.eventName
      : trigger.type === 'cron'
        ? trigger.cronExpression
        : t('trigger.segment_enter')
  const once = t(trigger.once ? 'trigger.once' : 'trigger.always')
  const note = trigger.type === 'cron' ? `${t('trigger.cron')} · ${once}` : once
  return { title, note }
}

/** Trigger and goal as lines, to compare two versions by. A version without a trigger says nothing about either. */
export function startLines(
  { trigger, goal = '' }: Pick<FlowContent, 'trigger' | 'goal'>,
  { t }: Words
): readonly string[] {
  if (trigger === undefined) return []
  const { title, note } = triggerWords(trigger, t)
  const segment =
    'segmentDefinition' in trigger ? `  ${JSON.stringify(trigger.segmentDefinition)}` : ''
  const started = t('flow.startedBy', { trigger: `${title} · ${note}` }) + segment
  return goal === '' ? [started] : [started, t('flow.goalLine', { goal })]
}
