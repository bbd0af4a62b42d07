// Opens the database of the platform: MongoDB, a kept mongod, or the built-in engine.
import type { StorageConfig } from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import type { Db, MongoClient } from 'mongodb'

/** A command the driver has finished, attributed to the collection it named. */
export interface StorageCommand {
  /** Empty for commands that name no collection (`hello`, `commitTransaction`). */
  readonly collection: string
  readonly command: string
  readonly durationMs: number
  readonly failed: boolean
}

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
  readonly onCommand?: (command: StorageCommand) => void
}

/** Connects in the order `uri`, `mongod`, built-in engine. Throws KRN_STORAGE_*. */
export async function connectStorage(
  _config: StorageConfig,
  _options: ConnectOptions
): Promise<Storage> {
  throw new Error('connectStorage is not there yet')
}
