// The boundary of test contacts, for any address and any pattern.

import type { Effect } from '@keelson/sdk'
import fc from 'fast-check'
import { test } from 'tap'
import { type CallOwner, callRefusal } from './judge-call.ts'
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

const writer = { actor: 'agent:a', scopes: ['mail:read', 'mail:write'] } as const

/** A call of the admin API by a token with both scopes. */
function judged(
  method: string,
  route: string,
  {
    effect = 'change' as Effect,
    body = {} as unknown,
    owner = 'mailer' as CallOwner,
    isOpen = false
  } = {}
) {
  const call = { owner, method, route, path: `/api${route}`, effect, body, isOpen }
  return callRefusal(writer, call, boundary)
}

test('a test mail through the admin API goes to test contacts alone, whatever its body is', async (t) => {
  const route = '/templates/:slug/send-test'
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.record({ to: fc.anything() })), (body) => {
      const to = (body as { to?: unknown } | null | undefined)?.to
      const isTest = typeof to === 'string' && pattern.test(to.trim().toLowerCase())
      return (judged('POST', route, { effect: 'send', body }) === undefined) === isTest
    })
  )
  t.pass()
})

test('a token reads, changes and stops; it lifts no stop and mails none but test contacts', async (t) => {
  const refusal = (effect: Effect) => judged('POST', '/things/:id/do', { effect })
  for (const effect of ['read', 'change', 'stop'] as const) t.equal(refusal(effect), undefined)
  t.equal(refusal('release'), 'use_the_agent_route')
  t.equal(refusal('send'), 'use_the_agent_route')
  const removal = judged('DELETE', '/suppressions/:id', { effect: 'release' })
  t.equal(removal, 'suppression_removal_not_allowed')
})

test('what a call does may depend on its body', async (t) => {
  const publish = (body: unknown) =>
    judged('POST', '/flows/:slug/publish', { effect: 'release', body })
  t.equal(publish({ enable: false }), undefined)
  for (const body of [{}, { enable: true }, { enable: 0 }, null, undefined, 'x']) {
    t.equal(publish(body), 'use_the_agent_route', JSON.stringify(body))
  }
  const resolve = (verdict: unknown) =>
    judged('POST', '/sends/:id/resolve', { effect: 'release', body: { verdict } })
  t.equal(resolve('sent'), undefined)
  t.equal(resolve('resend'), 'use_the_agent_route')
})

test('operations of other plugins are closed to tokens until they say otherwise', async (t) => {
  const other = { owner: 'other', effect: 'read' } as const
  t.equal(judged('GET', '/notes', other), 'not_open_to_agents')
  t.equal(judged('GET', '/notes', { ...other, isOpen: true }), undefined)
  const release = { ...other, effect: 'release' } as const
  t.equal(judged('POST', '/health/resume', release), 'not_open_to_agents')
  t.equal(judged('POST', '/health/resume', { ...release, isOpen: true }), 'use_the_agent_route')
})

test('a scope that a token lacks refuses, also one that agent tokens never have', async (t) => {
  const call = { owner: 'other', isOpen: true, method: 'GET', route: '/x', path: '/x' } as const
  const reader = { actor: 'agent:r', scopes: ['mail:read'] } as const
  const asked = (effect: Effect, scopes?: readonly string[]) =>
    callRefusal(reader, { ...call, effect, scopes }, boundary)
  t.equal(asked('read'), undefined)
  t.equal(asked('change'), 'insufficient_scope')
  t.equal(asked('read', ['notes:read']), 'insufficient_scope')
})

test('contacts are changed by the routes of the agent API, for test contacts alone', async (t) => {
  for (const effect of ['change', 'stop', 'send'] as const) {
    t.equal(judged('POST', '/contacts/:id/unsubscribe', { effect }), 'use_the_agent_route')
  }
  t.equal(judged('GET', '/contacts/:id', { effect: 'read' }), undefined)
})

test('mail to a service or to the operators does not count as mail to contacts', async (t) => {
  const other = { owner: 'other', effect: 'send', isOpen: true } as const
  t.equal(judged('POST', '/templates/:slug/content-scorer-check', other), undefined)
  t.equal(judged('POST', '/shop/mail', other), 'use_the_agent_route')
})
