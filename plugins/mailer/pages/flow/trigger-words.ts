// What starts a flow, in words. Pure.
import type { FlowTrigger } from '../../ledger/flow-rows.ts'
import type { Words } from './step-words.ts'

/** The card of a trigger. `schedule`: that of a cron trigger in words, once it is known. */
export function triggerWords(
  trigger: FlowTrigger,
  { t }: Pick<Words, 't'>,
  schedule?: string
): { readonly title: string; readonly note: string } {
  const title =
    trigger.type === 'event'
      ? trigger.eventName
      : trigger.type === 'cron'
        ? (schedule ?? t('trigger.cron'))
        : t('trigger.segment_enter')
  const once = t(trigger.once ? 'trigger.once' : 'trigger.always')
  const isNamed = trigger.type === 'cron' && schedule !== undefined
  const note = isNamed ? `${t('trigger.cron')} · ${once}` : once
  return { title, note }
}
