// Contacts found by how their address or name begins: each once over all pages, read by indexes.
import { testDatabase } from '@keelson/sdk/testing'
import fc from 'fast-check'
import type { Document } from 'mongodb'
import { type Test, test } from 'tap'
import type { ContactAdapter } from '../../../ledger/adapter.ts'
import { createMongoContactAdapter } from './mongo-adapter.ts'
import { searchStages } from './search-contacts.ts'

async function open(t: Test, documents: readonly Document[]) {
  const { db, client } = await testDatabase(t)
  const people = db.collection<Document>('people')
  await people.createIndex({ email: 1, _id: 1 }, { name: 'email_search' })
  await people.createIndex({ name: 1, _id: 1 }, { name: 'name_search' })
  if (documents.length > 0) await people.insertMany(documents.map((one) => ({ ...one })))
  const searchFields = ['email', 'name']
  const adapter = createMongoContactAdapter({ db, collection: 'people', searchFields })
  return { db, client, people, adapter }
}

async function readAll({ search }: ContactAdapter, text: string, limit: number) {
  const ids: string[] = []
  const sizes: number[] = []
  let cursor: string | undefined
  do {
    const page = await search?.(text, { limit, ...(cursor !== undefined && { cursor }) })
    ids.push(...(page?.contacts ?? []).map(({ externalId }) => externalId))
    sizes.push(page?.contacts.length ?? 0)
    cursor = page?.nextCursor
  } while (cursor !== undefined)
  return { ids, sizes }
}

const word = fc.constantFrom('ann', 'Ann', 'anna', 'Anna😀', 'bo', 'Bob', 'an', 'a', 'zoë')

test('every contact whose address or name begins with the text is on one page, once', async (t) => {
  const { adapter, people } = await open(t, [])
  const contact = fc.record({
    email: word.map((name) => `${name.toLowerCase()}@x.test`),
    name: word
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(contact, { minLength: 1, maxLength: 40 }),
      fc.constantFrom('a', 'an', 'AN', 'Ann', 'bob', 'zo', 'x'),
      fc.integer({ min: 1, max: 7 }),
      async (contacts, text, limit) => {
        await people.deleteMany({})
        await people.insertMany(contacts.map((one, at) => ({ ...one, _id: `c${at}` as never })))
        const begins = (value: string) => value.toLowerCase().startsWith(text.toLowerCase())
        const expected = contacts.flatMap(({ email, name }, at) =>
          begins(email) || begins(name) ? [`c${at}`] : []
        )
        const { ids, sizes } = await readAll(adapter, text, limit)
        t.same([...ids].sort(), expected.sort())
        t.ok(sizes.slice(0, -1).every((size) => size === limit))
        t.ok(ids.length === 0 || sizes.at(-1) !== 0, 'the last page is not empty')
      }
    ),
    { numRuns: 30 }
  )
})

test('the text is not taken as a pattern, and a cursor of another list is refused', async (t) => {
  const { adapter } = await open(t, [{ _id: 'a', email: 'ann@x.test', name: 'Ann' }])
  for (const text of ['.*', '^a', '$gt', 'ann\u0000'])
    t.same((await adapter.search?.(text))?.contacts, [], JSON.stringify(text))
  for (const cursor of ['', 'x', '-1.', '0', '0.!'])
    await t.rejects(
      async () => adapter.search?.('a', { cursor }),
      { code: 'MLR_INPUT_INVALID' },
      cursor
    )
})

test('without fields to search by, an adapter has no search', async (t) => {
  const { db } = await open(t, [])
  t.notOk('search' in createMongoContactAdapter({ db, collection: 'people' }))
})

test('every query of a search reads an index in its order', async (t) => {
  const { client, db, adapter } = await open(
    t,
    Array.from({ length: 9 }, (_, at) => ({ _id: `c${at}`, email: `ann${at}@x.test`, name: 'Ann' }))
  )
  const finds: Document[] = []
  client.on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'find') finds.push(command)
  })
  await readAll(adapter, 'ann', 4)
  t.ok(finds.length > searchStages('ann', ['email', 'name']).length, 'later pages, too')
  for (const { find, filter, sort, limit } of finds.splice(0)) {
    const plan = await db.command({ explain: { find, filter, sort, limit } })
    const text = JSON.stringify(plan, (name, value) => (name === 'rejectedPlans' ? null : value))
    t.match(text, /"indexName":"(email|name)_search"/)
    t.notMatch(text, /"stage":"(COLLSCAN|SORT)"/, text)
  }
})
