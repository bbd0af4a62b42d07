// Opens a data folder and makes the engine out of its parts.
import { join } from 'node:path'
import { ChangeLog } from '../change-log/change-log.ts'
import type { Engine, EngineOptions } from '../engine.ts'
import { ClusterClock } from '../sessions/cluster-clock.ts'
import { openCatalog } from '../storage/catalog.ts'
import { openCounts } from '../storage/counts.ts'
import { DeferredView } from '../storage/deferred-view.ts'
import { openEnvironment } from '../storage/environment.ts'
import { openFormat } from '../storage/format.ts'
import { learnOne } from '../storage/learning.ts'
import { openQueueScope, type QueueScope, type ScopeParts } from '../storage/scope.ts'
import { type ScopeMaker, WriteQueue } from '../storage/write-queue.ts'
import { ClaimTable } from '../transactions/claims.ts'
import type { RunningTransaction } from '../transactions/running-transaction.ts'
import { TransactionTable } from '../transactions/transactions.ts'
import { removeCompacting } from './backup.ts'
import { Builds } from './builds.ts'
import { LocalEngine } from './local-engine.ts'
import { DATA_FILE, type EngineParts } from './parts.ts'
import { recover } from './recover.ts'
import { isExpected } from './statements.ts'
import { IndexUsage } from './usage.ts'

/** The act at once, or not at all while one is under way. What it fails by is tried again later. */
function oneAtATime(act: () => Promise<void>): () => void {
  let isRunning = false
  const end = () => {
    isRunning = false
  }
  return () => {
    if (isRunning) return
    isRunning = true
    act().then(end, end)
  }
}

function scopesOf(parts: ScopeParts): ScopeMaker<QueueScope> {
  let view: DeferredView | undefined
  return {
    open(committed) {
      view ??= new DeferredView(committed)
      return openQueueScope(view, parts)
    },
    finish: (scope) => scope.finish(),
    publish: (scope) => scope.publish()
  }
}

/**
 * Opens a data folder, which must exist and be used by no other process. Fails with
 * UnsupportedFormat (12) when it was written by a later version.
 */
export async function openEngine(dataDir: string, options: EngineOptions = {}): Promise<Engine> {
  await removeCompacting(dataDir)
  const environment = openEnvironment(join(dataDir, DATA_FILE), options)
  await openFormat(environment)
  const catalog = openCatalog(environment.live, environment.hasSlots)
  const counts = openCounts(environment.live)
  const builds = new Builds()
  const clock = new ClusterClock()
  const changes = new ChangeLog(environment.live, clock)
  const claims = new ClaimTable<RunningTransaction>()
  const queue = new WriteQueue<QueueScope>({
    environment,
    isExpected,
    scopes: scopesOf({
      catalog,
      counts,
      claims,
      endOfBuild: (collection) => builds.endOf(collection),
      changes,
      isCrowded: () => environment.isCrowded()
    })
  })
  const transactions = new TransactionTable({ environment, catalog, queue, claims })
  const parts: EngineParts = {
    environment,
    queue,
    catalog,
    counts,
    builds,
    transactions,
    usage: new IndexUsage(),
    clock,
    changes,
    dataDir,
    options
  }
  await recover(parts)
  environment.onGrown(oneAtATime(() => learnOne(environment, catalog.state.values(), counts.of)))
  return new LocalEngine(parts)
}
