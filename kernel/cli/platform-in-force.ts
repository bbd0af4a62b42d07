// The platform as its hosts run it: the config, and over it what the settings in the database say.
import { newestRevision } from '../changes/revisions.ts'
import type { PlatformChanges } from '../platform/stored-changes.ts'
import { connectStorage, isThere } from '../storage/connect.ts'
import { commandLog, type FoundPlatform, findPlatform, type PlatformContext } from './platform.ts'

/** The option of commands that look ahead. */
export const WITH = {
  with: {
    type: 'string',
    placeholder: 'ID',
    description: 'As if this plugin were enabled.'
  }
} as const

/** `added` is the id of a plugin that counts as enabled. */
export async function findPlatformInForce(
  context: PlatformContext,
  added?: unknown
): Promise<FoundPlatform> {
  const file = await findPlatform(context)
  const stored = await storedChanges(file, context)
  const changes =
    typeof added === 'string' ? { ...stored, [added]: { ...stored[added], enabled: true } } : stored
  return Object.keys(changes).length === 0 ? file : findPlatform(context, changes)
}

/** None where the database cannot be reached: the command that asks it next says why. */
async function storedChanges(
  { read }: FoundPlatform,
  { env }: PlatformContext
): Promise<PlatformChanges> {
  const { storage = {} } = read.config
  if (env['KEELSON_SETTINGS'] === 'off' || !isThere(storage, read.baseDir)) return {}
  try {
    const { baseDir } = read
    const connected = await connectStorage(storage, { baseDir, log: commandLog() })
    try {
      return (await newestRevision(connected.db))?.changes ?? {}
    } finally {
      await connected.close()
    }
  } catch {
    return {}
  }
}
