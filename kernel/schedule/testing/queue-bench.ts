// A queue on a real database, for tests: moved by hand, or at work by itself.
import type { BatchHandler, ManifestQueue, QueueHandler, QueueItem } from '@keelson/sdk'
import type { StoredItem } from '@keelson/sdk/queue'
import { declaredCollections } from '@keelson/sdk/storage'
import type { Test } from 'tap'
import { openTestDatabase, reopen, type TestDatabase } from '../../storage/testing/test-database.ts'
import { createManualTicker } from '../manual-ticker.ts'
import type { RunReport } from '../run-report.ts'
import { createSchedule, type ScheduleOptions } from '../schedule.ts'
import { rememberingLog } from './silent-log.ts'

export const COLLECTION = 'work_items'

export interface BenchOptions extends Partial<ManifestQueue> {
  readonly handler?: QueueHandler | BatchHandler
  readonly role?: ScheduleOptions['role']
  /** Nothing happens but by `runDue`. */
  readonly isManual?: boolean
  /** Where another bench works, as another process would. */
  readonly beside?: TestDatabase
}

/** A clock that tests move: the system's time plus an offset. */
export function movableClock() {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    move: (ms: number) => {
      offset += ms
    }
  }
}

export async function openQueue(t: Test, options: BenchOptions = {}) {
  const { handler = () => {}, role = 'all', isManual = false, beside, ...spec } = options
  const database = beside === undefined ? await openTestDatabase(t) : await reopen(t, beside)
  const clock = movableClock()
  const { log, lines } = rememberingLog()
  const reports: RunReport[] = []
  const schedule = createSchedule({
    storage: database,
    clock,
    role,
    log,
    onRun: (report) => void reports.push(report),
    ...(isManual && { ticker: createManualTicker(clock) })
  })
  const items = database.db.collection<StoredItem>(COLLECTION)
  const queues = [{ name: 'items', collection: COLLECTION, ...spec }]
  const collections = [{ name: COLLECTION, indexes: [] }]
  for (const { indexes } of declaredCollections({ id: 'work', collections, queues })) {
    for (const { keys, name, partial } of indexes) {
      await items.createIndex(keys, {
        name,
        ...(partial && { partialFilterExpression: partial })
      })
    }
  }
  const queue = schedule.queue(
    { plugin: 'work', log },
    { name: 'items', collection: COLLECTION, ...spec },
    database.db.collection<QueueItem>(COLLECTION),
    handler
  )
  t.teardown(() => schedule.drain(2_000))
  await schedule.start()
  return {
    database,
    clock,
    lines,
    reports,
    schedule,
    items,
    queue,
    runDue: () => schedule.runDue(clock.now()),
    states: async () => {
      const all = await items.find().sort({ _id: 1 }).toArray()
      return Object.fromEntries(all.map((item) => [item._id, item.state]))
    }
  }
}

export const many = (count: number, name = 'item') =>
  Array.from({ length: count }, (_, at) => ({ _id: `${name}-${String(at).padStart(3, '0')}` }))

/** Collects what handlers say, and resolves `reached(n)` at the nth. */
export function tally<T>() {
  const seen: T[] = []
  const waiting: { readonly at: number; readonly resolve: () => void }[] = []
  return {
    seen,
    add(value: T) {
      seen.push(value)
      for (const each of waiting) if (seen.length >= each.at) each.resolve()
    },
    reached: (at: number) =>
      seen.length >= at
        ? Promise.resolve()
        : new Promise<void>((resolve) => void waiting.push({ at, resolve }))
  }
}
