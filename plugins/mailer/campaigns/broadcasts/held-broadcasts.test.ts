// What a plugin that paused broadcasts knows of them: how many mails its end lets go, and what they are from.
import { test } from 'tap'
import { broadcastBehind } from '../../delivery/sends/broadcast-behind.ts'
import { recorded } from '../../test/sent-mail.ts'
import { heldBroadcasts } from './held-broadcasts.ts'
import { pauseBroadcasts, pauseByHand } from './pause-broadcasts.ts'
import { ANNA, openBench, people } from './test/broadcast-bench.ts'

test('a broadcast that one name paused says what waits and what of it is risky', async (t) => {
  const bench = await openBench(t, { contacts: people(10) })
  const { context } = bench
  const earlier = { slug: 'earlier', segmentDefinition: { filters: [] }, recipientCap: 6 }
  await bench.schedule(earlier)
  await bench.drain()
  await bench.schedule()
  await pauseBroadcasts(context, { by: 'breaker:acme.test', message: 'Tripped.' })
  const { name } = await bench.read()
  t.same(await heldBroadcasts(context, 'breaker:acme.test'), [
    { slug: 'cast', name, held: 10, risky: 4 }
  ])
  t.same(await heldBroadcasts(context, 'breaker:other.test'), [])
  await pauseByHand(context, 'cast', ANNA)
  t.same(
    await heldBroadcasts(context, 'breaker:acme.test'),
    [],
    'a person paused it as well: the end of the other pause lets nothing go'
  )
})

test('mails that bounced are from one broadcast, or from several', async (t) => {
  const bench = await openBench(t, { contacts: people(3) })
  const { context } = bench
  const { sends } = context.collections
  await bench.schedule()
  await bench.drain()
  const [mail] = await sends.find().toArray()
  const senderDomain = mail?.from?.email.split('@')[1] ?? ''
  const bounced = { senderDomain, status: 'bounced' } as const
  t.equal(await broadcastBehind(context, bounced), null, 'nothing bounced')
  await sends.updateMany({}, recorded({ bouncedAt: context.clock.now(), bounceType: 'hard' }))
  const { name } = await bench.read()
  t.same(await broadcastBehind(context, bounced), { slug: 'cast', name })
  t.equal(await broadcastBehind(context, { ...bounced, status: 'complained' }), null)
  await sends.updateOne({ _id: mail?._id ?? '' }, { $set: { broadcastSlug: 'other' } })
  t.equal(await broadcastBehind(context, bounced), null)
})
