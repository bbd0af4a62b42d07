// Rows that may be there already, on a server whose errors have a text of their own.
import { insertNew } from '@keelson/sdk'
import { type Collection, MongoBulkWriteError } from 'mongodb'
import { type Test, test } from 'tap'
import { openTestDatabase } from './testing/test-database.ts'

interface Row {
  readonly _id: string
  readonly key: string
  readonly mail: string
}
const row = (_id: string, key = _id, mail = _id): Row => ({ _id, key, mail })

/** A collection whose server says in other words what a duplicate is. */
async function open(t: Test) {
  const { db, commands } = await openTestDatabase(t)
  const rows = db.collection<Row>('rows')
  await rows.createIndex({ key: 1 }, { unique: true, name: 'by_key' })
  await rows.createIndex({ mail: 1 }, { unique: true, name: 'by_mail' })
  const insertMany = rows.insertMany.bind(rows)
  const worded: typeof insertMany = (...given) =>
    insertMany(...given).catch((error: unknown) => {
      if (error instanceof MongoBulkWriteError) {
        for (const one of [error.writeErrors].flat())
          Object.defineProperty(one, 'errmsg', { value: 'Duplicate key violation' })
      }
      throw error
    })
  await insertNew(rows, [row('a'), row('b')])
  return { rows: Object.assign(rows, { insertMany: worded }) as Collection<Row>, commands }
}

test('rows that are there by id are not new, whatever the words of the server', async (t) => {
  const { rows } = await open(t)
  t.equal(await insertNew(rows, [row('a'), row('c'), row('b')]), 1)
  t.equal(await insertNew(rows, [row('a')]), 0)
  t.equal(await rows.countDocuments(), 3)
})

test('rows that are there by the field are not new, and by another field are an error', async (t) => {
  const { rows } = await open(t)
  t.equal(await insertNew(rows, [row('x', 'a', 'x'), row('c'), row('a')], 'key'), 1)
  await t.rejects(insertNew(rows, [row('x', 'a', 'x')]), MongoBulkWriteError)
  await t.rejects(insertNew(rows, [row('y', 'y', 'a')], 'key'), MongoBulkWriteError)
})

test('rows that are all new are one command', async (t) => {
  const { rows, commands } = await open(t)
  const before = commands.length
  t.equal(await insertNew(rows, [row('c'), row('d')]), 2)
  t.same(
    commands.slice(before).map(({ command }) => command),
    ['insert']
  )
})
