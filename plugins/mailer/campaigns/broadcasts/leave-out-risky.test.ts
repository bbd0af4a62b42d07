// A resume without the addresses that bounces come from.
import { test } from 'tap'
import { recorded } from '../../test/sent-mail.ts'
import { countBroadcast } from './count-recipients.ts'
import { readBroadcast } from './read-broadcasts.ts'
import { resumeBroadcast } from './resume-broadcast.ts'
import { ANNA, openBench, people } from './test/broadcast-bench.ts'

test('a stopped broadcast goes on without addresses that had no mail before', async (t) => {
  const bench = await openBench(t, { contacts: people(10) })
  const { context } = bench
  const { sends } = context.collections
  const earlier = { slug: 'earlier', segmentDefinition: { filters: [] }, recipientCap: 6 }
  await bench.schedule(earlier)
  await bench.drain()
  const known = (await sends.distinct('externalId')) as string[]
  await bench.schedule({ stopRules: { minSample: 2, hardBounceRatePct: 20 } })
  await bench.advance()
  const own = { broadcastSlug: 'cast', externalId: { $in: known.slice(0, 2) } }
  const at = context.clock.now()
  await sends.updateMany(own, recorded({ handoff: 'sent', handedAt: at, deliveredAt: at }))
  await sends.updateOne(own, recorded({ bouncedAt: at, bounceType: 'hard' }))
  await bench.advance()
  t.match(await countBroadcast(context, 'cast'), {
    breach: { rule: 'hard_bounce', ratePct: 50, limitPct: 20 },
    heldSends: 8
  })
  const higher = { stopRules: { hardBounceRatePct: 60 } }
  t.notOk((await breachWith(context, higher))?.breach, 'a higher limit is known to be enough')
  const leaveOut = { leaveOut: 'never_mailed' } as const
  t.match(await countBroadcast(context, 'cast', leaveOut), { heldSends: 4, breach: undefined })
  const resume = { ...leaveOut, confirmedCount: 4 }
  t.match(await resumeBroadcast(context, 'cast', { ...resume, confirmedCount: 8 }, ANNA), {
    code: 'count_mismatch',
    expected: 4
  })
  t.match(await resumeBroadcast(context, 'cast', resume, ANNA), { ok: true })
  const before = bench.sent.length
  await bench.drain()
  t.equal(bench.sent.length - before, 4)
  t.match(await bench.read(), { status: 'sent' })
  t.match((await readBroadcast(context, 'cast'))?.leftOut, { never_mailed: 4 })
})

const breachWith = async (...given: [Parameters<typeof countBroadcast>[0], object]) => {
  const counted = await countBroadcast(given[0], 'cast', given[1])
  return counted.ok ? counted : undefined
}
