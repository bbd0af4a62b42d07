// A database for tests without a host: one engine per test process (or MONGODB_URI), a database per test.
import { randomUUID } from 'node:crypto'
import type { StorageEngine } from '@keelson/sdk'
import { type Db, MongoClient } from 'mongodb'
import { holdTestEngine, startDefaultEngine } from './test-engine.ts'

/** A database of one test. */
export interface TestDatabase {
  readonly db: Db
  readonly client: MongoClient
  /** Names of the commands sent since the last call, without those of the connection itself. */
  commands(): string[]
}

/** What a test gives to clean up after it. */
export interface Teardown {
  teardown(fn: () => Promise<void> | void): void
}

const OF_THE_CONNECTION = new Set(['hello', 'ping', 'endSessions', 'isMaster', 'ismaster'])

let held: ReturnType<typeof holdTestEngine<StorageEngine>> | undefined

/**
 * Opens a fresh database, dropped when the test ends; with a name, the database of that name, which stays. The
 * built-in engine must be installed.
 */
export async function testDatabase(t: Teardown, kept?: string): Promise<TestDatabase> {
  const client = new MongoClient(await databaseUri(), { monitorCommands: true })
  const sent: string[] = []
  client.on('commandStarted', ({ commandName }) => {
    if (!OF_THE_CONNECTION.has(commandName)) sent.push(commandName)
  })
  await client.connect()
  const db = client.db(kept ?? `test_${randomUUID().replaceAll('-', '').slice(0, 20)}`)
  t.teardown(async () => {
    if (kept === undefined) await db.dropDatabase()
    await client.close()
  })
  return { db, client, commands: () => sent.splice(0) }
}

/** Where the databases of this test process are, for processes and clients that a test starts. */
export async function databaseUri(): Promise<string> {
  const given = process.env['MONGODB_URI']
  if (given !== undefined && given !== '') return given
  held ??= holdTestEngine(startDefaultEngine)
  return (await held).engine.uri
}
