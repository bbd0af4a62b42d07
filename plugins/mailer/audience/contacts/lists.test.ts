// Lists for operators: contacts, suppressions, the audit log.

import type { NewestPage } from '@keelson/sdk'
import { test } from 'tap'
import { audit } from '../../ledger/audit/audit.ts'
import { type AuditFilter, listAudit } from '../../ledger/audit/list-audit.ts'
import { testContext } from '../../test/test-context.ts'
import { listContacts } from './list-contacts.ts'
import { listSuppressions, type SuppressionFilter } from './list-suppressions.ts'
import { createMemoryAdapter } from './memory-adapter.ts'
import { suppress } from './record-suppressions.ts'
import { tag } from './tags.ts'

const contacts = ['ann', 'bob', 'eve'].map((externalId) => ({
  externalId,
  email: `${externalId}@example.test`,
  tags: [],
  fields: {}
}))

test('contacts come in pages with their tags, at most 200', async (t) => {
  const adapter = createMemoryAdapter(contacts, { writableTags: false })
  const { context } = await testContext(t, { adapter })
  await tag(context, 'bob', 'vip')
  const first = await listContacts(context, { limit: 2 })
  t.match(first.contacts, [
    { externalId: 'ann', tags: [] },
    { externalId: 'bob', tags: ['vip'] }
  ])
  const second = await listContacts(context, { limit: 2, cursor: first.nextCursor ?? '' })
  t.same(
    second.contacts.map(({ externalId }) => externalId),
    ['eve']
  )
  t.notOk('nextCursor' in second)
  const limits: (number | undefined)[] = []
  const query: typeof adapter.query = (filter, options) => {
    limits.push(options?.limit)
    return adapter.query(filter, options)
  }
  await listContacts({ ...context, adapter: { ...adapter, query } }, { limit: 100_000 })
  t.same(limits, [200])
})

test('a search finds a contact by its whole id or address, and each once', async (t) => {
  const twin = { externalId: 'eve@example.test', email: 'other@example.test', tags: [], fields: {} }
  const { context } = await testContext(t, { contacts: [...contacts, twin] })
  const found = async (search: string) =>
    (await listContacts(context, { search })).contacts.map(({ externalId }) => externalId)
  t.same(await found(' ann '), ['ann'])
  t.same(await found('BOB@example.test'), ['bob'])
  t.same(await found('eve@example.test'), ['eve@example.test', 'eve'])
  t.same(await found('nothing like this'), [])
})

test('a search finds contacts by how an address or name begins, whole matches first, page by page', async (t) => {
  const named = contacts.map((one, at) => ({ ...one, fields: { firstName: `Person ${at}` } }))
  const twin = { externalId: 'person', email: 'zoe@example.test', tags: [], fields: {} }
  const { context } = await testContext(t, { contacts: [...named, twin] })
  const page = async (search: string, more: object = {}) => {
    const { contacts, nextCursor } = await listContacts(context, { search, ...more })
    return { ids: contacts.map(({ externalId }) => externalId), nextCursor }
  }
  t.same((await page('BO')).ids, ['bob'])
  const first = await page('person', { limit: 2 })
  t.same(first.ids, ['person', 'ann', 'bob'])
  t.same(await page('person', { limit: 2, cursor: first.nextCursor }), {
    ids: ['eve'],
    nextCursor: undefined
  })
  const { search: _none, ...plain } = context.adapter
  const without = { ...context, adapter: plain }
  t.same((await listContacts(without, { search: 'person' })).contacts.length, 1)
})

