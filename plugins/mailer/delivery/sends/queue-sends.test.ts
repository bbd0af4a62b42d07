// Queueing mails on the real engine.
import { test } from 'tap'
import { dedupeKeys, sendIdOf } from '../../ledger/send-id.ts'
import { sentMail } from '../../test/sent-mail.ts'
import { TEST_SECRET, testContext } from '../../test/test-context.ts'
import { type NewSend, queueSends } from './queue-sends.ts'

const mail = (key: string, more: Partial<NewSend> = {}): NewSend => ({
  dedupeKey: dedupeKeys.oneOff(key),
  lane: 'urgent',
  externalId: 'c1',
  kind: 'transactional',
  templateSlug: 'welcome',
  ...more
})

test('a mail is one row, whose id follows from its key', async (t) => {
  const { context } = await testContext(t)
  t.match(await queueSends(context, [mail('a'), mail('b', { lane: 'bulk' })]), { added: 2 })
  const rows = await context.collections.sends.find().sort({ lane: 1 }).toArray()
  t.match(rows, [
    { _id: sendIdOf(TEST_SECRET, 'oneoff:b'), lane: 'bulk', status: 'queued', emailAtSend: null },
    { _id: sendIdOf(TEST_SECRET, 'oneoff:a'), lane: 'urgent', status: 'queued', state: 'due' }
  ])
})

test('the same key in parallel is one row', async (t) => {
  const { context } = await testContext(t)
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => queueSends(context, [mail('same')]))
  )
  t.equal(
    answers.reduce((sum, { added }) => sum + added, 0),
    1
  )
  t.equal(await context.collections.sends.countDocuments(), 1)
})

test('a mail of a transaction that is rolled back is not queued', async (t) => {
  const { context } = await testContext(t)
  await t.rejects(
    context.withTransaction(async (session) => {
      await queueSends(context, [mail('undone')], { session })
      throw new Error('roll back')
    }),
    /roll back/
  )
  t.equal(await context.collections.sends.countDocuments(), 0)
})

test('ten thousand mails are queued in ten commands', async (t) => {
  const { context, commands } = await testContext(t)
  const sends = Array.from({ length: 10_000 }, (_, at) => mail(`m${at}`, { lane: 'bulk' }))
  commands()
  t.match(await queueSends(context, sends), { added: 10_000 })
  t.ok(commands().length <= 10)
})

/** A row as it was written before ids had a secret, or under another one. */
const earlier = (key: string) => sentMail(key, { _id: 'e'.repeat(24), dedupeKey: `oneoff:${key}` })

test('a mail that was queued under another id is the same mail by its key', async (t) => {
  const { context } = await testContext(t)
  const { sends } = context.collections
  await sends.insertOne(earlier('a'))
  const mails = [mail('a'), mail('b')]
  const ids = new Map([
    ['oneoff:a', 'e'.repeat(24)],
    ['oneoff:b', sendIdOf(TEST_SECRET, 'oneoff:b')]
  ])
  t.same(await queueSends(context, mails), { added: 1, ids })
  const again = await context.withTransaction((session) => queueSends(context, mails, { session }))
  t.same(again, { added: 0, ids })
  t.equal(await sends.countDocuments(), 2)
})

test('the query for the ids of mails by their keys reads an index', async (t) => {
  const { context } = await testContext(t)
  const { sends } = context.collections
  await sends.insertOne(earlier('a'))
  const plan = await sends.find({ dedupeKey: { $in: ['oneoff:a'] } }).explain('queryPlanner')
  t.match(JSON.stringify(plan), /"dedupe_key"/)
})
