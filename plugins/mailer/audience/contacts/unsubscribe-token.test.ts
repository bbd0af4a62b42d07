// Tokens of links in mails: genuine ones say what was signed, all others say nothing.
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'tap'
import {
  readConfirmation,
  readUnsubscribe,
  signConfirmation,
  signUnsubscribe
} from './unsubscribe-token.ts'

const secret = 'a secret of some length'
const now = new Date('2026-02-01T00:00:00Z')
const later = new Date('2026-03-01T00:00:00Z')
const sorted = (value: object) =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => a.localeCompare(b)))

const request = fc.record(
  {
    email: fc.string({ minLength: 1, maxLength: 320 }),
    scope: fc.constantFrom('all', 'marketing', 'transactional'),
    category: fc.string({ minLength: 1, maxLength: 64 }),
    sendId: fc.string({ minLength: 1, maxLength: 24 })
  },
  { requiredKeys: ['email', 'scope'] }
)

test('a token says what was signed', async (t) => {
  fc.assert(
    fc.property(request, (asked) => {
      const read = readUnsubscribe(signUnsubscribe(asked as never, later, secret), secret, now)
      return JSON.stringify(read && sorted(read)) === JSON.stringify(sorted(asked))
    })
  )
  t.pass()
})

test('a token made by the documented rule alone is accepted', async (t) => {
  const json = JSON.stringify({ e: 'a@b.test', s: 'marketing', x: later.getTime() })
  const mac = createHmac('sha256', secret).update(json).digest('base64url')
  const token = `${Buffer.from(json).toString('base64url')}.${mac}`
  t.same(readUnsubscribe(token, secret, now), { email: 'a@b.test', scope: 'marketing' })
})

test('one changed character makes a token worthless', async (t) => {
  const token = signUnsubscribe({ email: 'a@b.test', scope: 'all' }, later, secret)
  fc.assert(
    fc.property(
      fc.nat({ max: token.length - 1 }),
      fc.constantFrom('A', 'b', '-', '.'),
      (at, char) => {
        const changed = token.slice(0, at) + char + token.slice(at + 1)
        const read = readUnsubscribe(changed, secret, now)
        // The last character of base64url may hold bits that do not count.
        return changed === token || read === undefined || at === token.length - 1
      }
    )
  )
  t.pass()
})

test('a token of another secret, an expired one and noise are refused', async (t) => {
  const asked = { email: 'a@b.test', scope: 'all' } as const
  const foreign = signUnsubscribe(asked, later, 'another secret altogether')
  const expired = signUnsubscribe(asked, now, secret)
  for (const token of [foreign, '', 'x', 'a.b', 'a.b.c', '.', 'x'.repeat(5000)]) {
    t.equal(readUnsubscribe(token, secret, now), undefined, token.slice(0, 20))
  }
  t.equal(readUnsubscribe(expired, secret, new Date(now.getTime() + 1)), undefined)
})

test('a confirmation token never unsubscribes, and the other way round', async (t) => {
  const confirmation = signConfirmation('contact-1', later, secret)
  t.equal(readConfirmation(confirmation, secret, now), 'contact-1')
  t.equal(readUnsubscribe(confirmation, secret, now), undefined)
  const unsubscribe = signUnsubscribe({ email: 'a@b.test', scope: 'all' }, later, secret)
  t.equal(readConfirmation(unsubscribe, secret, now), undefined)
})
