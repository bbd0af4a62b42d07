// The contact adapter in memory.
import { test } from 'tap'
import { createMemoryAdapter } from './memory-adapter.ts'

const contact = (externalId: string, more: object = {}) => ({
  externalId,
  email: `${externalId}@Example.test`,
  tags: [] as string[],
  fields: {},
  ...more
})

test('pages follow the ids, and a contact that left does not disturb them', async (t) => {
  const adapter = createMemoryAdapter(['c', 'a', 'd', 'b'].map((id) => contact(id)))
  const first = await adapter.query({}, { limit: 2 })
  t.same(
    first.contacts.map(({ externalId }) => externalId),
    ['a', 'b']
  )
  adapter.byId.delete('b')
  const second = await adapter.query({}, { limit: 2, cursor: first.nextCursor as string })
  t.same(
    second.contacts.map(({ externalId }) => externalId),
    ['c', 'd']
  )
  t.equal(second.nextCursor, undefined)
})

test('a sorted query pages by field and then by id', async (t) => {
  const ages = { a: 3, b: 1, c: 3, d: 2 }
  const adapter = createMemoryAdapter(
    Object.entries(ages).map(([id, age]) => contact(id, { fields: { age } }))
  )
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await adapter.query(
      {},
      { limit: 1, sort: { field: 'age', direction: 'desc' }, ...(cursor && { cursor }) }
    )
    seen.push(...page.contacts.map(({ externalId }) => externalId))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  t.same(seen, ['a', 'c', 'd', 'b'])
})

test('every filter that is set must hold, and an unsupported one throws', async (t) => {
  const adapter = createMemoryAdapter([
    contact('a', { tags: ['vip'], fields: { plan: 'pro' } }),
    contact('b', { tags: ['vip'] })
  ])
  const idsOf = async (filter: object) =>
    (await adapter.query(filter)).contacts.map(({ externalId }) => externalId)
  t.same(await idsOf({ hasTag: 'vip' }), ['a', 'b'])
  t.same(await idsOf({ hasTag: 'vip', fieldEquals: { field: 'plan', value: 'pro' } }), ['a'])
  t.same(await idsOf({ emailIn: ['B@example.test'] }), ['b'])
  t.equal(await adapter.count({ hasTagIn: ['vip', 'x'] }), 2)
  await t.rejects(adapter.count({ createdAfter: new Date() }), { code: 'MLR_FILTER_UNSUPPORTED' })
})

test('contacts are found by any case of their address, as copies', async (t) => {
  const adapter = createMemoryAdapter([contact('a')])
  const found = await adapter.getByEmail('A@EXAMPLE.test')
  t.equal(found?.externalId, 'a')
  t.not(found, adapter.byId.get('a'))
  t.equal(createMemoryAdapter([], { writableTags: false }).addTags, undefined)
})

test('a cursor that is not one is refused', async (t) => {
  const adapter = createMemoryAdapter([contact('a')])
  for (const cursor of ['garbage', '{}', '[1]', '[null,2]', 'null'])
    await t.rejects(adapter.query({}, { cursor }), { code: 'MLR_INPUT_INVALID' }, cursor)
})
