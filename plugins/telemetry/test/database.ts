// A database for tests: one engine per test process (or MONGODB_URI), a database of its own per test.
import { randomUUID } from 'node:crypto'
import { type LocalMongo, startLocalMongo } from '@keelson/local-mongo'
import { holdTestEngine } from '@keelson/sdk/testing'
import { type Db, MongoClient } from 'mongodb'

let held: ReturnType<typeof holdTestEngine<LocalMongo>> | undefined

/** Where the database of this test process is. */
export async function databaseUri(): Promise<string> {
  const given = process.env['MONGODB_URI']
  if (given !== undefined && given !== '') return given
  held ??= holdTestEngine(startLocalMongo)
  return (await held).engine.uri
}

/** The engine's process, when it is the built-in one. */
export const enginePid = async (): Promise<number | undefined> => (await held)?.engine.pid

export interface TestDatabase {
  readonly db: Db
  readonly client: MongoClient
  /** Names of the commands sent since the last look. */
  commands(): string[]
}

interface Teardown {
  teardown(fn: () => Promise<void>): void
}

/** A fresh database, dropped when the test ends. */
export async function testDatabase(t: Teardown): Promise<TestDatabase> {
  const client = new MongoClient(await databaseUri(), { monitorCommands: true })
  const sent: string[] = []
  client.on('commandStarted', ({ commandName }) => sent.push(commandName))
  await client.connect()
  const db = client.db(`telemetry_${randomUUID().slice(0, 8)}`)
  t.teardown(async () => {
    await db.dropDatabase()
    await client.close()
  })
  return { db, client, commands: () => sent.splice(0) }
}
