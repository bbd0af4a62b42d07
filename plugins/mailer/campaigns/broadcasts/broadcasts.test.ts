// Broadcasts on the real engine: who is mailed, in what waves, and how they are made, paused and ended.
import { test } from 'tap'
import { recorded } from '../../test/sent-mail.ts'
import { cancelBroadcast } from './cancel-broadcast.ts'
import { countBroadcast } from './count-recipients.ts'
import {
  changeDraft,
  createBroadcast,
  type NewBroadcast,
  resendBroadcast
} from './draft-broadcast.ts'
import { listLeftOut } from './left-out.ts'
import { pauseBroadcasts, pauseByHand, resumeBroadcasts } from './pause-broadcasts.ts'
import {
  listBroadcasts,
  listRecipients,
  type Recipients,
  readBroadcast
} from './read-broadcasts.ts'
import { resumeBroadcast } from './resume-broadcast.ts'
import { scheduleBroadcast } from './schedule-broadcast.ts'
import { ANNA, DRAFT, openBench, people } from './test/broadcast-bench.ts'
import { testSend } from './test-send.ts'

const DAY = 86_400_000

test('every contact of the segment gets one mail, and the broadcast is sent when all are out', async (t) => {
  const bench = await openBench(t, { contacts: people(7) })
  const { collections } = bench.context
  await collections.subscriptions.updateOne(
    { externalId: 'c003' },
    { $set: { status: 'pending_doi' } }
  )
  const { _id } = await bench.schedule()
  await bench.advance()
  t.match(await bench.read(), { status: 'sending', queuedCount: 6, cursor: null })
  await bench.drain()
  t.match(await bench.read(), { status: 'sent', finishedAt: Date })
  t.same(bench.sent.map(({ to }) => to.slice(0, 4)).sort(), [
    'c000',
    'c001',
    'c002',
    'c004',
    'c005',
    'c006'
  ])
  await bench.drain()
  t.equal(bench.sent.length, 6)
  const actions = await collections.auditLog.find({ 'resource.id': _id }).sort({ at: 1 }).toArray()
  t.same(
    actions.map(({ action, actor }) => `${action} ${actor}`),
    [
      `broadcast.create ${ANNA.actor}`,
      `broadcast.schedule ${ANNA.actor}`,
      'broadcast.start system:mailer',
      'broadcast.finish system:mailer'
    ]
  )
})

test('a draft is refused for a slug that is taken, other templates and unknown filters', async (t) => {
  const { context } = await openBench(t)
  t.match(await createBroadcast(context, DRAFT, ANNA), { ok: true, broadcast: { status: 'draft' } })
  const create = (more: object) =>
    createBroadcast(context, { ...DRAFT, slug: 'other', ...more }, ANNA)
  t.match(await create({ slug: 'cast' }), { code: 'slug_taken' })
  t.match(await create({ templateSlug: 'notice' }), { code: 'template_not_marketing' })
  t.match(await create({ templateSlug: 'unknown' }), { code: 'template_not_found' })
  t.match(await create({ segmentDefinition: { filters: [{ kind: '$where' }] } }), {
    code: 'invalid_segment',
    message: /\$where/
  })
  const variant = { name: 'a', templateSlug: 'first' }
  const splitTest = {
    variants: [variant, variant],
    testPercent: 10,
    winner: 'human_opens',
    decideAfterHours: 1
  }
  t.match(await create({ splitTest }), { code: 'variants_not_distinct' })
  await t.rejects(create({ recipientCap: 0 }), { code: 'MLR_INPUT_INVALID' })
  t.equal(await context.collections.broadcasts.countDocuments(), 1)
})

test('an order is refused where the contact adapter has none', async (t) => {
  const { context } = await openBench(t)
  const unordered = Object.assign(Object.create(context), {
    adapter: { ...context.adapter, supportsSort: false }
  })
  const order = { field: 'age', direction: 'desc' } as const
  t.match(await createBroadcast(unordered, { ...DRAFT, order }, ANNA), {
    code: 'order_unsupported'
  })
})

