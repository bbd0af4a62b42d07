// A real mongod that the platform runs and keeps itself, by mongodb-memory-server-core when installed.
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { errors } from '../errors/errors.ts'

/** A mongod in use. */
export interface KeptMongod {
  readonly uri: string
  /** Ends it, if this process started it. The data stays. */
  stop(): Promise<void>
}

/** The part of mongodb-memory-server-core (11) that is used. */
interface ReplicaSetStarter {
  readonly MongoMemoryReplSet: {
    create(options: unknown): Promise<{
      stop(options: { readonly doCleanup: boolean }): Promise<unknown>
    }>
  }
}

const PACKAGE = 'mongodb-memory-server-core'
const REPLICA_SET = 'keelson'

/**
 * Starts a replica set of one on its own folder, or uses the one that another process of this platform
 * runs there. `mongod` is the path of a binary, or `download`.
 *
 * @throws KRN_STORAGE_MONGOD
 */
export async function keepMongod(
  mongod: string,
  dataDir: string,
  load: () => Promise<unknown> = () => import(PACKAGE)
): Promise<KeptMongod> {
  if (mongod !== 'download' && !existsSync(mongod)) {
    const hint = 'Correct the path in storage.mongod (KEELSON_MONGOD), or write "download".'
    throw errors.KRN_STORAGE_MONGOD({ reason: `${mongod} does not exist`, hint })
  }
  const folder = join(dataDir, 'mongod')
  const dbPath = join(folder, 'data')
  await mkdir(dbPath, { recursive: true })
  const port = await keptPort(join(folder, 'port'))
  const uri = `mongodb://127.0.0.1:${port}/?replicaSet=${REPLICA_SET}`
  // A replica set knows itself by its address: it must always come back on the same port.
  if (!(await isFree(port))) return { uri, stop: async () => {} }
  const { MongoMemoryReplSet } = await loadStarter(load)
  try {
    const server = await MongoMemoryReplSet.create({
      replSet: { name: REPLICA_SET, count: 1, ip: '127.0.0.1', storageEngine: 'wiredTiger' },
      instanceOpts: [{ port, dbPath, storageEngine: 'wiredTiger', launchTimeout: 60_000 }],
      binary:
        mongod === 'download' ? { downloadDir: join(folder, 'binary') } : { systemBinary: mongod }
    })
    return {
      uri,
      stop: async () => {
        await server.stop({ doCleanup: false })
      }
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const hint = 'Check the path and version of the mongod, and its log; see the cause.'
    throw errors.KRN_STORAGE_MONGOD({ reason, hint, cause })
  }
}

async function loadStarter(load: () => Promise<unknown>): Promise<ReplicaSetStarter> {
  try {
    return (await load()) as ReplicaSetStarter
  } catch (cause) {
    throw errors.KRN_STORAGE_MONGOD({
      reason: `the package ${PACKAGE} is not installed`,
      hint: `Run npm install ${PACKAGE}, or leave storage.mongod (KEELSON_MONGOD) empty.`,
      cause
    })
  }
}

/** The port of this data folder: chosen once, then kept beside the data. */
async function keptPort(file: string): Promise<number> {
  const kept = await readFile(file, 'utf8').then(Number, () => undefined)
  if (kept !== undefined && Number.isInteger(kept) && kept > 0) return kept
  const port = await freePort()
  await writeFile(file, String(port))
  return port
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
