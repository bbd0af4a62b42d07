// The contact adapter over a collection: which contacts a filter selects, pages without gaps, and tags.
import { testDatabase } from '@keelson/sdk/testing'
import fc from 'fast-check'
import { type Document, ObjectId, type Sort } from 'mongodb'
import { type Test, test } from 'tap'
import type { ContactAdapter, ContactFilter, ContactSort } from '../../../ledger/adapter.ts'
import { createMongoContactAdapter } from './mongo-adapter.ts'
import type { MongoContactOptions } from './mongo-options.ts'
import { readCursor, writeCursor } from './page-ranges.ts'

async function open(
  t: Test,
  documents: readonly Document[],
  options: Partial<MongoContactOptions> = {}
) {
  const { client, db, commands } = await testDatabase(t)
  const users = db.collection<Document>('users')
  if (documents.length > 0) await users.insertMany(documents.map((document) => ({ ...document })))
  const adapter = createMongoContactAdapter({ db, collection: 'users', ...options })
  const idsOf = async (filter: ContactFilter) =>
    (await adapter.query(filter)).contacts.map(({ externalId }) => externalId)
  return { client, db, users, commands, adapter, idsOf }
}

async function readAll(adapter: ContactAdapter, limit: number, sort?: ContactSort) {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await adapter.query(
      {},
      { limit, ...(sort !== undefined && { sort }), ...(cursor !== undefined && { cursor }) }
    )
    ids.push(...page.contacts.map(({ externalId }) => externalId))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return ids
}

const people = [
  {
    _id: 'a',
    email: 'Ann@Example.test',
    tags: ['vip', 'new'],
    plan: 'pro',
    timezone: 'Asia/Tokyo'
  },
  { _id: 'b', email: 'bob@example.test', tags: ['new'], plan: null },
  { _id: 'c', email: 'eve@example.test', createdAt: new Date('2026-01-05') }
] as const

test('a contact has the address in lower case and every other field of its document', async (t) => {
  const { adapter } = await open(t, people, { tagsField: 'tags' })
  t.strictSame(await adapter.getById('a'), {
    externalId: 'a',
    email: 'ann@example.test',
    tags: ['vip', 'new'],
    fields: { plan: 'pro', timezone: 'Asia/Tokyo' },
    timezone: 'Asia/Tokyo'
  })
  t.equal(await adapter.getById('nobody'), null)
})

test('contacts are found by any case of their address, by index where it is stored in lower case', async (t) => {
  const { adapter, commands } = await open(t, people)
  t.equal((await adapter.getByEmail('ANN@example.TEST '))?.externalId, 'a')
  commands()
  t.equal((await adapter.getByEmail('Bob@example.test'))?.externalId, 'b')
  t.same(commands(), ['find'])
  t.equal(await adapter.getByEmail('zoe@example.test'), null)
})

test('a contact is found by any spelling of an international domain, as the host stores it', async (t) => {
  const { adapter, idsOf } = await open(t, [
    { _id: 'u', email: 'info@münchen.example' },
    { _id: 'p', email: 'office@xn--mnchen-3ya.example' }
  ])
  for (const domain of ['münchen.example', 'xn--mnchen-3ya.example']) {
    t.match(await adapter.getByEmail(`Info@${domain}`), {
      externalId: 'u',
      email: 'info@xn--mnchen-3ya.example'
    })
    t.equal((await adapter.getByEmail(`office@${domain}`))?.externalId, 'p')
    t.same(await idsOf({ emailIn: [`INFO@${domain}`] }), ['u'])
  }
})

