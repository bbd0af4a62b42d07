// One database engine per test process, and a database per test on it.
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StorageConfig, StorageEngine } from '@keelson/sdk'
import { MongoClient } from 'mongodb'

/** Starts the storage engine of a folder. */
export type StartEngine = (options: {
  readonly dataDir: string
}) => Promise<{ close(): Promise<void> }>

/** The engine may write its last words while its folder goes. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const

let folder: Promise<string> | undefined

/**
 * Starts the engine that hosts use by default, as the kernel does. It keeps documents whose TTL is over: a
 * test moves its own clock, and what is new by that clock may be old by today's date.
 */
export async function startDefaultEngine({
  dataDir
}: {
  readonly dataDir: string
}): Promise<StorageEngine> {
  // The kernel is a peer that only this entry needs.
  const kernel = await import('@keelson/kernel')
  const baseDir = process.cwd()
  const options = { engine: kernel.DEFAULT_ENGINE, dataDir, baseDir, log: () => {} }
  const engine = await kernel.startEngine(options)
  const client = await MongoClient.connect(engine.uri)
  await client.db('admin').command({ setParameter: 1, ttlMonitorEnabled: false })
  await client.close()
  return engine
}

/** Where a test finds its database: on MONGODB_URI when it is set, else on the engine. */
export async function testStorage(
  env: Readonly<Record<string, string | undefined>>,
  startEngine: StartEngine
): Promise<StorageConfig & { readonly database: string }> {
  const database = `test_${randomUUID().replaceAll('-', '').slice(0, 20)}`
  const uri = env['MONGODB_URI']
  if (uri !== undefined && uri !== '') return { uri, database }
  folder ??= holdTestEngine(startEngine, env).then(({ dataDir }) => dataDir)
  return { dataDir: await folder, database }
}

/**
 * Starts an engine on a new folder and holds it until the process has nothing else to do; then its
 * data goes. Call it once in a process: starting one per test would take most of the time. With
 * KEELSON_TEST_DATA_DIR set, joins the engine of that folder instead, and leaves its data.
 */
export async function holdTestEngine<Engine extends { close(): Promise<void> }>(
  startEngine: (options: { readonly dataDir: string }) => Promise<Engine>,
  env: Readonly<Record<string, string | undefined>> = process.env
): Promise<{ readonly engine: Engine; readonly dataDir: string }> {
  const shared = env['KEELSON_TEST_DATA_DIR']
  const dataDir = shared || (await mkdtemp(join(tmpdir(), 'keelson-test-')))
  const engine = await startEngine({ dataDir })
  if (shared) {
    process.once('beforeExit', () => void engine.close())
    return { engine, dataDir }
  }
  process.once('beforeExit', () => {
    void engine.close().then(() => rm(dataDir, REMOVAL))
  })
  // A process that is told to exit has no time to wait for the engine.
  process.once('exit', () => rmSync(dataDir, REMOVAL))
  return { engine, dataDir }
}
