// The audit log: what is written, and together with what.
import { test } from 'tap'
import { testContext } from '../../test/test-context.ts'
import { addressHash } from '../address.ts'
import { audit } from './audit.ts'
import { listAudit } from './list-audit.ts'

const entry = {
  actor: 'human:a@example.test',
  action: 'flow.pause',
  resource: { collection: 'mailer_flows', slug: 'welcome' }
}

test('an entry is stored with its time and without fields that were left out', async (t) => {
  const { context } = await testContext(t)
  await audit(context, { ...entry, before: { a: 1, b: undefined }, after: { a: 2 } })
  const [row] = await context.collections.auditLog.find().toArray()
  t.strictSame(row, {
    ...entry,
    _id: row?._id,
    at: row?.at,
    before: { a: 1 },
    after: { a: 2 },
    mentions: row?.mentions
  })
  t.ok(row?.mentions?.includes(addressHash('a@example.test')), 'an erasure finds it')
  t.ok(row?.at instanceof Date)
})

test('an entry with a key is stored once, as it came first', async (t) => {
  const { context } = await testContext(t)
  const dedupeKey = 'circuit-breaker:1'
  for (const after of [1, 2]) await audit(context, { ...entry, after, dedupeKey })
  t.match(await context.collections.auditLog.find().toArray(), [{ _id: dedupeKey, after: 1 }])
  t.equal(await context.collections.auditLog.countDocuments(), 1)
})

test('an entry of a transaction that fails is not stored', async (t) => {
  const { context } = await testContext(t)
  const failed = context.withTransaction(async (session) => {
    await audit(context, entry, { session })
    throw new Error('the change failed')
  })
  await t.rejects(failed, { message: 'the change failed' })
  t.equal(await context.collections.auditLog.countDocuments(), 0)
})

test('an entry without an actor or a collection is refused', async (t) => {
  const { context } = await testContext(t)
  const { actor: _, ...nameless } = entry
  await t.rejects(audit(context, nameless as typeof entry), { code: 'MLR_INPUT_INVALID' })
  const aimless = { ...entry, resource: {} } as unknown as typeof entry
  await t.rejects(audit(context, aimless), { message: /resource\.collection is missing/ })
})

test('entries of a resource are found by its slug or its id, each once and page by page', async (t) => {
  const { context } = await testContext(t)
  const resources = [
    { slug: 'news' },
    { id: 'news' },
    { id: 'news', slug: 'news' },
    { id: 'other' }
  ]
  for (const [at, resource] of [...resources, ...resources].entries()) {
    const named = { collection: 'mailer_templates', ...resource }
    await audit(context, { ...entry, resource: named, dedupeKey: `entry-${at}` })
  }
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = { limit: 2, ...(cursor !== undefined && { cursor }) }
    const { rows, nextCursor } = await listAudit(context, { resource: 'news', ...page })
    seen.push(...rows.map(({ _id }) => _id))
    cursor = nextCursor
  } while (cursor !== undefined)
  t.same(seen.toSorted(), ['entry-0', 'entry-1', 'entry-2', 'entry-4', 'entry-5', 'entry-6'])
  t.same(
    (await listAudit(context, { resource: 'news' })).rows.map(({ _id }) => _id),
    seen
  )
})
