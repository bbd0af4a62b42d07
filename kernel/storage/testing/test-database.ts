// A database for one test, on the built-in engine or on MONGODB_URI.
import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import type { Test } from 'tap'
import { connectStorage, type Storage, type StorageCommand } from '../connect.ts'
import { heldEngineFolder } from './held-engine.ts'

/** Commands in the order they finished. */
export interface TestDatabase extends Storage {
  readonly commands: StorageCommand[]
  /** Where it is: for a second connection, or another process. */
  readonly config: {
    readonly uri?: string
    readonly dataDir?: string
    readonly database: string
  }
}

const silent: FastifyBaseLogger = pino({ level: 'silent' })
/** Opens a fresh database; it is dropped when the test is over. */
export async function openTestDatabase(t: Test): Promise<TestDatabase> {
  const database = `test_${randomUUID().slice(0, 12)}`
  const uri = process.env['MONGODB_URI'] ?? ''
  const config = uri === '' ? { dataDir: await heldEngineFolder(), database } : { uri, database }
  const storage = await connectTo(t, config)
  t.teardown(async () => {
    // Where a test killed the engine, the first try may get a connection that died with it.
    await storage.db.dropDatabase().catch(() => storage.db.dropDatabase())
    await storage.close()
  })
  return storage
}

/** A second connection to the same database, as another process would have. */
export async function reopen(t: Test, other: TestDatabase): Promise<TestDatabase> {
  const storage = await connectTo(t, other.config)
  t.teardown(() => storage.close())
  return storage
}

async function connectTo(t: Test, config: TestDatabase['config']): Promise<TestDatabase> {
  const commands: StorageCommand[] = []
  const storage = await connectStorage(config, {
    baseDir: t.testdirName,
    log: silent,
    onCommand: (command) => void commands.push(command)
  })
  return { ...storage, commands, config }
}
