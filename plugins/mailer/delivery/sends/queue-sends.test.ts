// Queueing mails on the real engine.
import { test } from 'tap'
import { dedupeKeys, sendIdOf } from '../../ledger/send-id.ts'
import { testContext } from '../../test/test-context.ts'
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
  t.same(await queueSends(context, [mail('a'), mail('b', { lane: 'bulk' })]), { added: 2 })
  const rows = await context.collections.sends.find().sort({ lane: 1 }).toArray()
  t.match(rows, [
    { _id: sendIdOf('oneoff:b'), lane: 'bulk', status: 'queued', emailAtSend: null },
    { _id: sendIdOf('oneoff:a'), lane: 'urgent', status: 'queued', state: 'due' }
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
  t.same(await queueSends(context, sends), { added: 10_000 })
  t.ok(commands().length <= 10)
})
