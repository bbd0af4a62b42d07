// Enqueueing: how many commands it takes, who may do it, and where it goes on after a failure.
import { type Test, test } from 'tap'
import { createMemoryAdapter } from '../../audience/contacts/memory-adapter.ts'
import type { ContactAdapter } from '../../ledger/adapter.ts'
import { addressHash } from '../../ledger/address.ts'
import { advanceBroadcasts } from './advance-broadcasts.ts'
import { enqueueRecipients } from './enqueue-recipients.ts'
import { countLeftOut, listLeftOut } from './left-out.ts'
import { hasWaitingMails, statusBreakdown, stopCounts } from './measure-broadcast.ts'
import { type BroadcastBench, openBench, people } from './test/broadcast-bench.ts'

/** Contacts in the order of a list: a page costs no more than its contacts. */
function listAdapter(count: number, contacts = people(count)): ContactAdapter {
  return {
    ...createMemoryAdapter(),
    count: async () => count,
    async query(_filter, { limit = 100, cursor = '0' } = {}) {
      const next = Number(cursor) + limit
      const more = next < count ? { nextCursor: String(next) } : {}
      return { contacts: contacts.slice(Number(cursor), next), ...more }
    }
  }
}

async function openLarge(
  t: Test,
  count: number,
  contacts = people(count)
): Promise<BroadcastBench> {
  const bench = await openBench(t, { adapter: listAdapter(count, contacts) })
  const { subscriptions } = bench.context.collections
  const now = bench.context.clock.now()
  const row = { status: 'subscribed', source: 'test', createdAt: now, updatedAt: now } as const
  await subscriptions.insertMany(
    people(count).map(({ externalId }) => ({ _id: externalId, externalId, ...row }))
  )
  return bench
}

test('10,000 recipients are queued with at most 60 database commands', async (t) => {
  const bench = await openLarge(t, 10_000)
  const { _id } = await bench.schedule()
  await advanceBroadcasts(bench.context, { budgetMs: 0 })
  bench.commands()
  const after = await enqueueRecipients(bench.context, _id, () => false)
  const commands = bench.commands()
  t.match(after, { cursor: null, queuedCount: 10_000 })
  t.ok(commands.length <= 60, `${commands.length} commands`)
  t.equal(await bench.context.collections.sends.countDocuments({ broadcastId: _id }), 10_000)
})

/** Every contact has the address of the one before or behind it, in another spelling. */
const twins = (count: number) =>
  people(count).map((one, at) => {
    const domain = at % 2 === 0 ? 'MÜNCHEN.example' : 'xn--mnchen-3ya.example'
    return { ...one, email: `Half${at % (count / 2)}@${domain}` }
  })

test('an address gets one mail of a broadcast, however many contacts and pages bring it', async (t) => {
  const bench = await openLarge(t, 6_000, twins(6_000))
  const { _id } = await bench.schedule()
  await advanceBroadcasts(bench.context, { budgetMs: 0 })
  bench.commands()
  t.match(await enqueueRecipients(bench.context, _id, () => false), { queuedCount: 3_000 })
  const commands = bench.commands()
  t.ok(commands.length <= 60, `${commands.length} commands`)
  const { sends, leftOut } = bench.context.collections
  t.equal((await sends.distinct('emailAtSend', { broadcastId: _id })).length, 3_000)
  t.equal(await sends.countDocuments({ broadcastId: _id }), 3_000)
  t.match(await countLeftOut(bench.context, _id), { same_address: 3_000, no_address: 0 })
  t.equal(await leftOut.countDocuments({ broadcastId: _id }), 3_000)
  const mailed = new Set(await sends.distinct('externalId', { broadcastId: _id }))
  const listed: string[] = []
  let after: string | undefined = ''
  while (after !== undefined) {
    const page: Awaited<ReturnType<typeof listLeftOut>> = await listLeftOut(bench.context, _id, {
      after,
      limit: 1000
    })
    listed.push(...page.rows.map(({ externalId }) => externalId))
    after = page.nextCursor
  }
  t.equal(new Set(listed).size, 3_000)
  t.notOk(listed.some((id) => mailed.has(id)))
})

test('waves under a cap mail each address once, and end when none is left', async (t) => {
  const bench = await openLarge(t, 40, twins(40))
  const { _id } = await bench.schedule({ recipientCap: 15 })
  await advanceBroadcasts(bench.context, { budgetMs: 0 })
  t.match(await enqueueRecipients(bench.context, _id, () => false), { queuedCount: 15 })
  const { broadcasts, sends } = bench.context.collections
  await broadcasts.updateOne(
    { _id },
    { $set: { recipientCap: 30, status: 'sending' }, $unset: { pauses: '', pauseReason: '' } }
  )
  t.match(await enqueueRecipients(bench.context, _id, () => false), {
    queuedCount: 20,
    cursor: null
  })
  t.equal((await sends.distinct('emailAtSend', { broadcastId: _id })).length, 20)
  t.match(await countLeftOut(bench.context, _id), { same_address: 20 })
})

