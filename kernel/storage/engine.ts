// The seam of the storage engine: loads the package that serves the database when no URI is given.
import { createRequire } from 'node:module'
import { isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { StartEngine, StorageEngine, StorageEngineOptions } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'

/** An optional peer: a host with a connection string does not install it. */
export const DEFAULT_ENGINE = '@keelson/local-mongo'

export interface EngineOptions extends StorageEngineOptions {
  /** Package name, or a path from `baseDir`. */
  readonly engine: string
  /** The folder of the config. */
  readonly baseDir: string
}

/**
 * Starts the engine of a data folder.
 *
 * @throws KRN_ENGINE_MISSING, KRN_ENGINE_INVALID, KRN_STORAGE_ENGINE
 */
export async function startEngine(options: EngineOptions): Promise<StorageEngine> {
  const { dataDir, log } = options
  const start = await loadEngine(options)
  try {
    return await start({ dataDir, log })
  } catch (cause) {
    throw errors.KRN_STORAGE_ENGINE({ folder: dataDir, reason: reasonOf(cause), cause })
  }
}

async function loadEngine({ engine, baseDir }: EngineOptions): Promise<StartEngine> {
  const url = findEngine(engine, baseDir)
  let loaded: Partial<Record<'startEngine', unknown>>
  try {
    loaded = await import(url)
  } catch (cause) {
    throw errors.KRN_ENGINE_INVALID({ engine, reason: reasonOf(cause), cause })
  }
  if (typeof loaded.startEngine !== 'function') {
    throw errors.KRN_ENGINE_INVALID({ engine, reason: 'it exports no function startEngine' })
  }
  return loaded.startEngine as StartEngine
}

/** A package beside the kernel wins; else it is looked up from the folder of the config. */
function findEngine(engine: string, baseDir: string): string {
  const fromConfig = () => {
    const { resolve } = createRequire(join(baseDir, 'keelson.config.json'))
    return pathToFileURL(resolve(engine)).href
  }
  const isPath = engine.startsWith('.') || isAbsolute(engine)
  const lookUps = isPath ? [fromConfig] : [() => import.meta.resolve(engine), fromConfig]
  let cause: unknown
  for (const lookUp of lookUps) {
    try {
      return lookUp()
    } catch (error) {
      cause = error
    }
  }
  throw errors.KRN_ENGINE_MISSING({ engine, path: 'storage.engine', cause })
}

const reasonOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')
