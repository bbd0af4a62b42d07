// mailer.operations/v1: the same input, rights, refusals and audit rows as over HTTP.
import { type Actor, systemActor } from '@keelson/sdk'
import { test } from 'tap'
import { createTestMailer } from '../testing/create-test-mailer.ts'
import { createOperations, type PermitsActor } from './call-operations.ts'

const ada: Actor = {
  tenantId: 'acme',
  viewerRef: 'user:ada',
  role: 'admin',
  name: 'human:ada',
  via: 'session',
  ip: '192.0.2.1'
}

async function operationsOf(t: { teardown(end: () => Promise<void>): void }, rule: Rule = {}) {
  const { mailer, stop } = await createTestMailer()
  t.teardown(() => stop())
  const { admits = async () => true, permits = () => true } = rule
  const context = { ...mailer.getRunnerContext(), admits }
  return { mailer, operations: createOperations({ context, events: mailer.events }, permits) }
}

interface Rule {
  readonly admits?: (actor: Actor) => Promise<boolean>
  readonly permits?: PermitsActor
}

test('a call answers what the schema names, and is audited under the name of the actor', async (t) => {
  const { mailer, operations } = await operationsOf(t)
  const acting = operations.as(ada)
  const body = { slug: 'welcome', name: 'Welcome', kind: 'marketing' } as const
  t.match(await acting.call('mailer.templates.create', { body }), {
    ok: true,
    answer: { slug: 'welcome', version: 0, createdAt: /^\d{4}-/ }
  })
  t.match(await mailer.collections.auditLog.find({ action: 'template.create' }).toArray(), [
    { actor: 'human:ada', ip: '192.0.2.1' }
  ])
  const listed = await acting.call('mailer.templates.list', { query: { limit: 1 } })
  t.equal(listed.ok && listed.answer[0]?.slug, 'welcome')
})

test('a refusal is a value, with the words of the operation', async (t) => {
  const { operations } = await operationsOf(t)
  const acting = operations.as(systemActor('shop'))
  t.match(await acting.call('mailer.flows.pause', { params: { slug: 'nowhere' } }), {
    ok: false,
    code: 'not_found'
  })
  t.match(await acting.call('mailer.flows.pause', { params: { slug: 'No Slug' } }), {
    ok: false,
    code: 'bad_id'
  })
  const body = { slug: 'a', name: 'A', kind: 'letter' as 'marketing' }
  t.match(await acting.call('mailer.templates.create', { body }), {
    ok: false,
    code: 'validation_failed',
    fields: [{ path: 'kind' }]
  })
})

test('who may not use mail, or lacks the permission, is refused before anything is read', async (t) => {
  const closed = await operationsOf(t, { admits: async () => false })
  t.match(await closed.operations.as(ada).call('mailer.templates.list', {}), {
    ok: false,
    code: 'forbidden'
  })
  const { operations } = await operationsOf(t, { permits: (_, name) => name !== 'mailer.publish' })
  const params = { slug: 'nowhere' }
  t.match(await operations.as(ada).call('mailer.flows.pause', { params }), { code: 'forbidden' })
  t.match(await operations.as(ada).call('mailer.flows.read', { params }), { code: 'not_found' })
})

test('a revision that is not the newest one is refused', async (t) => {
  const { operations } = await operationsOf(t)
  const acting = operations.as(ada)
  await acting.call('mailer.templates.create', {
    body: { slug: 'welcome', name: 'Welcome', kind: 'marketing' }
  })
  const change = { params: { slug: 'welcome' }, body: { subject: 'Hello' } }
  t.match(await acting.call('mailer.templates.changeDraft', change, { ifRevision: 7 }), {
    ok: false,
    code: 'draft_conflict'
  })
})

test('every operation is in the list of those who offer them elsewhere', async (t) => {
  const { operations } = await operationsOf(t)
  t.ok(operations.own.length > 90)
  t.ok(operations.own.every(({ operation: { id } }) => id.startsWith('mailer.')))
  t.same(
    operations.files.map(({ path }) => path),
    ['/suppressions/export', '/contact-list/export']
  )
  t.ok(operations.errors['MLR_ACTOR_FORBIDDEN'])
})