test('a draft can be changed until it is scheduled, and null removes a setting', async (t) => {
  const bench = await openBench(t, { contacts: people(2) })
  const { context } = bench
  await createBroadcast(context, { ...DRAFT, recipientCap: 1, stopRules: { minSample: 7 } }, ANNA)
  const change = { name: 'New', recipientCap: null, stopRules: { enabled: false } }
  const changed = await changeDraft(context, 'cast', change, ANNA)
  t.match(changed, {
    ok: true,
    broadcast: { name: 'New', stopRules: { minSample: 7, enabled: false } }
  })
  t.notOk('recipientCap' in (await bench.read()))
  const schedule = { scheduledAt: context.clock.now(), confirmedCount: 2 }
  t.match(await scheduleBroadcast(context, 'cast', schedule, ANNA), { ok: true })
  t.match(await changeDraft(context, 'cast', { name: 'Late' }, ANNA), { code: 'not_draft' })
  t.match(await changeDraft(context, 'none', { name: 'x' }, ANNA), { code: 'not_found' })
})

test('a schedule needs a time and the exact number of recipients', async (t) => {
  const { context } = await openBench(t, { contacts: people(3) })
  await createBroadcast(context, DRAFT, ANNA)
  const schedule = (more: object) => scheduleBroadcast(context, 'cast', more, ANNA)
  const scheduledAt = context.clock.now()
  t.match(await schedule({ confirmedCount: 3 }), { code: 'scheduledAt_required' })
  const longAgo = new Date(scheduledAt.getTime() - 25 * 3_600_000)
  for (const bad of [new Date('x'), longAgo])
    t.match(await schedule({ scheduledAt: bad, confirmedCount: 3 }), { code: 'bad_scheduledAt' })
  t.match(await schedule({ scheduledAt }), { code: 'confirmedCount_required' })
  t.match(await schedule({ scheduledAt, expiresAt: scheduledAt, confirmedCount: 3 }), {
    code: 'bad_expiresAt'
  })
  t.match(await schedule({ scheduledAt, confirmedCount: 4 }), {
    code: 'count_mismatch',
    expected: 3
  })
  t.match(await schedule({ scheduledAt, confirmedCount: 3 }), { ok: true })
  t.match(await schedule({ scheduledAt, confirmedCount: 3 }), { code: 'not_draft' })
  t.match(await scheduleBroadcast(context, 'none', {}, ANNA), { code: 'not_found' })
})

test('a broadcast waits for its time, and a schedule that comes too late does not fire', async (t) => {
  const bench = await openBench(t, { contacts: people(2) })
  const { context } = bench
  const scheduledAt = new Date(context.clock.now().getTime() + DAY)
  await createBroadcast(context, DRAFT, ANNA)
  const expiresAt = new Date(scheduledAt.getTime() + 1000)
  await scheduleBroadcast(context, 'cast', { scheduledAt, expiresAt, confirmedCount: 2 }, ANNA)
  await bench.drain()
  t.equal((await bench.read()).status, 'scheduled')
  bench.pass(DAY + 1000)
  await bench.drain()
  t.match(await bench.read(), { status: 'failed', failure: { code: 'schedule_expired' } })
  t.same(bench.sent, [])
})

test('waves mail up to the cap in the order asked for, and a higher cap mails the next ones', async (t) => {
  const contacts = people(10, (at) => ({ fields: { score: at } }))
  const bench = await openBench(t, { contacts })
  const { context } = bench
  const order = { field: 'score', direction: 'desc' } as const
  await bench.schedule({ recipientCap: 3, order })
  await bench.drain()
  t.match(await bench.read(), {
    status: 'paused',
    pauseReason: { code: 'cap_reached' },
    queuedCount: 3
  })
  t.same(bench.sent.map(({ to }) => to.slice(0, 4)).sort(), ['c007', 'c008', 'c009'])
  t.match((await readBroadcast(context, 'cast'))?.capProgress, {
    recipientCap: 3,
    sendsSoFar: 3,
    remaining: 0
  })
  const resume = (more: object) => resumeBroadcast(context, 'cast', more, ANNA)
  t.match(await resume({ confirmedCount: 0 }), { code: 'cap_not_raised' })
  t.match(await countBroadcast(context, 'cast', { recipientCap: 5 }), {
    recipientCount: 2,
    uncappedRecipientCount: 7,
    heldSends: 0
  })
  t.match(await resume({ recipientCap: 5, confirmedCount: 7 }), {
    code: 'count_mismatch',
    expected: 2
  })
  t.match(await resume({ recipientCap: 5 }), { code: 'confirmedCount_required' })
  t.match(await resume({ recipientCap: 5, confirmedCount: 2 }), { ok: true })
  await bench.drain()
  t.same(
    bench.sent
      .slice(3)
      .map(({ to }) => to.slice(0, 4))
      .sort(),
    ['c005', 'c006']
  )
  t.match(await resume({ recipientCap: null, confirmedCount: 5 }), { ok: true })
  await bench.drain()
  t.match(await bench.read(), { status: 'sent', queuedCount: 10 })
  t.equal(new Set(bench.sent.map(({ to }) => to)).size, 10)
})

