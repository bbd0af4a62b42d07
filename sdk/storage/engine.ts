// What a package must export to serve the database of a platform that has no connection string.

/** A running engine, as the kernel uses it. */
export interface StorageEngine {
  /** For `new MongoClient(uri)`. It must stay the same while the engine is open. */
  readonly uri: string
  /** Ends the use of the engine. The data stays. */
  close(): Promise<void>
}

/** A message of an engine for the log of the platform. */
export interface StorageEngineEvent {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly [field: string]: unknown
}

/** How the kernel starts an engine. */
export interface StorageEngineOptions {
  /** Absolute path of the folder that holds the data; the engine makes it when it is missing. */
  readonly dataDir: string
  readonly log: (event: StorageEngineEvent) => void
}

/**
 * The export `startEngine` of an engine package. The kernel calls it when `storage.uri` and
 * `storage.mongod` are empty, and takes the package from `storage.engine`. The engine must speak
 * MongoDB's wire protocol at its `uri` and support transactions.
 */
export type StartEngine = (options: StorageEngineOptions) => Promise<StorageEngine>
