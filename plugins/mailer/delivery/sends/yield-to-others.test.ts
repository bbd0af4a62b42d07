// Two processes hand over mails to one contact at the same time: the contact policy lets one of them go.
import { type Test, test } from 'tap'
import { createSendHandler } from '../../campaigns/send-handler.ts'
import type { MailerConfig } from '../../ledger/schema.ts'
import { newSend, recordingSends } from '../../test/recording-sends.ts'
import { contextOn } from '../../test/test-context.ts'
import { queueSends } from './queue-sends.ts'

const HOUR = 3_600_000
const news = { kind: 'marketing', templateSlug: 'news' } as const

/** Lets the first `count` through when all of them have arrived, and later ones at once. */
function barrier(count: number): () => Promise<void> {
  let arrived = 0
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    arrived += 1
    if (arrived >= count) open()
    return opened
  }
}

/** Two processes on one database. Both judge the policy before either records an attempt. */
async function twoProcesses(t: Test, contactPolicy: NonNullable<MailerConfig['contactPolicy']>) {
  const meet = barrier(2)
  const resolve = async () => {
    await meet()
    return {}
  }
  const config: Partial<MailerConfig> = { contactPolicy, varsAdapter: { schema: {}, resolve } }
  const first = await recordingSends(t, { config })
  const { context } = first
  const second = contextOn(first, {
    config,
    adapter: context.adapter,
    templates: context.templates,
    providers: Object.fromEntries(context.providers),
    handlers: (made) => ({ bulkSends: createSendHandler(made) })
  })
  return {
    ...first,
    run: () => Promise.all([first.queues.urgentSends.runDue(), second.queues.bulkSends.runDue()]),
    pass(ms: number) {
      first.pass(ms)
      second.pass(ms)
    }
  }
}

for (const [name, policy] of [
  ['gap', { minGapHours: 24 }],
  ['cap', { maxPerRollingDays: { days: 1, count: 1 } }]
] as const) {
  test(`a ${name} holds between processes: one of two mails goes, the other waits`, async (t) => {
    const opened = await twoProcesses(t, policy)
    const { sends } = opened.context.collections
    await queueSends(opened.context, [
      newSend('c1', { ...news, dedupeKey: 'first', lane: 'urgent' }),
      newSend('c1', { ...news, dedupeKey: 'second', lane: 'bulk' })
    ])
    await opened.run()
    t.ok(opened.sent.length <= 1, 'never both')
    const [waiting] = await sends.find({ status: 'deferred' }).toArray()
    t.match(waiting, { handedAt: undefined, attempt: undefined, firstAttemptAt: undefined })
    opened.pass(3_000)
    await opened.run()
    opened.pass(9_000)
    await opened.run()
    t.equal(opened.sent.length, 1)
    t.equal(await sends.countDocuments({ status: 'sent' }), 1)
    t.equal(await sends.countDocuments({ status: 'deferred' }), 1)
    opened.pass(24 * HOUR)
    await opened.run()
    t.equal(opened.sent.length, 2)
  })
}

test('mails that the policy allows together both go', async (t) => {
  const opened = await twoProcesses(t, { maxPerRollingDays: { days: 1, count: 2 } })
  await queueSends(opened.context, [
    newSend('c1', { ...news, dedupeKey: 'first', lane: 'urgent' }),
    newSend('c1', { ...news, dedupeKey: 'second', lane: 'bulk' })
  ])
  await opened.run()
  t.equal(opened.sent.length, 2)
})