test('all contacts of many addresses are found by indexes alone', async (t) => {
  const { client, db, users, adapter } = await open(t, [
    ...people,
    { _id: 'd', email: 'ann@example.test' },
    ...Array.from({ length: 40 }, (_, at) => ({ _id: `o${at}`, email: `other${at}@example.test` }))
  ])
  await users.createIndex({ email: 1 })
  await users.createIndex({ email: 1 }, { name: 'any', collation: { locale: 'en', strength: 2 } })
  const strict = createMongoContactAdapter({ db, collection: 'users', emailsInLowerCase: true })
  const finds: Document[] = []
  client.on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'find') finds.push(command)
  })
  const asked = ['ANN@example.test', 'eve@example.test', 'gone@example.test']
  const idsIn = async (found: Promise<readonly { readonly externalId: string }[]> | undefined) =>
    (await found)?.map(({ externalId }) => externalId).sort()
  t.same(await idsIn(adapter.getByEmails?.(asked)), ['a', 'c', 'd'])
  t.same(await idsIn(strict.getByEmails?.(asked)), ['c', 'd'], 'as it says that they are stored')
  t.equal(finds.length, 3)
  for (const { find, filter, limit, collation } of finds.splice(0)) {
    const plan = await db.command({
      explain: { find, filter, limit, ...(collation && { collation }) }
    })
    t.match(JSON.stringify(plan), /"stage":"IXSCAN"/)
    t.notMatch(JSON.stringify(plan), /"COLLSCAN"/)
  }
  t.same(await adapter.getByEmails?.([]), [])
})

for (const [kind, ids] of [
  ['ObjectIds', [new ObjectId(), new ObjectId(), new ObjectId()]],
  ['numbers', [1, 20, 3]],
  ['texts of digits', ['1', '20', '3']]
] as const) {
  test(`ids that are ${kind} are found by their text`, async (t) => {
    const { adapter, idsOf } = await open(
      t,
      ids.map((_id, at) => ({ _id, email: `${at}@example.test` }))
    )
    const texts = ids.map(String)
    t.equal((await adapter.getById(texts[1] ?? ''))?.email, '1@example.test')
    t.same([...(await adapter.getBatch([...texts, 'x'])).keys()].sort(), texts.toSorted())
    t.equal((await idsOf({ externalIdIn: texts.slice(0, 2) })).length, 2)
    t.equal((await readAll(adapter, 1)).length, 3)
  })
}

const selections: readonly (readonly [ContactFilter, readonly string[]])[] = [
  [{}, ['a', 'b', 'c']],
  [{ emailIn: ['ANN@example.test', 'eve@example.test'] }, ['a', 'c']],
  [{ emailIn: [] }, []],
  [{ externalIdIn: ['b', 'x'] }, ['b']],
  [{ fieldEquals: { field: 'plan', value: 'pro' } }, ['a']],
  [{ fieldEquals: { field: 'plan', value: null } }, ['b']],
  [{ fieldIn: { field: 'plan', values: ['pro', null] } }, ['a', 'b']],
  [{ fieldExists: 'plan' }, ['a', 'b']],
  [{ hasTag: 'new' }, ['a', 'b']],
  [{ hasTagIn: ['vip', 'x'] }, ['a']],
  [{ hasTag: 'new', fieldEquals: { field: 'plan', value: 'pro' } }, ['a']],
  [{ createdAfter: new Date('2026-01-01') }, ['c']],
  [{ createdBefore: new Date('2026-01-01') }, []]
]
test('each filter selects those who fit, and counts the same', async (t) => {
  const options = { tagsField: 'tags', createdAtField: 'createdAt' }
  const { adapter, idsOf } = await open(t, people, options)
  for (const [filter, ids] of selections) {
    t.same(await idsOf(filter), ids, JSON.stringify(filter))
    t.equal(await adapter.count(filter), ids.length)
  }
})

const refused: readonly (readonly [object, RegExp])[] = [
  [{ hasTag: 'vip' }, /tagsField is not configured/],
  [{ hasTagIn: ['vip'] }, /tagsField is not configured/],
  [{ createdAfter: new Date() }, /createdAtField is not configured/],
  [{ hasTags: ['vip'] }, /it is unknown/],
  [{ constructor: 'x' }, /it is unknown/],
  [{ fieldEquals: { field: 'plan', value: { $ne: 'pro' } } }, /values must be/],
  [{ fieldIn: { field: 'plan', values: [{ $gt: '' }] } }, /values must be/],
  [{ fieldEquals: { field: '$where', value: '1' } }, /must be a path/],
  [{ fieldExists: 'a.$b' }, /must be a path/],
  [{ fieldExists: 5 }, /must be a path/]
]
for (const [filter, message] of refused) {
  test(`${JSON.stringify(filter)} is refused, never answered with everyone`, async (t) => {
    const { adapter } = await open(t, people)
    const error = { code: 'MLR_FILTER_UNSUPPORTED', message }
    await t.rejects(async () => adapter.query(filter), error)
    await t.rejects(async () => adapter.count(filter), error)
  })
}

