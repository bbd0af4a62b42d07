// Arming and gating by the admin API, and templates that are put as a whole.
import { systemActor } from '@keelson/sdk'
import { test } from 'tap'
import { createOperations } from '../host/call-operations.ts'
import { createTestMailer } from '../testing/create-test-mailer.ts'

async function admin(t: { teardown(end: () => Promise<void>): void }) {
  const { mailer, stop } = await createTestMailer({
    seedContacts: [{ externalId: 'c1', email: 'c1@example.test', tags: [], fields: {} }]
  })
  t.teardown(() => stop())
  const host = { context: mailer.getRunnerContext(), events: mailer.events }
  const acting = createOperations(host, () => true).as(systemActor('test'))
  const body = {
    name: 'News',
    kind: 'marketing' as const,
    subject: 'News',
    fromName: 'Acme',
    fromEmail: 'a@example.test',
    body: { html: '<p>News <a href="{{unsubscribeUrl}}">Leave</a></p>' }
  }
  const put = () => acting.call('mailer.templates.put', { params: { slug: 'news' }, body })
  return { mailer, acting, put }
}

test('a template that is put is made, and then replaced', async (t) => {
  const { put } = await admin(t)
  t.match(await put(), { ok: true, answer: { created: true, template: { version: 1 } } })
  const again = await put()
  t.match(again, { ok: true, answer: { created: false, template: { slug: 'news' } } })
  t.notOk(again.ok && 'body' in again.answer.template)
})

test('a flow is gated and ungated, and armed from a moment on', async (t) => {
  const { acting, put } = await admin(t)
  await put()
  const params = { slug: 'welcome' }
  const trigger = { type: 'event', eventName: 'signed_up', once: true } as const
  await acting.call('mailer.flows.create', { body: { slug: 'welcome', name: 'Welcome', trigger } })
  const gate = { params, body: { tag: 'canary' } }
  t.match(await acting.call('mailer.flows.gate', gate), { ok: false, code: 'no_live_steps' })
  const steps = [{ type: 'send', templateSlug: 'news' }]
  await acting.call('mailer.flows.changeDraft', { params, body: { steps } })
  await acting.call('mailer.flows.publish', { params, body: { enable: false } })
  t.match(await acting.call('mailer.flows.gate', gate), { answer: { version: 2, of: 1 } })
  t.match(await acting.call('mailer.flows.gate', gate), { ok: false, code: 'already_gated' })
  t.match(await acting.call('mailer.flows.ungate', { params }), { answer: { version: 3, of: 1 } })
  t.match(await acting.call('mailer.flows.arm', { params, body: {} }), {
    ok: true,
    answer: { alreadyEnabled: false, eventName: 'signed_up', version: 3 }
  })
  t.match(await acting.call('mailer.flows.read', { params }), { answer: { enabled: true } })
})

test('a test of a broadcast is queued for its contacts, once for one call', async (t) => {
  const { acting, put, mailer } = await admin(t)
  await put()
  const segmentDefinition = { filters: [] }
  const draft = { slug: 'spring', name: 'Spring', templateSlug: 'news', segmentDefinition }
  await acting.call('mailer.broadcasts.create', { body: draft })
  const input = { params: { slug: 'spring' }, body: { contactIds: ['c1'] } }
  const send = () => acting.call('mailer.broadcasts.sendTest', input, { callKey: 'call-1' })
  const first = await send()
  t.match(first, {
    answer: { broadcast: { slug: 'spring' }, sends: [{ externalId: 'c1', templateSlug: 'news' }] }
  })
  t.same(await send(), first)
  t.equal(await mailer.collections.sends.countDocuments(), 1)
})
