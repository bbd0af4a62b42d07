// The customers of the demo: written once, and found by every filter of the mailer.
import { keelsonOf } from '@keelson/kernel'
import { mailerContacts } from '@keelson/mailer/contracts'
import { createTestHost, type TestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import { CONTACT_COUNT, type ContactRow, contactRow } from './contact-row.ts'
import contacts from './index.ts'
import { writeContacts } from './write-contacts.ts'

async function start(t: Test): Promise<TestHost> {
  const host = await createTestHost({ plugin: contacts })
  t.teardown(() => host.close())
  return host
}

test('the first start writes 200 customers', async (t) => {
  const { db } = await start(t)
  const users = db.collection<ContactRow>('demo_users')
  t.equal(await users.countDocuments(), CONTACT_COUNT)
  const tenth = await users.findOne({ _id: 'u10' })
  t.match(tenth, { email: 'user10@example.test', tags: ['beta'], timezone: /\// })
  t.equal(await users.countDocuments({ tags: 'beta' }), 20)
  t.same((await users.distinct('plan')).sort(), ['free', 'pro'])
  t.ok(contactRow(1, new Date(0)).createdAt < contactRow(200, new Date(0)).createdAt)
})

test('a later start changes no customer and brings none back', async (t) => {
  const { db, clock } = await start(t)
  const users = db.collection<ContactRow>('demo_users')
  await users.deleteOne({ _id: 'u5' })
  await users.updateOne({ _id: 'u6' }, { $set: { firstName: 'Changed' } })
  await writeContacts({
    collection: (name) => db.collection(name),
    withTransaction: () => Promise.reject(new Error('must not be called')),
    clock
  })
  t.equal(await users.countDocuments(), CONTACT_COUNT - 1)
  t.match(await users.findOne({ _id: 'u6' }), { firstName: 'Changed' })
})

test('the mailer reads customers page by page, and selects them by what they are', async (t) => {
  const host = await start(t)
  const adapter = keelsonOf(host.app).use(mailerContacts)
  const { contacts: page, nextCursor } = await adapter.query({ hasTag: 'beta' }, { limit: 15 })
  const rest = await adapter.query({ hasTag: 'beta' }, { limit: 15, cursor: String(nextCursor) })
  t.equal(new Set([...page, ...rest.contacts].map(({ externalId }) => externalId)).size, 20)
  const one = await adapter.getByEmail('USER7@example.test')
  t.match(one, { externalId: 'u7', fields: { firstName: String, plan: 'free', country: String } })
  t.equal(await adapter.count({ fieldEquals: { field: 'plan', value: 'pro' } }), 66)
  t.equal(await adapter.count({ createdBefore: host.clock.now() }), CONTACT_COUNT)
  await adapter.addTags?.('u7', ['vip'])
  t.equal(await adapter.count({ hasTagIn: ['vip'] }), 1)
})

for (const [name, filter, index] of [
  ['tag', { tags: 'beta' }, 'tags'],
  ['plan', { plan: 'pro' }, 'plan'],
  ['country', { country: 'DE' }, 'country'],
  ['address', { email: 'user7@example.test' }, 'email']
] as const) {
  test(`customers are found by ${name} through an index`, async (t) => {
    const { db } = await start(t)
    const query = db
      .collection('demo_users')
      .find(filter as object)
      .sort({ _id: 1 })
    const plan = JSON.stringify(await query.explain('queryPlanner'))
    t.match(plan, new RegExp(`"indexName":"${index}"`))
  })
}