test('a host may translate filters itself', async (t) => {
  const { idsOf } = await open(t, people, {
    translateFilter: ({ hasTag }) => (hasTag === undefined ? undefined : { tags: hasTag })
  })
  t.same(await idsOf({ hasTag: 'vip' }), ['a'])
  t.same(await idsOf({ fieldExists: 'plan' }), ['a', 'b'])
})

test('pages in any order and of any size have everyone once, in the order of the database', async (t) => {
  const { db, users } = await open(t, [])
  const value = fc.oneof(
    fc.constantFrom(undefined, null, 1, 2, 2.5, 'a', 'b', true, new Date(0), new ObjectId())
  )
  const id = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.constantFrom('a', 'b', '1'))
  const documents = fc.uniqueArray(fc.record({ _id: id, rank: value }), {
    selector: ({ _id }) => String(_id),
    maxLength: 12
  })
  await fc.assert(
    fc.asyncProperty(
      documents,
      fc.constantFrom(undefined, 'asc' as const, 'desc' as const),
      fc.integer({ min: 1, max: 5 }),
      async (list, direction, limit) => {
        await users.deleteMany({})
        if (list.length > 0) await users.insertMany(list as Document[], { ignoreUndefined: true })
        const adapter = createMongoContactAdapter({ db, collection: 'users' })
        const order: Sort = { ...(direction && { rank: direction }), _id: 'asc' }
        const expected = (await users.find().sort(order).toArray()).map(({ _id }) => String(_id))
        const sort = direction && { field: 'rank', direction }
        t.strictSame(await readAll(adapter, limit, sort), expected)
      }
    ),
    { numRuns: 60 }
  )
})

test('a later page reads its own contacts alone, by the index on the id', async (t) => {
  const { users } = await open(t, people)
  const query = users.find({ $and: [{}, { _id: { $gt: 'a' as never } }] }).sort({ _id: 1 })
  const plan = JSON.stringify(await query.explain('queryPlanner'))
  t.match(plan, /"indexName":"_id_"/)
  t.notMatch(plan, /"stage":"SORT"/)
})

test('a cursor from outside is refused unless it is a place', async (t) => {
  const { adapter } = await open(t, people)
  const forged = [
    'x',
    '',
    Buffer.from('[1]').toString('base64url'),
    Buffer.from('[null, {"$gt": ""}]').toString('base64url'),
    Buffer.from('[{"$where": "1"}, "a"]').toString('base64url')
  ]
  for (const cursor of forged)
    await t.rejects(adapter.query({}, { cursor }), { code: 'MLR_INPUT_INVALID' })
  const place = [new Date(5), new ObjectId()] as const
  t.strictSame(readCursor(writeCursor(place)), place)
})

for (const tagsArrayShape of ['strings', 'objects'] as const) {
  test(`tags in the form of ${tagsArrayShape} are read, written once and removed`, async (t) => {
    const tags = tagsArrayShape === 'strings' ? ['own'] : [{ name: 'own' }]
    const { adapter } = await open(t, [{ _id: 'a', tags }, { _id: 'b' }], {
      tagsField: 'tags',
      tagsWritable: true,
      tagsArrayShape
    })
    for (const id of ['a', 'b']) {
      await adapter.addTags?.(id, ['vip', 'new'])
      await adapter.addTags?.(id, ['vip'])
      await adapter.removeTags?.(id, ['new', 'x'])
    }
    t.same((await adapter.getById('a'))?.tags, ['own', 'vip'])
    t.same((await adapter.getById('b'))?.tags, ['vip'])
    t.equal(await adapter.count({ hasTag: 'vip' }), 2)
  })
}

test('tags are not written unless the host allows it', async (t) => {
  const { adapter } = await open(t, [], { tagsField: 'tags' })
  t.equal(adapter.addTags, undefined)
})
