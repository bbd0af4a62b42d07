// What batches of one process know of a provider, whatever the order of their reads and writes.
import { test } from 'tap'
import { changeHealth, takeHealth, unknownHealth } from './outlet-health.ts'

const outage = { since: new Date(0), reason: 'refused', nextProbeAt: new Date(1), probes: 0 }

test('a read that began before an outage was written does not end it', async (t) => {
  const health = unknownHealth()
  const before = performance.now()
  await changeHealth(health, outage, async () => takeHealth(health, undefined, performance.now()))
  t.equal(health.outage, outage, 'a read while it is written')
  takeHealth(health, undefined, before)
  t.equal(health.outage, outage, 'a read that began before')
  takeHealth(health, undefined, performance.now() + 1)
  t.equal(health.outage, undefined, 'a read that began after')
})

test('a read is taken again when a write failed', async (t) => {
  const health = unknownHealth()
  await t.rejects(changeHealth(health, outage, () => Promise.reject(new Error('away'))))
  takeHealth(health, undefined, performance.now() + 1)
  t.equal(health.outage, undefined)
})
