// A database for tests: one engine per test process (or MONGODB_URI), a database of its own per test.
import { randomUUID } from 'node:crypto'
import { type LocalMongo, startLocalMongo } from '@keelson/local-mongo'
import { holdTestEngine } from '@keelson/sdk/testing'
import { type Db, MongoClient } from 'mongodb'

let held: ReturnType<typeof holdTestEngine<LocalMongo>> | undefined

async function databaseUri(): Promise<string> {
  const given = process.env['MONGODB_URI']
  if (given !== undefined && given !== '') return given
  held ??= holdTestEngine(startLocalMongo)
  return (await held).engine.uri
}

export interface TestDatabase {
  readonly db: Db
  /** Names of the commands sent since the last look, without those of the connection itself. */
  commands(): string[]
}

export interface Teardown {
  teardown(fn: () => Promise<void> | void): void
}

const OF_THE_CONNECTION = new Set(['hello', 'ping', 'endSessions', 'isMaster', 'ismaster'])

/** A fresh database, dropped when the test ends. */
export async function testDatabase(t: Teardown): Promise<TestDatabase> {
  const client = new MongoClient(await databaseUri(), { monitorCommands: true })
  const sent: string[] = []
  client.on('commandStarted', ({ commandName }) => {
    if (!OF_THE_CONNECTION.has(commandName)) sent.push(commandName)
  })
  await client.connect()
  const db = client.db(`oauth_${randomUUID().slice(0, 8)}`)
  t.teardown(async () => {
    await db.dropDatabase()
    await client.close()
  })
  return { db, commands: () => sent.splice(0) }
}
