// What the kernel relies on in the MongoDB driver: a class of connections that it can give another one for.
import { randomUUID } from 'node:crypto'
import { startLocalMongo } from '@keelson/local-mongo'
import type { MongoClient } from 'mongodb'
import { type Test, test } from 'tap'
import { heldEngineFolder } from '../storage/testing/held-engine.ts'
import { connectionOf, reportingClient, type StorageCommand } from './driver-commands.ts'

type Made = (uri: string, report: (command: StorageCommand) => void) => MongoClient

/** What a client reports of one command after the other. */
async function reported(t: Test, make: Made): Promise<readonly string[]> {
  const engine = await startLocalMongo({ dataDir: await heldEngineFolder() })
  const told: string[] = []
  const client = make(
    engine.uri,
    ({ command, collection }) => void told.push(`${command} ${collection}`)
  )
  t.teardown(async () => {
    await database.dropDatabase()
    await client.close()
    await engine.close()
  })
  const database = client.db(`test_${randomUUID().slice(0, 12)}`)
  const items = database.collection<{ _id: number }>('items')
  await items.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }])
  t.same(await items.find({}, { batchSize: 2 }).toArray(), [{ _id: 1 }, { _id: 2 }, { _id: 3 }])
  await client.withSession((session) =>
    session.withTransaction(() => items.updateOne({ _id: 1 }, { $set: { n: 1 } }, { session }))
  )
  await t.rejects(database.command({ noSuchCommand: 'x' }))
  return told.filter((command) => !/^(hello|ping|endSessions) $/.test(command))
}

const SENT = [
  'insert items',
  'find items',
  'getMore items',
  'update items',
  'commitTransaction ',
  'noSuchCommand x'
]

test('every command is reported by the class of connections, without monitoring', async (t) => {
  t.type(connectionOf(), 'function')
  const told = await reported(t, (uri, report) => {
    const client = reportingClient(uri, {}, report)
    t.notOk(client.options.monitorCommands)
    return client
  })
  t.same(told, SENT)
})

test('every command is reported by the monitoring of a driver whose connections are unknown', async (t) => {
  t.same(await reported(t, (uri, report) => reportingClient(uri, {}, report, null)), SENT)
})

test('a driver whose connections are elsewhere, or run commands otherwise, is known by that', async (t) => {
  const elsewhere = () => {
    throw new Error('Cannot find module')
  }
  t.equal(connectionOf(elsewhere), null)
  const other: readonly object[] = [{}, { Connection: class {} }]
  for (const found of other)
    t.equal(
      connectionOf(() => found),
      null
    )
})
