// What the kernel relies on in the MongoDB driver: a connection says why it is closed, and writes by a method.
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { startLocalMongo } from '@keelson/local-mongo'
import { MongoClient, type MongoClientOptions } from 'mongodb'
import { type Test, test } from 'tap'
import { heldEngineFolder } from '../storage/testing/held-engine.ts'
import { connectionOf } from './driver-commands.ts'
import { endLostWrites } from './driver-writes.ts'

/** Options of a client whose connections are destroyed, once for each of the named commands, before it is written. */
function cutBefore(names: Set<string>): MongoClientOptions {
  const base = connectionOf()
  if (base === null) throw new Error('The connections of the driver are unknown.')
  class CutConnection extends base {
    readonly #socket: Socket

    constructor(...given: readonly unknown[]) {
      super(...given)
      this.#socket = given[0] as Socket
    }

    override command(namespace: unknown, body: object, ...others: readonly unknown[]) {
      if (names.delete(Object.keys(body)[0] ?? '')) this.#socket.destroy()
      return super.command(namespace, { ...body }, ...others)
    }
  }
  return { connectionType: CutConnection } as MongoClientOptions
}

async function openCut(t: Test, names: Set<string>) {
  const engine = await startLocalMongo({ dataDir: await heldEngineFolder() })
  const client = new MongoClient(engine.uri, cutBefore(names))
  const database = client.db(`test_${randomUUID().slice(0, 12)}`)
  t.teardown(async () => {
    await database.dropDatabase()
    await client.close()
    await engine.close()
  })
  return { client, items: database.collection<{ _id: number }>('items') }
}

test('a command whose connection was destroyed fails, or is sent again by the driver', async (t) => {
  endLostWrites()
  const names = new Set<string>()
  const { client, items } = await openCut(t, names)
  await items.insertOne({ _id: 1 })
  names.add('ping').add('find').add('insert')
  await t.rejects(client.db().command({ ping: 1 }), { name: 'MongoNetworkError' })
  t.same(await items.find().toArray(), [{ _id: 1 }])
  await items.insertOne({ _id: 2 })
  t.equal(await items.countDocuments(), 2)
  t.same([...names], [], 'each was cut')
})

test('a transaction whose abort is lost ends', async (t) => {
  endLostWrites()
  const names = new Set<string>()
  const { client, items } = await openCut(t, names)
  const aborted = client.withSession((session) =>
    session.withTransaction(async () => {
      await items.insertOne({ _id: 1 }, { session })
      names.add('abortTransaction')
      throw new Error('of the caller')
    })
  )
  await t.rejects(aborted, { message: 'of the caller' })
  t.equal(names.size, 0)
  t.equal(await items.countDocuments(), 0)
})

test('a class is changed once, and only one that writes as the driver does', (t) => {
  class Writing extends EventEmitter {
    async writeCommand() {}
  }
  endLostWrites(Writing)
  const write = Writing.prototype.writeCommand
  endLostWrites(Writing)
  t.equal(Writing.prototype.writeCommand, write)
  class Other {
    async writeCommand() {}
  }
  const unchanged = Other.prototype.writeCommand
  endLostWrites(Other)
  t.equal(Other.prototype.writeCommand, unchanged)
  endLostWrites(null)
  endLostWrites(class extends EventEmitter {})
  t.end()
})
