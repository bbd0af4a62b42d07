// What starts a flow, in words. Pure.
import type { FlowTrigger } from '../../ledger/flow-rows.ts'

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
