// What the resume of a paused broadcast sends for what a person chose.
import { test } from 'tap'
import type { BroadcastDetail } from '../broadcasts/answers.ts'
import { isTooLow, resumeBody, suggestedLimit, type Tripped, trippedIn } from './resume-choice.ts'

const meter = { rule: 'hard_bounce', count: 34, sample: 972, ratePct: 3.5, limitPct: 2, left: 0 }
const row = (over: object) =>
  ({ queuedCount: 60, pauses: [], stopMeters: [], ...over }) as unknown as BroadcastDetail
const stopped = row({ pauses: [{ code: 'stop_rule' }], stopMeters: [meter] })
const choice = { size: '', way: 'limit', limit: '' } as const

test('a broken rule goes on with a limit above the rate, or without risky addresses', async (t) => {
  const tripped = trippedIn(stopped)
  t.equal(tripped?.rule, 'hard_bounce')
  t.equal(tripped && suggestedLimit(tripped), 4)
  t.same(resumeBody(stopped, choice), { stopRules: { hardBounceRatePct: 4 } })
  t.same(resumeBody(stopped, { ...choice, way: 'without' }), { leaveOut: 'never_mailed' })
})

test('a limit that the rate is over is known to be too low before a number is typed', async (t) => {
  const tripped = trippedIn(stopped) as Tripped
  t.ok(isTooLow({ ...choice, limit: '3' }, tripped))
  t.ok(isTooLow({ ...choice, limit: 'x' }, tripped))
  t.notOk(isTooLow({ ...choice, limit: '5' }, tripped))
  t.notOk(isTooLow({ ...choice, limit: '3', way: 'without' }, tripped))
})

test('a wave is asked for by its size, and a pause by hand changes nothing', async (t) => {
  const full = row({ recipientCap: 60, pauses: [{ code: 'cap_reached' }] })
  t.same(resumeBody(full, { ...choice, size: '40' }), { recipientCap: 100 })
  t.same(resumeBody(full, choice), { recipientCap: null })
  t.same(resumeBody(row({ pauses: [{ code: 'manual' }] }), choice), {})
})