test('a cap that is exactly the audience ends the broadcast', async (t) => {
  const bench = await openBench(t, { contacts: people(3) })
  await bench.schedule({ recipientCap: 3 })
  await bench.drain()
  t.match(await bench.read(), { status: 'sent', queuedCount: 3 })
})

test('mails of a full wave go out while the broadcast is paused for its cap', async (t) => {
  const bench = await openBench(t, { contacts: people(3) })
  await bench.schedule({ recipientCap: 2 })
  await bench.advance()
  t.equal((await bench.read()).status, 'paused')
  await bench.run()
  t.equal(bench.sent.length, 2)
})

test('a pause holds mails, also those that a worker has, and a resume sends each once', async (t) => {
  const bench = await openBench(t, { contacts: people(6) })
  const { context } = bench
  await bench.schedule()
  await bench.advance()
  t.match(await pauseByHand(context, 'cast', ANNA), { ok: true, broadcast: { status: 'paused' } })
  t.match(await pauseByHand(context, 'cast', ANNA), { code: 'not_pausable' })
  await bench.drain()
  t.same(bench.sent, [])
  t.match(await readBroadcast(context, 'cast'), {
    statusBreakdown: { held: 6 },
    stats: { total: 6 }
  })
  t.match(await countBroadcast(context, 'cast'), { recipientCount: 0, heldSends: 6 })
  t.match(await resumeBroadcast(context, 'cast', { confirmedCount: 5 }, ANNA), { expected: 6 })
  t.match(await resumeBroadcast(context, 'cast', { confirmedCount: 6 }, ANNA), { ok: true })
  t.match(await resumeBroadcast(context, 'cast', { confirmedCount: 6 }, ANNA), {
    code: 'not_paused'
  })
  await bench.drain()
  t.equal(bench.sent.length, 6)
  t.match(await bench.read(), { status: 'sent' })
})

test('a mail that is held just after the resume goes out with the next tick', async (t) => {
  const bench = await openBench(t, { contacts: people(2) })
  const { context } = bench
  const { _id } = await bench.schedule()
  await bench.advance()
  await context.queues.bulkSends.withdraw(
    { broadcastId: _id },
    {
      state: 'parked',
      update: [{ $set: { handoff: 'held', status: 'held', hold: { cause: 'broadcast_paused' } } }]
    }
  )
  await bench.drain()
  t.equal(bench.sent.length, 2)
})

test('a name resumes only what it paused, and others keep the broadcast paused', async (t) => {
  const bench = await openBench(t, { contacts: people(2) })
  const { context } = bench
  await bench.schedule()
  await bench.advance()
  const pause = (by: string, senderDomain?: string) =>
    pauseBroadcasts(context, { by, message: 'Listed.', ...(senderDomain && { senderDomain }) })
  t.same(await pause('block-lists', 'other.test'), { paused: 0 })
  t.same(await pause('block-lists', 'ACME.test'), { paused: 1 })
  t.same(await pause('postmaster'), { paused: 1 })
  t.same(await resumeBroadcasts(context, 'block-lists'), { resumed: 0 })
  t.match(await bench.read(), { status: 'paused', pauseReason: { code: 'gate', by: 'postmaster' } })
  await bench.drain()
  t.same(bench.sent, [])
  t.same(await resumeBroadcasts(context, 'postmaster'), { resumed: 1 })
  await bench.drain()
  t.equal(bench.sent.length, 2)
})

test('a scheduled broadcast that was paused starts at its time after the resume', async (t) => {
  const bench = await openBench(t, { contacts: people(2) })
  await bench.schedule()
  await pauseBroadcasts(bench.context, { by: 'gate', message: 'Wait.' })
  await bench.drain()
  t.equal((await bench.read()).status, 'paused')
  await resumeBroadcasts(bench.context, 'gate')
  t.equal((await bench.read()).status, 'scheduled')
  await bench.drain()
  t.equal(bench.sent.length, 2)
})

