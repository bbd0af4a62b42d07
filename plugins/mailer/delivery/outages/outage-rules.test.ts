// When a provider is probed.
import fc from 'fast-check'
import { test } from 'tap'
import { beginningOutage, isDown, isProbeDue, probeDelay } from './outage-rules.ts'

test('probes are 10 s, 20 s, 40 s and then up to 5 min apart', async (t) => {
  const seconds = [0, 1, 2, 3, 4, 5, 6, 50].map((probes) => probeDelay(probes) / 1000)
  t.same(seconds, [10, 20, 40, 80, 160, 300, 300, 300])
})

test('a provider that asks for more time gets it, up to a day', async (t) => {
  t.equal(probeDelay(0, 60), 60_000)
  t.equal(probeDelay(0, 3), 10_000)
  t.equal(probeDelay(0, 1e9), 86_400_000)
})

test('probes never come closer together while an outage lasts', async (t) => {
  fc.assert(
    fc.property(fc.nat(1000), fc.double({ noNaN: true }), (probes, wanted) => {
      const delay = probeDelay(probes, wanted)
      return delay >= 10_000 && delay <= 86_400_000 && probeDelay(probes + 1, wanted) >= delay
    })
  )
  t.pass()
})

test('an outage lasts until the provider is back', async (t) => {
  const now = new Date()
  const outage = beginningOutage({ reason: 'refused' }, now)
  t.match(outage, { since: now, reason: 'refused', probes: 0 })
  t.notOk(isProbeDue(outage, new Date(now.getTime() + 9_999)))
  t.ok(isProbeDue(outage, new Date(now.getTime() + 10_000)))
  t.ok(isDown(outage))
  t.notOk(isDown({ ...outage, backAt: now }))
  t.notOk(isDown(undefined))
})
