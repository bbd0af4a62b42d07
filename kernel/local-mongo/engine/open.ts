// Opens a data folder and makes the engine out of its parts.
import { join } from 'node:path'
import type { Engine, EngineOptions } from '../engine.ts'
import { openCatalog } from '../storage/catalog.ts'
import { openCounts } from '../storage/counts.ts'
import { openEnvironment } from '../storage/environment.ts'
import { openFormat } from '../storage/format.ts'
import { openQueueScope, type QueueScope } from '../storage/scope.ts'
import { WriteQueue } from '../storage/write-queue.ts'
import { Builds } from './builds.ts'
import { makeEngine } from './make-engine.ts'
import type { EngineParts } from './parts.ts'
import { isExpected } from './statements.ts'

/** The file in the data folder. */
export const DATA_FILE = 'data.mdb'

/**
 * Opens a data folder, which must exist and be used by no other process. Fails with
 * UnsupportedFormat (12) when it was written by a later version.
 */
export async function openEngine(dataDir: string, options: EngineOptions = {}): Promise<Engine> {
  const environment = openEnvironment(join(dataDir, DATA_FILE), options.mapSizeBytes)
  await openFormat(environment)
  const catalog = openCatalog(environment.live)
  const counts = openCounts(environment.live)
  const builds = new Builds()
  const queue = new WriteQueue<QueueScope>({
    environment,
    isExpected,
    scopes: {
      open: (view) =>
        openQueueScope(view, {
          catalog,
          counts,
          claims: { size: 0, holderOf: () => undefined },
          endOfBuild: (collection) => builds.endOf(collection),
          tell: () => undefined
        }),
      finish(scope) {
        scope.catalog.finish()
        scope.counts.finish(scope.view)
      },
      publish: (scope) => scope.publish()
    }
  })
  const parts: EngineParts = { environment, queue, catalog, counts, builds, options }
  return makeEngine(parts)
}
