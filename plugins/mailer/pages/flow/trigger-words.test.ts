// What starts a flow, as its card, the list of flows and the comparison of versions say it.
import { readFileSync } from 'node:fs'
import { test } from 'tap'
import type { FlowTrigger } from '../../ledger/flow-rows.ts'
import { scheduleOf } from './schedule-words.ts'
import { triggerWords } from './trigger-words.ts'

const FOLDER = new URL('../../../pages/flow/', import.meta.url)

/** What a card of a schedule says in a language. */
function saidIn(locale: string) {
  const textsOf = (name: string) =>
    JSON.parse(readFileSync(new URL(`${name}.${locale}.json`, FOLDER), 'utf8'))
  const texts = { ...textsOf('step-texts'), ...textsOf('edit-texts') }
  const t = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    String(texts[key]).replaceAll(/\{(\w+)\}/g, (_whole, name) => String(values[name]))
  const words = { t, format: { locale } } as unknown as Parameters<typeof scheduleOf>[1]
  return (cronExpression: string, once = false) => {
    const trigger = { type: 'cron', cronExpression, once, segmentDefinition: {} } as FlowTrigger
    return triggerWords(trigger, words, scheduleOf(trigger, words))
  }
}

const SAID = [
  ['5 9 * * *', 'Every day at 09:05 UTC', 'Täglich um 09:05 UTC'],
  ['0 9 * * 1-5', 'Monday to Friday at 09:00 UTC', 'Montag bis Freitag um 09:00 UTC'],
  ['0 9 * * 7', 'Every Sunday at 09:00 UTC', 'Jeden Sonntag um 09:00 UTC'],
  ['30 7 15 * *', 'Every month on day 15 at 07:30 UTC', 'Monatlich am 15. um 07:30 UTC'],
  ['*/15 * * * *', '*/15 * * * *', '*/15 * * * *']
] as const

test('a schedule is said in words, and as cron where words do not say it', async (t) => {
  for (const [cron, english, german] of SAID) {
    t.equal(saidIn('en')(cron).title, english)
    t.equal(saidIn('de')(cron).title, german)
  }
  t.equal(saidIn('en')('5 9 * * *', true).note, 'A schedule · once per contact')
})
