// What a broadcast waits for, as it is read on the real engine.
import { test } from 'tap'
import { cancelBroadcast } from './cancel-broadcast.ts'
import { countBroadcast } from './count-recipients.ts'
import { keptStages } from './measure-kept.ts'
import { readBroadcast } from './read-broadcasts.ts'
import { resumeBroadcast } from './resume-broadcast.ts'
import { ANNA, type BroadcastBench, openBench, people } from './test/broadcast-bench.ts'

const HOUR = 3_600_000
const MORNING = new Date('2026-11-23T09:00:00Z')

const waitsIn = async ({ context }: BroadcastBench) =>
  (await readBroadcast(context, 'cast'))?.waiting

test('a full wave says how many people wait for the next one', async (t) => {
  const bench = await openBench(t, { contacts: people(7) })
  await bench.schedule({ recipientCap: 3 })
  await bench.drain()
  t.match(await waitsIn(bench), [{ reason: 'wave', count: 4, since: Date }])
  const next = { recipientCap: 5, confirmedCount: 2 }
  t.match(await resumeBroadcast(bench.context, 'cast', next, ANNA), {
    ok: true,
    broadcast: { recipientCount: 5, audienceCount: 7 }
  })
  await bench.drain()
  t.match(await waitsIn(bench), [{ reason: 'wave', count: 2 }])
  const all = { recipientCap: null, confirmedCount: 2 }
  t.match(await resumeBroadcast(bench.context, 'cast', all, ANNA), { ok: true })
  await bench.drain()
  t.same(await waitsIn(bench), [])
  t.match(await countBroadcast(bench.context, 'cast'), { recipientCount: 0 })
})

test('a broadcast in the recipients own time says how many wait for theirs', async (t) => {
  const zones = ['UTC', 'America/New_York', 'America/New_York', 'America/Los_Angeles']
  const contacts = people(4, (at) => ({ timezone: zones[at] as string }))
  const bench = await openBench(t, { contacts, now: new Date(MORNING.getTime() - HOUR) })
  await bench.schedule({ respectRecipientTimezone: true }, MORNING)
  bench.pass(HOUR)
  await bench.drain()
  const last = new Date('2026-11-23T17:00:00Z')
  const window = { reason: 'window', cause: 'time_zone', until: last }
  t.match(await waitsIn(bench), [{ ...window, count: 3 }])
  bench.pass(5 * HOUR)
  await bench.drain()
  t.match(await waitsIn(bench), [{ ...window, count: 1 }])
  t.equal(bench.sent.length, 3)
  await cancelBroadcast(bench.context, 'cast', ANNA)
  t.same(await waitsIn(bench), [])
})

test('mails that quiet hours keep are counted with the time at which they end', async (t) => {
  const contactPolicy = { quietHours: { start: '21:00', end: '08:00' } }
  const now = new Date('2026-11-23T22:00:00Z')
  const bench = await openBench(t, { contacts: people(3), now, config: { contactPolicy } })
  const { _id } = await bench.schedule()
  await bench.advance()
  await bench.run()
  t.match(await waitsIn(bench), [
    { reason: 'window', cause: 'quiet_hours', count: 3, until: new Date('2026-11-24T08:00:00Z') }
  ])
  const { sends } = bench.context.collections
  const plan = await sends.aggregate(keptStages(_id)).explain()
  t.match(JSON.stringify(plan), /"indexName":"broadcast_status"/)
})
