// Events of providers as rows: what is kept of them, and what a drop means.
import fc from 'fast-check'
import { test } from 'tap'
import { type DropMeaning, meaningOfDrop } from './dropped-reason.ts'
import { readEvents, unreadableRow } from './read-events.ts'

const receivedAt = new Date('2026-03-01T10:00:00Z')
const source = { provider: 'sendgrid', receivedAt }
const event = {
  type: 'bounce',
  providerEventId: 'e1',
  providerMessageId: 'm1',
  email: ' Ann@Example.test ',
  occurredAt: new Date('2026-03-01T09:00:00Z'),
  details: { bounceType: 'hard', reason: 'no such user', code: 550, other: { big: 'x' } }
}

test('an event is a row with the details that are known', async (t) => {
  const [row] = readEvents([event], source)
  t.match(row, {
    _id: /^[0-9a-f]{32}$/,
    provider: 'sendgrid',
    providerEventId: 'e1',
    email: 'ann@example.test',
    processed: false
  })
  const judged = { bounceType: 'hard', class: 'mailbox' } as const
  t.strictSame(row?.details, { reason: 'no such user', code: 550, ...judged })
})

test('a row names its mail at once when the event carries the id of the send', async (t) => {
  const sendId = 'a'.repeat(24)
  const [row] = readEvents([{ ...event, details: { sendId } }], source)
  t.equal(row?.sendId, sendId)
  t.equal(readEvents([event], source)[0]?.sendId, undefined)
})

test('the id of a row follows from provider and event alone', async (t) => {
  const idOf = (given: object, from = source) => readEvents([{ ...event, ...given }], from)[0]?._id
  t.equal(idOf({}), idOf({ type: 'open', email: 'b@example.test' }))
  t.not(idOf({}), idOf({ providerEventId: 'e2' }))
  t.not(idOf({}), idOf({}, { ...source, provider: 'other' }))
})

test('unusable events are left out, and their neighbours stay', async (t) => {
  const unusable = [
    null,
    7,
    'x',
    {},
    { ...event, type: 'no-such-event' },
    { ...event, type: '__proto__' },
    { ...event, providerEventId: undefined },
    { ...event, providerEventId: 'x'.repeat(600) },
    { ...event, occurredAt: new Date(Number.NaN) },
    { ...event, occurredAt: '2026-03-01' }
  ]
  t.equal(readEvents([event, ...unusable, event], source).length, 2)
  for (const payload of [null, {}, 'x', 7]) t.same(readEvents(payload, source), [])
})

test('texts are cut, times are never in the future, and odd addresses are left out', async (t) => {
  const details = {
    userAgent: 'a'.repeat(900),
    url: `https://x.test/${'b'.repeat(9000)}`,
    sendId: 5
  }
  const occurredAt = new Date('2030-01-01T00:00:00Z')
  const [row] = readEvents([{ ...event, email: { a: 1 }, occurredAt, details }], source)
  t.equal(row?.email, '')
  t.same(row?.occurredAt, receivedAt)
  t.equal(row?.details.userAgent?.length, 256)
  t.equal(row?.details.url?.length, 2048)
  t.equal(row?.details.sendId, undefined)
})

test('any payload is read without an error', async (_t) => {
  fc.assert(fc.property(fc.anything(), (payload) => Array.isArray(readEvents([payload], source))))
})

test('a request that cannot be read is kept with a bounded copy of its body', async (t) => {
  const row = unreadableRow(Buffer.alloc(4_000_000, 'x'), source)
  t.equal(row.type, 'unreadable')
  t.equal(String(row.details['raw']).length, 1_000_000)
  t.equal(unreadableRow(Buffer.from('a'), source)._id, unreadableRow(Buffer.from('a'), source)._id)
})

const reasons: readonly (readonly [string | undefined, DropMeaning])[] = [
  ['Bounced Address', 'hard_bounce'],
  ['Invalid', 'hard_bounce'],
  ['Invalid recipient', 'hard_bounce'],
  ['suppress-bounce: Not delivering to previously bounced address', 'hard_bounce'],
  ['Spam Reporting Address', 'complaint'],
  ['suppress-complaint', 'complaint'],
  ['Unsubscribed Address', 'unsubscribed'],
  ['suppress-unsubscribe', 'unsubscribed'],
  ['The address is on the account-level suppression list', 'hard_bounce'],
  ['OnAccountSuppressionList', 'hard_bounce'],
  ['Spam Content', 'none'],
  ['Invalid SMTPAPI header', 'none'],
  ['Recipient List over Package Quota', 'none'],
  ['Bad content', 'none'],
  ['', 'none'],
  [undefined, 'none']
]
for (const [reason, meaning] of reasons) {
  test(`a drop for "${reason}" means ${meaning}`, async (t) => {
    t.equal(meaningOfDrop(reason), meaning)
  })
}
