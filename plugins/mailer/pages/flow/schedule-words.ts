// A schedule in words. Loaded with the forms of flows, which have its texts.
import type { FlowTrigger } from '../../ledger/flow-rows.ts'
import { registerEditTexts } from './edit-texts.ts'
import { readSchedule, weekdayOf } from './schedule.ts'
import type { Words } from './step-words.ts'

type Language = Pick<Words, 't' | 'format'>

/** The schedule of a trigger in words; undefined for one without. */
export const scheduleOf = (trigger: FlowTrigger, words: Language): string | undefined =>
  trigger.type === 'cron' ? scheduleWords(trigger.cronExpression, words) : undefined

/** `Every Monday at 09:00 UTC`; a cron expression where no choice says the same. */
function scheduleWords(cron: string, { t, format }: Language): string {
  registerEditTexts()
  const { repeat, weekday, time, day } = readSchedule(cron)
  if (repeat === 'custom') return cron
  return t(`schedule.said.${repeat}`, { time, day, weekday: weekdayOf(weekday, format.locale) })
}
