// How far the rates of a broadcast are from its limits.
import fc from 'fast-check'
import { test } from 'tap'
import type { StopRules } from '../../ledger/broadcast-row.ts'
import { breachOf, countedSince, metersOf, type StopCounts } from './stop-rules.ts'

const RULES: StopRules = {
  enabled: true,
  hardBounceRatePct: 2,
  complaintRatePct: 0.1,
  unsubscribeRatePct: 3,
  minSample: 100
}
const counts = (over: Partial<StopCounts>): StopCounts => ({
  delivered: 0,
  bounced: 0,
  hardBounces: 0,
  complaints: 0,
  unsubscribes: 0,
  ...over
})

test('a meter says how many more pause the broadcast', async (t) => {
  const sent = counts({ delivered: 124, bounced: 2, hardBounces: 2, unsubscribes: 1 })
  t.match(metersOf(RULES, sent), [
    { rule: 'hard_bounce', count: 2, sample: 126, ratePct: 1.59, limitPct: 2, left: 1 },
    { rule: 'complaint', count: 0, ratePct: 0, left: 1 },
    { rule: 'unsubscribe', count: 1, ratePct: 0.79, left: 3 }
  ])
})

test('rules that are off have no meters', async (t) => {
  t.same(metersOf({ ...RULES, enabled: false }, counts({ delivered: 100 })), [])
})

test('so many more break the rule, and one less does not', async () => {
  const rate = fc.double({ min: 0, max: 60, noNaN: true }).map((value) => Number(value.toFixed(2)))
  const given = fc.record({ rate, sample: fc.nat(5000), hard: fc.nat(200) })
  fc.assert(
    fc.property(given, ({ rate, sample, hard }) => {
      const rules = { ...RULES, minSample: 1, hardBounceRatePct: rate }
      const hardBounces = Math.min(hard, sample)
      const bounced = (more: number) =>
        breachOf(rules, counts({ delivered: sample, hardBounces: hardBounces + more }))
      const [meter] = metersOf(rules, counts({ delivered: sample, hardBounces }))
      if (meter === undefined || sample === 0) return true
      return meter.left === 0
        ? bounced(0) !== undefined
        : bounced(meter.left) !== undefined && bounced(meter.left - 1) === undefined
    })
  )
})

test('a resume that begins anew counts what happened since, and never less than nothing', async (t) => {
  const before = counts({ delivered: 90, bounced: 10, hardBounces: 10 })
  const now = counts({ delivered: 140, bounced: 12, hardBounces: 11 })
  t.same(countedSince(now, before), counts({ delivered: 50, bounced: 2, hardBounces: 1 }))
  t.same(countedSince(before, now).delivered, 0)
  t.equal(countedSince(now, undefined), now)
})