/** A broadcast to 10,000 contacts that none of its mails may reach. */
async function openUnreachable(t: Test) {
  const contacts = people(10_000, (at) => (at % 3 === 2 ? { email: 'nowhere' } : {}))
  const bench = await openLarge(t, 10_000, contacts)
  const { subscriptions, suppressions } = bench.context.collections
  const gone = contacts.filter((_, at) => at % 3 === 0).map(({ externalId }) => externalId)
  await subscriptions.updateMany(
    { externalId: { $in: gone } },
    { $set: { status: 'unsubscribed' } }
  )
  const blocked = contacts.filter((_, at) => at % 3 === 1)
  const now = bench.context.clock.now()
  await suppressions.insertMany(
    blocked.map(({ externalId, email }) => ({
      _id: externalId,
      email,
      emailHash: addressHash(email),
      scope: 'all',
      reason: 'hard_bounce',
      source: 'test',
      addedAt: now
    })) as never
  )
  return bench
}

test('10,000 contacts are left out with their reasons, with at most 10 commands', async (t) => {
  const bench = await openUnreachable(t)
  const { _id } = await bench.schedule()
  await advanceBroadcasts(bench.context, { budgetMs: 0 })
  bench.commands()
  t.match(await enqueueRecipients(bench.context, _id, () => false), { queuedCount: 0 })
  const { leftOut } = bench.context.collections
  // No mail is queued: one update takes the lease, every other is one of left-out rows.
  const updates = bench.commands().filter((name) => name === 'update').length - 1
  t.ok(updates > 0 && updates <= 10, `${updates} commands`)
  t.same(await countLeftOut(bench.context, _id), {
    not_subscribed: 3_334,
    suppressed: 3_333,
    no_address: 3_333,
    same_address: 0,
    policy: 0,
    never_mailed: 0
  })
  t.match(await leftOut.findOne({ externalId: 'c000' }), { detail: 'unsubscribed' })
  t.match(await leftOut.findOne({ externalId: 'c001' }), { detail: 'hard_bounce' })
})

test('contacts that are left out are listed whole, or by reason', async (t) => {
  const bench = await openBench(t, { contacts: people(4) })
  const { subscriptions } = bench.context.collections
  for (const externalId of ['c000', 'c002'])
    await subscriptions.updateOne({ externalId }, { $set: { status: 'complained' } })
  await subscriptions.deleteOne({ externalId: 'c001' })
  const { _id } = await bench.schedule()
  await bench.drain()
  const { rows, nextCursor } = await listLeftOut(bench.context, _id, { limit: 2 })
  t.match(rows, [
    { externalId: 'c000', reason: 'not_subscribed', detail: 'complained' },
    { externalId: 'c001', reason: 'not_subscribed', detail: undefined }
  ])
  const rest = await listLeftOut(bench.context, _id, { limit: 2, after: nextCursor ?? '' })
  t.same(
    rest.rows.map(({ externalId }) => externalId),
    ['c002']
  )
  const reason = 'suppressed'
  t.same((await listLeftOut(bench.context, _id, { reason })).rows, [])
})

test('contacts that are left out are counted and listed by an index', async (t) => {
  const bench = await openBench(t)
  const { leftOut } = bench.context.collections
  const filter = { broadcastId: 'b', reason: 'same_address', externalId: { $gt: 'a' } } as const
  const queries = [
    [leftOut.find(filter).sort({ externalId: 1 }), 'broadcast_reason'],
    [leftOut.find({ broadcastId: 'b', reason: 'policy' }), 'broadcast_reason'],
    [leftOut.find({ _id: { $gt: 'b:', $lt: 'b;' } }).sort({ _id: 1 }), '_id_'],
    [leftOut.find({ externalId: 'c1' }).sort({ at: -1 }), 'contact_time']
  ] as const
  for (const [query, index] of queries) {
    const plan = JSON.stringify(await query.explain('queryPlanner'))
    t.match(plan, new RegExp(`"indexName":"${index}"`))
    t.notMatch(plan, /"SORT"|COLLSCAN/)
  }
})

test('a slice that is over goes on with the next call', async (t) => {
  const bench = await openLarge(t, 2500)
  const { _id } = await bench.schedule()
  await advanceBroadcasts(bench.context, { budgetMs: 0 })
  t.match(await bench.read(), { status: 'sending', queuedCount: 0 })
  let pages = 0
  t.match(await enqueueRecipients(bench.context, _id, () => ++pages > 1), {
    queuedCount: 2000,
    cursor: '2000'
  })
  t.match(await enqueueRecipients(bench.context, _id, () => false), {
    queuedCount: 2500,
    cursor: null
  })
})