test('suppressions are listed newest first, and filtered', async (t) => {
  const { context, pass } = await testContext(t)
  const add = async (
    email: string,
    scope: 'all' | 'marketing',
    reason: 'manual' | 'gdpr_forget'
  ) => {
    await suppress(context, email, { scope, reason })
    pass(1000)
  }
  await add('a@example.test', 'all', 'manual')
  await add('b@example.test', 'marketing', 'manual')
  await add('c@example.test', 'all', 'gdpr_forget')
  const emails = async (filter: SuppressionFilter & NewestPage) =>
    (await listSuppressions(context, filter)).rows.map(({ email }) => email)
  t.same(await emails({}), [null, 'b@example.test', 'a@example.test'])
  t.same(await emails({ email: 'A@example.test' }), ['a@example.test'])
  t.same(await emails({ email: 'c@example.test' }), [null])
  t.same(await emails({ scope: 'all', reason: 'manual' }), ['a@example.test'])
  const first = await listSuppressions(context, { limit: 2 })
  await add('d@example.test', 'all', 'manual')
  t.same(await emails({ limit: 2, cursor: first.nextCursor ?? '' }), ['a@example.test'])
})

test('rows of the same time are in one page each, whatever its length', async (t) => {
  const { context } = await testContext(t)
  const addedAt = context.clock.now()
  const rows = Array.from({ length: 7 }, (_, at) => ({
    _id: `row.${at}`,
    email: `${at}@example.test`,
    emailHash: String(at),
    scope: 'all' as const,
    reason: 'manual' as const,
    addedAt,
    expiresAt: null
  }))
  await context.collections.suppressions.insertMany(rows)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await listSuppressions(context, { limit: 3, ...(cursor && { cursor }) })
    seen.push(...page.rows.map(({ _id }) => _id))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  t.same(seen, rows.map(({ _id }) => _id).reverse())
  await t.rejects(listSuppressions(context, { cursor: 'x' }), { name: 'InvalidInput' })
})

test('the audit log is listed newest first, by actor, action, slug or id', async (t) => {
  const { context, pass } = await testContext(t)
  const add = async (actor: string, action: string, resource: object) => {
    await audit(context, { actor, action, resource: { collection: 'mailer_flows', ...resource } })
    pass(1000)
  }
  await add('human:a@example.test', 'flow.pause', { slug: 'welcome', id: 'f1' })
  await add('system:health', 'health.trip', { id: 'welcome' })
  await add('system:health', 'flow.pause', { slug: 'other' })
  const actions = async (filter: AuditFilter) =>
    (await listAudit(context, filter)).rows.map(({ actor, action }) => `${actor} ${action}`)
  const [first, second, third] = await actions({})
  t.same(
    [first, second, third],
    ['system:health flow.pause', 'system:health health.trip', 'human:a@example.test flow.pause']
  )
  t.same(await actions({ resource: 'welcome' }), [second, third])
  t.same(await actions({ resource: 'f1' }), [third])
  t.same(await actions({ actor: 'system:health', action: 'flow.pause' }), [first])
  const { rows } = await listAudit(context)
  t.notOk(rows.some((row) => 'mentions' in row))
})

test('every list is read by an index in its order', async (t) => {
  const { context } = await testContext(t)
  const { suppressions, auditLog } = context.collections
  const after = { $lte: new Date() }
  const added = { addedAt: -1, _id: -1 } as const
  const at = { at: -1, _id: -1 } as const
  const lists = [
    ['added', suppressions.find({ addedAt: after }).sort(added)],
    ['scope_added', suppressions.find({ scope: 'all', addedAt: after }).sort(added)],
    ['reason_added', suppressions.find({ reason: 'manual', addedAt: after }).sort(added)],
    ['time', auditLog.find({ at: after }).sort(at)],
    ['actor', auditLog.find({ actor: 'a', at: after }).sort(at)],
    ['action', auditLog.find({ action: 'a', at: after }).sort(at)]
  ] as const
  for (const [index, list] of lists) {
    const plan = JSON.stringify(await list.explain('queryPlanner'))
    t.match(plan, new RegExp(`"indexName":"${index}"`))
    t.notMatch(plan, /"stage":"(SORT|COLLSCAN)"/)
  }
  const either = { $or: [{ 'resource.slug': 'a' }, { 'resource.id': 'a' }] }
  const plan = JSON.stringify(await auditLog.find(either).sort(at).explain('queryPlanner'))
  t.match(plan, /"indexName":"resource_id"/)
  t.match(plan, /"indexName":"resource_slug"/)
})
