// A database for tests: one engine per test process (or MONGODB_URI), a database of its own per test.
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalMongo, startLocalMongo } from '@keelson/local-mongo'
import { type Db, MongoClient } from 'mongodb'

/** The engine may write its last words while its folder goes. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const

let engine: Promise<LocalMongo> | undefined

// Ends when the process has nothing else to do: starting one per test would take most of the time.
async function startEngine(): Promise<LocalMongo> {
  const dataDir = await mkdtemp(join(tmpdir(), 'telemetry-test-'))
  const started = await startLocalMongo({ dataDir })
  process.once('beforeExit', () => void started.close().then(() => rm(dataDir, REMOVAL)))
  // A process that is told to exit has no time to wait for the engine.
  process.once('exit', () => rmSync(dataDir, REMOVAL))
  return started
}

/** Where the database of this test process is. */
export async function databaseUri(): Promise<string> {
  const given = process.env['MONGODB_URI']
  if (given !== undefined && given !== '') return given
  engine ??= startEngine()
  return (await engine).uri
}

/** The engine's process, when it is the built-in one. */
export const enginePid = async (): Promise<number | undefined> => (await engine)?.pid

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
