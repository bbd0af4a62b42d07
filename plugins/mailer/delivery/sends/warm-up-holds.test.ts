// The warm-up of a sender domain at the dispatch: what leaves today, what waits, and over how many processes.
import { type Test, test } from 'tap'
import { createSendHandler } from '../../campaigns/send-handler.ts'
import { newSend, recordingSends } from '../../test/recording-sends.ts'
import { contextOn } from '../../test/test-context.ts'
import { queueSends } from './queue-sends.ts'

const HOUR = 3_600_000
const news = { kind: 'marketing', templateSlug: 'news' } as const
const schedule = { startsOn: '2036-11-02', startPerDay: 48, growth: 1, capPerDay: 48 }
const config = { warmUp: { gmail: schedule } }
const contacts = Array.from({ length: 60 }, (_, at) => {
  const domain = at < 50 ? 'gmail.com' : 'example.test'
  return { externalId: `c${at}`, email: `c${at}@${domain}`, tags: [], fields: {} }
})

/** At 00:10 on the first day: 2 of 48 mails may have left. */
const open = (t: Test, now = '2036-11-02T00:10:00Z') =>
  recordingSends(t, { config, contacts, now: new Date(now) })

const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => newSend(`c${from + at}`, news))

test('mail over the allowance waits and names the warm-up; mail to other providers leaves', async (t) => {
  const opened = await open(t)
  await queueSends(opened.context, [...range(0, 5), ...range(50, 53)])
  await opened.run()
  t.equal(opened.sent.filter(({ to }) => to.endsWith('@gmail.com')).length, 2)
  t.equal(opened.sent.filter(({ to }) => to.endsWith('@example.test')).length, 3)
  const waiting = await opened.context.collections.sends.find({ status: 'deferred' }).toArray()
  t.equal(waiting.length, 3)
  t.match(waiting[0], {
    dueAt: new Date('2036-11-02T01:00:00Z'),
    hold: { cause: 'warm_up', message: /warm-up of acme\.test.*gmail/ }
  })
  opened.pass(HOUR)
  await opened.run()
  t.equal(opened.sent.length, 7)
})

test('what a full day holds leaves on the next', async (t) => {
  const opened = await open(t, '2036-11-02T23:10:00Z')
  await queueSends(opened.context, range(0, 50))
  await opened.run()
  t.equal(opened.sent.length, 48)
  const [waiting] = await opened.context.collections.sends.find({ status: 'deferred' }).toArray()
  t.same(waiting?.dueAt, new Date('2036-11-03T00:00:00Z'))
  opened.pass(HOUR)
  await opened.run()
  t.equal(opened.sent.length, 50)
})

test('nothing but transactional mail leaves before the first day, and that counts', async (t) => {
  const opened = await open(t, '2036-11-01T23:30:00Z')
  await queueSends(opened.context, [newSend('c1'), newSend('c2', news)])
  await opened.run()
  t.same(
    opened.sent.map(({ to }) => to),
    ['c1@gmail.com']
  )
  opened.pass(HOUR)
  await queueSends(opened.context, [newSend('c3'), newSend('c4')])
  await opened.queues.urgentSends.runDue()
  t.equal(opened.sent.length, 3, 'both, which is all that the first hour allows')
  t.match(await opened.rowOf('c2'), { status: 'deferred', hold: { cause: 'warm_up' } })
  opened.pass(HOUR)
  await opened.run()
  t.match(await opened.rowOf('c2'), { status: 'sent' })
})

test('two processes share the count of a day', async (t) => {
  const first = await open(t)
  const { context } = first
  const second = contextOn(first, {
    config,
    now: new Date('2036-11-02T00:10:00Z'),
    adapter: context.adapter,
    templates: context.templates,
    providers: Object.fromEntries(context.providers),
    handlers: (made) => ({ bulkSends: createSendHandler(made) })
  })
  await queueSends(context, [
    ...range(0, 10),
    ...range(10, 20).map((send) => ({ ...send, lane: 'bulk' as const }))
  ])
  await Promise.all([first.queues.urgentSends.runDue(), second.queues.bulkSends.runDue()])
  t.equal(first.sent.length, 2)
  t.match(await context.collections.warmUp.find().toArray(), [
    { _id: 'acme.test gmail 2036-11-02', sent: 2 }
  ])
})
