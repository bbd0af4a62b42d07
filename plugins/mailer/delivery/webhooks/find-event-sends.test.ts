// The queries that find the mails of events, by their indexes.
import { test } from 'tap'
import type { WebhookEventRow } from '../../ledger/webhook-row.ts'
import { sentMail } from '../../test/sent-mail.ts'
import { testContext } from '../../test/test-context.ts'
import { findEventSends } from './find-event-sends.ts'

const event = (n: number, more: Partial<WebhookEventRow>): WebhookEventRow => ({
  _id: `e${n}`,
  provider: 'vendor',
  providerEventId: `e${n}`,
  type: 'delivered',
  providerMessageId: null,
  email: '',
  occurredAt: new Date(),
  receivedAt: new Date(),
  details: {},
  processed: false,
  ...more
})

test('a batch of any size is three queries', async (t) => {
  const { context, commands } = await testContext(t)
  const mails = Array.from({ length: 150 }, (_, n) => sentMail(`m${n}`))
  await context.collections.sends.insertMany(mails)
  const events = mails.map(({ _id, emailAtSend, providerMessageId }, n) => {
    if (n % 3 === 0) return event(n, { details: { sendId: _id } })
    if (n % 3 === 1) return event(n, { providerMessageId: providerMessageId ?? null })
    return event(n, { email: emailAtSend ?? '' })
  })
  commands()
  const found = await findEventSends(context, [...events, event(999, {})])
  t.same(commands(), ['find', 'find', 'find'])
  t.same([...found].map(([, { _id }]) => _id).sort(), mails.map(({ _id }) => _id).sort())
  t.equal(found.get('e1')?._id, mails[1]?._id)
})

test('mails are found by their indexes', async (t) => {
  const { context } = await testContext(t)
  const { sends } = context.collections
  const byMessage = await sends.find({ providerMessageId: { $in: ['a', 'b'] } }).explain()
  t.match(JSON.stringify(byMessage), /"indexName":"provider_message"/)
  const byAddress = await sends
    .find({ emailAtSend: { $in: ['a@b.test'] }, handedAt: { $lte: new Date() } })
    .sort({ handedAt: -1 })
    .explain()
  t.match(JSON.stringify(byAddress), /"indexName":"address_handed"/)
})
