// How often batches look for pauses.
import type { BatchRun } from '@keelson/sdk'
import { test } from 'tap'
import { noteStop } from '../../campaigns/note-stop.ts'
import { testContext } from '../../test/test-context.ts'
import { readShared, unstopped } from './heed-stops.ts'
import { openBatch } from './open-batch.ts'
import type { LastRead, SendingBatch } from './sending-batch.ts'

function batchesOf(context: SendingBatch['context'], freshMs: number) {
  const lastRead: LastRead = { read: undefined, startedAt: 0 }
  const campaigns = {
    results: async () => new Map(),
    holds: async () => new Map(),
    pause: async () => {}
  }
  const parts = { context, lastRead, campaigns, outlets: new Map(), journal: undefined }
  const open = () => openBatch({ ...parts, freshMs, run: {} as BatchRun })
  return { lastRead, open }
}

test('batches of a process look with one command while it is fresh', async (t) => {
  const { context, commands } = await testContext(t)
  const { open } = batchesOf(context, 60_000)
  await noteStop(context)
  commands()
  const [first, second] = [open(), open()]
  await Promise.all([unstopped(first, []), unstopped(second, [])])
  await unstopped(open(), [])
  t.equal(commands().filter((name) => name === 'find').length, 1)
  t.equal(first.watch.stops.changes, 1)
  t.equal(second.watch.stops.changes, 1)
})

test('a batch that begins reads by itself, and the looks of others see what it read', async (t) => {
  const { context } = await testContext(t)
  const { open, lastRead } = batchesOf(context, 60_000)
  const other = open()
  await unstopped(other, [])
  await noteStop(context)
  t.match(await readShared(context, lastRead), { stops: { changes: 1 } })
  other.watch.readAt = Number.NEGATIVE_INFINITY
  await unstopped(other, [])
  t.equal(other.watch.stops.changes, 1)
})

test('a look that fails stops nothing, and is made again', async (t) => {
  const { context } = await testContext(t)
  const { open } = batchesOf(context, 60_000)
  const broken = {
    ...context.collections,
    state: { find: () => ({ toArray: () => Promise.reject(new Error('away')) }) }
  }
  const batch = open()
  const away = { ...batch, context: { ...context, collections: broken } } as unknown as SendingBatch
  t.same(await unstopped(away, []), [])
  await noteStop(context)
  await unstopped(batch, [])
  t.equal(batch.watch.stops.changes, 1)
})
