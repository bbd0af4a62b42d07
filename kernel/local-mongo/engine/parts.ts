// What the operations of an open engine share.
import type { EngineOptions, OperationContext } from '../engine.ts'
import type { Catalog } from '../storage/catalog.ts'
import type { Counts } from '../storage/counts.ts'
import type { Environment } from '../storage/environment.ts'
import type { QueueScope } from '../storage/scope.ts'
import type { WriteQueue } from '../storage/write-queue.ts'
import type { Builds } from './builds.ts'
import type { ReadSource } from './query.ts'

export interface EngineParts {
  readonly environment: Environment
  readonly queue: WriteQueue<QueueScope>
  readonly catalog: Catalog
  readonly counts: Counts
  readonly builds: Builds
  readonly options: EngineOptions
}

/** What an operation reads from. */
export function readSource(parts: EngineParts, _context: OperationContext): ReadSource {
  const { environment, catalog, counts } = parts
  return {
    view: environment.live,
    find: catalog.find,
    countOf: ({ id }) => counts.of(id).documents
  }
}
