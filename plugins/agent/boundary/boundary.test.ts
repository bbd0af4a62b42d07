// The boundary of test contacts, for any address and any pattern.
import fc from 'fast-check'
import { test } from 'tap'
import { adminRefusal } from './admin-boundary.ts'
import { createBoundary, testContactsPattern } from './test-contacts.ts'

const pattern = /^t\d+@example\.test$/
const boundary = createBoundary(pattern)

test('exactly the addresses that match are test contacts, however often they are asked', async (t) => {
  const flags = fc.constantFrom('', 'g', 'y', 'gy')
  const address = fc.oneof(
    fc.emailAddress(),
    fc.nat().map((n) => `t${n}@example.test`),
    fc.string()
  )
  fc.assert(
    fc.property(flags, address, (flag, email) => {
      const made = createBoundary(new RegExp(pattern.source, flag))
      const expected = pattern.test(email.trim().toLowerCase())
      const answers = [1, 2, 3].map(() => made.refusal(email) === undefined)
      return answers.every((is) => is === expected)
    })
  )
  t.pass()
})

test('without a pattern no address is a test contact', async (t) => {
  for (const none of [null, undefined, testContactsPattern('')]) {
    t.equal(createBoundary(none).refusal('t1@example.test'), 'test_contacts_not_configured')
    t.equal(createBoundary(none).isTestContact('t1@example.test'), null)
  }
  t.throws(() => testContactsPattern('('), { code: 'AGT_TEST_CONTACTS' })
})

test('a function decides with true alone', async (t) => {
  const made = createBoundary((email) => (email === 'a@b.test' ? true : ('yes' as never)))
  t.equal(made.refusal('A@b.test '), undefined)
  t.equal(made.refusal('c@b.test'), 'not_a_test_contact')
})

test('a test mail through the admin API goes to test contacts alone, whatever its body is', async (t) => {
  const route = '/templates/:slug/send-test'
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.record({ to: fc.anything() })), (body) => {
      const to = (body as { to?: unknown } | null | undefined)?.to
      const isTest = typeof to === 'string' && pattern.test(to.trim().toLowerCase())
      return (adminRefusal({ method: 'POST', route, body }, boundary) === undefined) === isTest
    })
  )
  t.pass()
})

test('reading passes; what reaches other people or removes a suppression does not', async (t) => {
  const refusal = (method: string, route: string) =>
    adminRefusal({ method, route, body: {} }, boundary)
  t.equal(refusal('GET', '/broadcasts'), undefined)
  t.equal(refusal('POST', '/suppressions'), undefined)
  t.equal(refusal('POST', '/broadcasts/:slug/pause'), undefined)
  t.equal(refusal('DELETE', '/suppressions/:id'), 'suppression_removal_not_allowed')
  t.equal(refusal('POST', '/broadcasts/:slug/schedule'), 'use_the_agent_route')
  t.equal(refusal('POST', '/broadcasts'), 'use_the_agent_route')
  t.equal(refusal('POST', '/runs/:id/skip'), 'use_the_agent_route')
  t.equal(refusal('POST', '/sends/:id/resend'), 'use_the_agent_route')
  t.equal(refusal('POST', '/runs/:id/stop'), undefined)
  const resolve = (verdict: string) =>
    adminRefusal({ method: 'POST', route: '/sends/:id/resolve', body: { verdict } }, boundary)
  t.equal(resolve('sent'), undefined)
  t.equal(resolve('resend'), 'use_the_agent_route')
})
