// Opens the database of the platform: MongoDB, a kept mongod, or a storage engine.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { StorageConfig } from '@keelson/sdk'
import { settledWithin } from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import { type Db, MongoClient, type MongoClientOptions } from 'mongodb'
import { errors } from '../errors/errors.ts'
import { reportingClient, type StorageCommand } from '../fastify-internals/driver-commands.ts'
import { endLostWrites } from '../fastify-internals/driver-writes.ts'
import { DEFAULT_ENGINE, startEngine } from './engine.ts'
import { keepMongod } from './mongod.ts'
import { watchReachability } from './reachability.ts'

export type { StorageCommand } from '../fastify-internals/driver-commands.ts'

/** The platform's database. */
export interface Storage {
  readonly client: MongoClient
  readonly db: Db
  /** One phrase for people, without credentials: names MongoDB or the engine. */
  readonly description: string
  /** What the driver last saw: false while no server can take writes. */
  isReachable(): boolean
  close(): Promise<void>
}

export interface ConnectOptions {
  /** Relative folders in the config are taken from here. */
  readonly baseDir: string
  readonly log: FastifyBaseLogger
  /** Called for every command that the driver sends. */
  readonly onCommand?: (command: StorageCommand) => void
}

/** Where the database is, before a client connects to it. */
interface Server {
  readonly uri: string
  readonly description: string
  release(): Promise<void>
}

/** The built-in engine takes ten seconds at most to end. */
const ENGINE_END_MS = 11_000
const DEFAULT_DATA_DIR = '.keelson'
const DEFAULT_DATABASE = 'keelson'

/**
 * What the platform wants when the connection string does not say otherwise. Five seconds is long
 * enough for an election and short enough that requests fail before their callers give up.
 */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  w: 'majority',
  journal: true,
  appName: 'keelson',
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  heartbeatFrequencyMS: 2_000
}

/**
 * Connects in the order `uri`, `mongod`, `engine` on `dataDir`. A database that goes away later and
 * comes back is found again; the built-in engine restarts when it died.
 *
 * @throws KRN_STORAGE_URI, KRN_STORAGE_UNREACHABLE, KRN_STORAGE_MONGOD, KRN_ENGINE_MISSING,
 * KRN_ENGINE_INVALID, KRN_STORAGE_ENGINE
 */
export async function connectStorage(
  config: StorageConfig,
  options: ConnectOptions
): Promise<Storage> {
  const server = await findServer(config, options)
  try {
    return await connect(server, config, options)
  } catch (error) {
    await server.release()
    throw error
  }
}

async function connect(
  server: Server,
  config: StorageConfig,
  options: ConnectOptions
): Promise<Storage> {
  endLostWrites()
  const client = openClient(server.uri, options.onCommand)
  const isReachable = watchReachability(client)
  const db = client.db(config.database || databaseOf(server.uri) || DEFAULT_DATABASE)
  try {
    await client.connect()
    await db.command({ ping: 1 })
  } catch (cause) {
    await client.close()
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw errors.KRN_STORAGE_UNREACHABLE({ where: server.description, reason, cause })
  }
  return {
    client,
    db,
    description: `${server.description}, database ${db.databaseName}`,
    isReachable,
    async close() {
      await client.close()
      await server.release()
    }
  }
}

/** Whether a database is there: connecting to it makes no folder. */
export function isThere(config: StorageConfig, baseDir: string): boolean {
  return (config.uri ?? '') !== '' || existsSync(dataFolder(config, baseDir))
}

const dataFolder = ({ dataDir }: StorageConfig, baseDir: string): string =>
  resolve(baseDir, dataDir || DEFAULT_DATA_DIR)

async function findServer(config: StorageConfig, options: ConnectOptions): Promise<Server> {
  const { uri = '', mongod = '' } = config
  const dataDir = dataFolder(config, options.baseDir)
  if (uri !== '') {
    return { uri, description: `MongoDB at ${hostsOf(uri)}`, release: async () => {} }
  }
  if (mongod !== '') {
    const kept = await keepMongod(mongod, dataDir)
    return { uri: kept.uri, description: `its own mongod in ${dataDir}`, release: kept.stop }
  }
  const name = config.engine || DEFAULT_ENGINE
  const engine = await startEngine({
    engine: name,
    dataDir,
    baseDir: options.baseDir,
    log: ({ level, message, ...fields }) => options.log[level](fields, message)
  })
  const kind = name === DEFAULT_ENGINE ? 'the built-in engine' : `the engine ${name}`
  // A restart of the engine that is under way must not hold up the close.
  const release = () => settledWithin(engine.close(), ENGINE_END_MS)
  return { uri: engine.uri, description: `${kind} in ${dataDir}`, release }
}

function openClient(uri: string, onCommand: ConnectOptions['onCommand']): MongoClient {
  const defaults = missingDefaults(uri)
  try {
    if (onCommand === undefined) return new MongoClient(uri, defaults)
    return reportingClient(uri, defaults, onCommand)
  } catch (cause) {
    // The driver may quote what it could not read, and that may be a password.
    const reason = `the driver refuses it with ${cause instanceof Error ? cause.name : 'an error'}`
    throw errors.KRN_STORAGE_URI({ path: 'storage.uri', reason })
  }
}

/** The defaults that the connection string leaves open: given options would win over it. */
function missingDefaults(uri: string): MongoClientOptions {
  const query = /\?(.*)$/.exec(uri)?.[1] ?? ''
  const given = new Set([...new URLSearchParams(query).keys()].map((key) => key.toLowerCase()))
  return Object.fromEntries(
    Object.entries(DEFAULTS).filter(([key]) => !given.has(key.toLowerCase()))
  )
}

const PARTS = /^mongodb(?:\+srv)?:\/\/(?:[^/?]*@)?([^/?]*)(?:\/([^?]*))?/

function hostsOf(uri: string): string {
  return PARTS.exec(uri)?.[1] ?? 'an unreadable address'
}

/** The database that a connection string names. */
export function databaseOf(uri: string): string | undefined {
  return decodeURIComponent(PARTS.exec(uri)?.[2] ?? '') || undefined
}