test('a gate that holds a mail can pause its broadcast', async (t) => {
  let isOpen = false
  const check = () =>
    isOpen ? null : { error: 'listed', message: 'The domain is listed.', pauseBroadcast: true }
  const bench = await openBench(t, {
    contacts: people(3),
    extensions: { sendGates: () => [{ name: 'block-lists', check }] }
  })
  await bench.schedule()
  await bench.drain()
  t.match(await bench.read(), {
    status: 'paused',
    pauseReason: {
      code: 'gate',
      by: 'block-lists',
      cause: 'listed',
      message: 'The domain is listed.'
    }
  })
  isOpen = true
  await resumeBroadcasts(bench.context, 'block-lists')
  bench.pass(61_000)
  await bench.drain()
  t.equal(bench.sent.length, 3)
})

test('a cancel ends queued and held mails, and a finished broadcast cannot be cancelled', async (t) => {
  const bench = await openBench(t, { contacts: people(4) })
  const { context } = bench
  await bench.schedule()
  await bench.advance()
  await pauseByHand(context, 'cast', ANNA)
  t.match(await cancelBroadcast(context, 'cast', ANNA), {
    ok: true,
    broadcast: { status: 'cancelled' },
    cancelledSends: 4
  })
  t.match(await cancelBroadcast(context, 'cast', ANNA), { code: 'already_finished' })
  t.match(await cancelBroadcast(context, 'none', ANNA), { code: 'not_found' })
  await bench.drain()
  t.same(bench.sent, [])
  t.match(await readBroadcast(context, 'cast'), { statusBreakdown: { cancelled: 4 } })
  t.notOk((await bench.read()).isEnding)
})

test('a mail that a worker parks after the cancel is cancelled with the next tick', async (t) => {
  const bench = await openBench(t, { contacts: people(1) })
  const { sends } = bench.context.collections
  await bench.schedule()
  await bench.advance()
  await sends.updateMany({}, { $set: { state: 'leased' } })
  t.match(await cancelBroadcast(bench.context, 'cast', ANNA), { cancelledSends: 0 })
  await bench.advance()
  t.ok((await bench.read()).isEnding)
  await sends.updateMany(
    {},
    { $set: { state: 'parked', handoff: 'held', status: 'held' }, $unset: { dueAt: '' } }
  )
  await bench.advance()
  t.match(await sends.findOne({}), { status: 'cancelled', exitReason: 'broadcast_cancelled' })
  t.notOk((await bench.read()).isEnding)
})

test('a failed mail that is tried again keeps the broadcast sending', async (t) => {
  const bench = await openBench(t, { contacts: people(1) })
  const { sends } = bench.context.collections
  await bench.schedule()
  await bench.advance()
  const later = new Date(bench.context.clock.now().getTime() + DAY)
  await sends.updateMany({}, { $set: { handoff: 'failed', status: 'failed', dueAt: later } })
  await bench.advance()
  t.equal((await bench.read()).status, 'sending')
  await sends.updateMany({}, { $set: { state: 'done' }, $unset: { dueAt: '' } })
  await bench.advance()
  t.equal((await bench.read()).status, 'sent')
})

test('a broadcast in the recipients own time mails each at the clock time of its zone', async (t) => {
  const zones = ['UTC', 'America/New_York', 'Asia/Tokyo']
  const bench = await openBench(t, {
    contacts: people(3, (at) => ({ timezone: zones[at] as string })),
    now: new Date('2026-11-23T08:00:00Z')
  })
  await bench.schedule({ respectRecipientTimezone: true }, new Date('2026-11-23T09:00:00Z'))
  bench.pass(3_600_000)
  await bench.drain()
  t.same(
    bench.sent.map(({ to }) => to.slice(0, 4)),
    ['c000']
  )
  t.equal((await bench.read()).status, 'sending')
  bench.pass(5 * 3_600_000)
  await bench.drain()
  t.same(
    bench.sent.map(({ to }) => to.slice(0, 4)),
    ['c000', 'c001']
  )
  bench.pass(11 * 3_600_000)
  await bench.drain()
  t.equal(bench.sent.length, 3)
  t.equal((await bench.read()).status, 'sent')
})