test('one process at a time queues a broadcast, and a lease that ran out is taken over', async (t) => {
  const bench = await openBench(t, { contacts: people(3) })
  const { _id } = await bench.schedule()
  await advanceBroadcasts(bench.context, { budgetMs: 0 })
  const enqueue = () => enqueueRecipients(bench.context, _id, () => false)
  await bench.context.lease(`broadcast/${_id}`, { seconds: 60 }, async () => {
    t.equal(await enqueue(), undefined)
    bench.pass(60_000)
    t.match(await enqueue(), { queuedCount: 3 })
  })
})

test('a process that lost its lease while it read a page writes nothing', async (t) => {
  const adapter = createMemoryAdapter(people(3))
  const bench = await openBench(t, { adapter })
  const { subscriptions, sends } = bench.context.collections
  await subscriptions.insertMany(
    people(3).map(
      ({ externalId }) => ({ _id: externalId, externalId, status: 'subscribed' }) as never
    )
  )
  const { _id } = await bench.schedule()
  await advanceBroadcasts(bench.context, { budgetMs: 0 })
  const query = adapter.query.bind(adapter)
  adapter.query = async (filter, options) => {
    const page = await query(filter, options)
    bench.pass(60_000)
    await bench.context.lease(`broadcast/${_id}`, { seconds: 60 }, () => 'taken')
    return page
  }
  t.equal(await enqueueRecipients(bench.context, _id, () => false), undefined)
  t.equal(await sends.countDocuments(), 0)
  t.match(await bench.read(), { queuedCount: 0 })
})

test('a broadcast whose contacts cannot be read waits, and others go on', async (t) => {
  const adapter = createMemoryAdapter(people(2))
  const bench = await openBench(t, { adapter, contacts: people(2) })
  await bench.schedule({
    slug: 'broken',
    segmentDefinition: { filters: [{ kind: 'hasTag', tag: 'vip' }] }
  })
  await bench.schedule()
  const query = adapter.query.bind(adapter)
  let isDown = true
  adapter.query = (filter, options) => {
    if (isDown && filter.hasTag === 'vip') throw new Error('the host is away')
    return query(filter, options)
  }
  await bench.drain()
  t.match(await bench.read('broken'), { status: 'sending' })
  t.match(await bench.read(), { status: 'sent' })
  t.ok(bench.logged.some(({ message }) => message.includes('the host is away')))
  isDown = false
  await bench.drain()
  t.match(await bench.read('broken'), { status: 'sent' })
})

test('two processes that tick at once mail each contact once', async (t) => {
  const bench = await openBench(t, { contacts: people(30) })
  await bench.schedule()
  await Promise.all([bench.advance(), bench.advance(), bench.advance()])
  await bench.drain()
  t.equal(bench.sent.length, 30)
  t.match(await bench.read(), { status: 'sent', queuedCount: 30 })
})

test('every query of broadcasts uses an index', async (t) => {
  const bench = await openBench(t, { contacts: people(3) })
  const { _id } = await bench.schedule()
  await bench.drain()
  const { sends, broadcasts } = bench.context.collections
  const now = bench.context.clock.now()
  const queries: readonly { explain(mode: 'queryPlanner'): Promise<unknown> }[] = [
    broadcasts.find({ slug: 'cast' }),
    broadcasts
      .find({
        status: { $in: ['sending', 'paused'] },
        $or: [{ status: 'sending' }, { updatedAt: now }]
      })
      .sort({ scheduledAt: 1 }),
    broadcasts.find({ status: 'scheduled', scheduledAt: { $lte: now } }).sort({ scheduledAt: 1 }),
    broadcasts.find({ status: 'cancelled', isEnding: true }),
    broadcasts.find({ status: { $in: ['scheduled', 'sending', 'paused'] } }),
    broadcasts.find({ createdAt: { $lte: now } }).sort({ createdAt: -1, _id: -1 }),
    sends.find({ broadcastId: _id, status: { $in: ['queued', 'held'] } }),
    sends.find({
      broadcastId: _id,
      status: { $in: ['failed', 'unknown'] },
      dueAt: { $exists: true }
    }),
    sends.find({ broadcastId: _id, status: 'held', 'hold.cause': 'broadcast_paused' }),
    sends.find({ broadcastId: _id, status: 'bounced', bounceType: 'hard' }),
    sends
      .find({ broadcastId: _id, status: 'opened', externalId: { $gt: 'a' } })
      .sort({ externalId: 1 }),
    sends.find({ dedupeKey: { $gt: 'broadcast:b:', $lt: 'broadcast:b;' } }).sort({ dedupeKey: 1 }),
    sends.aggregate([
      { $match: { broadcastId: _id } },
      { $group: { _id: '$status', count: { $sum: 1 } } }
    ])
  ]
  for (const query of queries) {
    const plan = JSON.stringify(await query.explain('queryPlanner'))
    t.match(plan, /IXSCAN/)
    t.notMatch(plan, /COLLSCAN/)
  }
  t.same(await statusBreakdown(bench.context, _id), { sent: 3 })
  t.match(
    await stopCounts(bench.context, { _id }),
    { delivered: 3 },
    'mails of a provider without delivery reports'
  )
  t.equal(await hasWaitingMails(bench.context, _id), false)
})
