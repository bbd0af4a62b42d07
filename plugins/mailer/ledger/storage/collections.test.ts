// Collections and indexes of a mailer on a plain database.
import { testDatabase } from '@keelson/sdk/testing'
import { test } from 'tap'
import manifest from '../../plugin.json' with { type: 'json' }
import { openOnDatabase, syncIndexes } from './collections.ts'

test('every declared collection is opened under its declared name', async (t) => {
  const { db } = await testDatabase(t)
  const names = Object.values(openOnDatabase(db)).map(({ collectionName }) => collectionName)
  t.same(names.sort(), manifest.collections.map(({ name }) => name).sort())
})

test('another prefix names all collections, with their unique indexes', async (t) => {
  const { db } = await testDatabase(t)
  await syncIndexes(db, 'shop_')
  const { suppressions, sends } = openOnDatabase(db, 'shop_')
  t.equal(suppressions.collectionName, 'shop_suppressions')
  const now = new Date()
  const row = {
    emailHash: 'h',
    scope: 'all',
    reason: 'manual',
    addedAt: now,
    expiresAt: null
  } as const
  await suppressions.insertOne({ ...row, _id: '1', email: 'a@b.test' })
  await t.rejects(suppressions.insertOne({ ...row, _id: '2', email: 'a@b.test' }), { code: 11000 })
  const indexes = await sends.indexes()
  t.ok(indexes.some(({ name, key }) => name === 'keelson_due_lane' && 'dueAt' in key))
})

test('rows without an address, as an erasure leaves them, never clash', async (t) => {
  const { db } = await testDatabase(t)
  await syncIndexes(db)
  const { suppressions } = openOnDatabase(db)
  const row = { email: null, scope: 'all', reason: 'gdpr_forget', expiresAt: null } as const
  const addedAt = new Date()
  await suppressions.insertMany([
    { ...row, _id: '1', emailHash: 'a', addedAt },
    { ...row, _id: '2', emailHash: 'b', addedAt }
  ])
  t.equal(await suppressions.countDocuments({ email: null }), 2)
})