test('a broadcast stops by itself when too many mails bounce, and a person can go on', async (t) => {
  const bench = await openBench(t, { contacts: people(10) })
  const { context } = bench
  await bench.schedule({ stopRules: { minSample: 4, hardBounceRatePct: 20 } })
  await bench.advance()
  const { sends } = context.collections
  const ids = (await sends.find().toArray()).map(({ _id }) => _id)
  const mark = (from: number, to: number, facts: object) =>
    sends.updateMany({ _id: { $in: ids.slice(from, to) } }, recorded({ handoff: 'sent', ...facts }))
  const now = context.clock.now()
  await mark(0, 3, { deliveredAt: now })
  await mark(3, 4, { bouncedAt: now, bounceType: 'soft' })
  await bench.advance()
  t.equal((await bench.read()).status, 'sending', 'soft bounces do not count')
  await mark(3, 4, { bouncedAt: now, bounceType: 'hard' })
  await bench.advance()
  t.match(await bench.read(), { status: 'paused', pauseReason: { code: 'stop_rule' } })
  await bench.run()
  t.same(bench.sent, [])
  const resume = { confirmedCount: 6 }
  t.match(await resumeBroadcast(context, 'cast', resume, ANNA), {
    code: 'stop_rule_still_breached'
  })
  const off = { ...resume, stopRules: { enabled: false } }
  t.match(await resumeBroadcast(context, 'cast', off, ANNA), { ok: true })
  await bench.drain()
  t.equal(bench.sent.length, 6)
})

test('unsubscribes of mails count, whatever else became of them', async (t) => {
  const bench = await openBench(t, { contacts: people(4) })
  await bench.schedule({ stopRules: { minSample: 4, unsubscribeRatePct: 20 } })
  await bench.advance()
  const { sends } = bench.context.collections
  const now = bench.context.clock.now()
  await sends.updateMany({}, recorded({ handoff: 'sent', firstClickAt: now }))
  await sends.updateOne({}, recorded({ unsubscribedAt: now }))
  await bench.advance()
  t.match(await bench.read(), {
    status: 'paused',
    pauseReason: { message: 'Unsubscribes are 25% of 4 mails; the limit is 20%.' }
  })
})

test('a full wave whose mails bounce is stopped, and the next wave is refused', async (t) => {
  const bench = await openBench(t, { contacts: people(4) })
  const { context } = bench
  await bench.schedule({ recipientCap: 2, stopRules: { minSample: 2, hardBounceRatePct: 20 } })
  await bench.drain()
  t.match(await bench.read(), { status: 'paused', pauseReason: { code: 'cap_reached' } })
  const bounced = recorded({ bouncedAt: context.clock.now(), bounceType: 'hard' })
  await context.collections.sends.updateOne({}, bounced)
  await bench.drain()
  t.match(await bench.read(), {
    pauseReason: { code: 'stop_rule' },
    pauses: [{ code: 'cap_reached' }, {}]
  })
  const next = { recipientCap: null, confirmedCount: 2 }
  t.match(await resumeBroadcast(context, 'cast', next, ANNA), { code: 'stop_rule_still_breached' })
  t.equal(bench.sent.length, 2)
})

test('a broadcast is sent again to people who got its mail and did not open it', async (t) => {
  const bench = await openBench(t, { contacts: people(5) })
  const { context } = bench
  const again = () => resendBroadcast(context, 'cast', { slug: 'again' }, ANNA)
  t.match(await again(), { code: 'not_found' })
  await bench.schedule({ recipientCap: 3 })
  t.match(await again(), { code: 'not_started' })
  await bench.drain()
  const at = context.clock.now()
  await context.collections.sends.updateOne({}, recorded({ openedAt: at, humanOpenedAt: at }))
  t.match(await again(), { ok: true, broadcast: { status: 'draft', templateSlug: 'news' } })
  t.match(await countBroadcast(context, 'again'), { recipientCount: 2 })
})

const SPLIT: NonNullable<NewBroadcast['splitTest']> = {
  variants: [
    { name: 'a', templateSlug: 'first' },
    { name: 'b', templateSlug: 'second' }
  ],
  testPercent: 40,
  winner: 'human_opens',
  decideAfterHours: 4
}

test('a split test mails a part, waits, and mails everybody else with what people opened most', async (t) => {
  const bench = await openBench(t, { contacts: people(60) })
  const { sends } = bench.context.collections
  await bench.schedule({ splitTest: SPLIT })
  await bench.drain()
  const tested = bench.sent.length
  t.equal(tested, Math.round((60 * SPLIT.testPercent) / 100))
  t.match(await bench.read(), { status: 'sending', splitPhase: 'deciding' })
  t.ok((await sends.distinct('templateSlug')).length === 2)
  const now = bench.context.clock.now()
  await sends.updateMany({ templateSlug: 'first' }, recorded({ openedAt: now }))
  await sends.updateOne({ templateSlug: 'second' }, recorded({ humanOpenedAt: now }))
  bench.pass(4 * 3_600_000 - 60_000)
  await bench.drain()
  t.equal(bench.sent.length, tested)
  t.match(await countBroadcast(bench.context, 'cast'), { recipientCount: 60 - tested })
  bench.pass(60_000)
  await bench.drain()
  t.match(await bench.read(), { status: 'sent', winner: 'b', queuedCount: 60 })
  t.ok(bench.sent.slice(tested).every(({ subject }) => subject === 'second'))
  t.equal(new Set(bench.sent.map(({ to }) => to)).size, 60)
  t.match((await readBroadcast(bench.context, 'cast'))?.variants, [
    { name: 'a', reactions: 0 },
    { name: 'b', reactions: 1 }
  ])
})

test('a mail that the contact policy ends is left out of its broadcast, with the rule', async (t) => {
  const contacts = people(2)
  const contactPolicy = { minGapHours: 48, deferral: { maxHours: 1 } }
  const bench = await openBench(t, { contacts, config: { contactPolicy } })
  await bench.schedule()
  await bench.drain()
  const { _id } = await bench.schedule({ slug: 'second-cast' })
  await bench.drain()
  t.match(await listLeftOut(bench.context, _id), {
    rows: [
      { externalId: 'c000', reason: 'policy', detail: 'min_gap' },
      { externalId: 'c001', reason: 'policy', detail: 'min_gap' }
    ]
  })
  t.match(await bench.read('second-cast'), { status: 'sent', queuedCount: 2 })
})

test('a test send mails the contacts at once and does not count for the broadcast', async (t) => {
  const bench = await openBench(t, { contacts: people(3) })
  await createBroadcast(bench.context, DRAFT, ANNA)
  t.match(await testSend(bench.context, 'cast', ['c001', 'c002'], ANNA), {
    ok: true,
    sends: [{ externalId: 'c001', templateSlug: 'news' }, { externalId: 'c002' }]
  })
  await bench.run()
  t.equal(bench.sent.length, 2)
  t.match(await readBroadcast(bench.context, 'cast'), { stats: { total: 0 } })
  await t.rejects(testSend(bench.context, 'cast', [], ANNA), { code: 'MLR_INPUT_INVALID' })
  t.match(await testSend(bench.context, 'none', ['c001'], ANNA), { code: 'not_found' })
})

test('the list shows the newest broadcast first, page by page', async (t) => {
  const { context, pass } = await openBench(t)
  for (const slug of ['one', 'two', 'three']) {
    await createBroadcast(context, { ...DRAFT, slug }, ANNA)
    pass(1)
  }
  const { rows, nextCursor: cursor = '' } = await listBroadcasts(context, { limit: 2 })
  t.match(rows, [{ slug: 'three' }, { slug: 'two' }])
  t.match(await listBroadcasts(context, { cursor }), { rows: [{ slug: 'one' }] })
})

test('the list of recipients holds each one once, with what became of the mail', async (t) => {
  const bench = await openBench(t, { contacts: people(5) })
  const { _id } = await bench.schedule()
  await bench.drain()
  await bench.context.collections.sends.updateOne(
    { externalId: 'c002' },
    { $set: { status: 'opened' } }
  )
  const list = (more: object) => listRecipients(bench.context, _id, more)
  const ids = ({ recipients }: Recipients) => recipients.map(({ externalId }) => externalId)
  const page = await list({ limit: 3 })
  t.same(ids(page), ['c000', 'c001', 'c002'])
  t.match(page.recipients[2], { status: 'opened', templateSlug: 'news', sentAt: Date })
  const rest = await list({ after: page.nextCursor })
  t.same(ids(rest), ['c003', 'c004'])
  t.notOk(rest.nextCursor)
  t.same(ids(await list({ status: 'opened' })), ['c002'])
  const sent = await list({ status: 'sent', limit: 2 })
  const more = await list({ status: 'sent', limit: 3, after: sent.nextCursor })
  t.same([...ids(sent), ...ids(more)].sort(), ['c000', 'c001', 'c003', 'c004'])
})
