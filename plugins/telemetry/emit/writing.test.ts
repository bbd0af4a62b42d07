// Sampling, caps and the lane to the database.
import { setImmediate as turn } from 'node:timers/promises'
import { databaseUri } from '@keelson/sdk/testing'
import { MongoClient } from 'mongodb'
import { test } from 'tap'
import { createBurstCaps } from './burst.ts'
import type { WriteItem } from './decide.ts'
import type { Parcel } from './parcel.ts'
import { traceKeep } from './sampling.ts'
import { writeParcels } from './write-parcels.ts'
import { Writer, type WriterOptions } from './writer.ts'

const itemOf = (name: string): WriteItem =>
  ({ record: { id: name, size: 100 }, fate: 'kept' }) as unknown as WriteItem
const parcel = (...names: string[]) => ({ items: names.map(itemOf), rejects: [], aliases: [] })
const names = (content: Parcel) => content.items.map((item) => item.record.id).join(' ')

function laneWith(flush: (content: Parcel) => Promise<void>, more: Partial<WriterOptions> = {}) {
  const written: string[] = []
  const failures: unknown[] = []
  const writer = new Writer({
    write: (parcels) =>
      writeParcels(parcels, async (content) => {
        await flush(content)
        written.push(names(content))
        return new Set()
      }),
    clock: { now: () => new Date() },
    onFailure: (error) => failures.push(error),
    gatherMs: 0,
    ...more
  })
  return { writer, written, failures }
}

test('the share of kept traces is the rate, and a trace is always decided alike', async (t) => {
  const ids = Array.from(
    { length: 4096 },
    (_, n) => `abc${(n * 1_048_575).toString(16).padStart(8, '0')}`
  )
  const kept = ids.filter((id) => traceKeep(id, 0.25))
  // Three standard deviations of 4,096 draws with the rate 0.25.
  t.ok(Math.abs(kept.length - 1024) <= 83)
  t.same(
    kept,
    ids.filter((id) => traceKeep(id, 0.25))
  )
  t.ok(ids.every((id) => traceKeep(id, 1)))
  t.equal(typeof traceKeep('not hex at all', 0.5), 'boolean')
})

test('a burst cap counts by key and starts anew each minute', async (t) => {
  const caps = createBurstCaps()
  const take = (key: string, now: number) => caps.take(key, 2, now)
  t.same([take('a', 0), take('a', 1), take('a', 2), take('b', 2)], [true, true, false, true])
  t.same([take('a', 59_999), take('a', 60_000)], [false, true])
})

test('parcels that arrive together are written in one flush, in order', async (t) => {
  const { writer, written } = laneWith(async () => undefined)
  await Promise.all([writer.put(parcel('a', 'b'), true), writer.put(parcel('c'), true)])
  t.same(written, ['a b c'])
})

test('what arrives during a flush waits for the next', async (t) => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let count = 0
  const { writer, written } = laneWith(async () => {
    if (count++ === 0) await held
  })
  const first = writer.put(parcel('a'), true)
  while (count === 0) await turn()
  const rest = [writer.put(parcel('b'), true), writer.put(parcel('c'), true)]
  release()
  await Promise.all([first, ...rest])
  t.same(written, ['a', 'b c'])
})

test('a large flush is cut at whole parcels', async (t) => {
  const { writer, written } = laneWith(async () => undefined)
  const big = (name: string) => parcel(...Array.from({ length: 1500 }, (_, n) => `${name}${n}`))
  await Promise.all([writer.put(big('a'), true), writer.put(big('b'), true)])
  t.equal(written.length, 2)
})

test('an answerable parcel learns of failure and any other is tried until it is written', async (t) => {
  let tries = 0
  const { writer, written, failures } = laneWith(async () => {
    if (++tries === 1) throw new Error('connection lost')
  })
  const patient = writer.put(parcel('patient'), false)
  await t.rejects(writer.put(parcel('hasty'), true), { message: 'connection lost' })
  await patient
  t.same(written, ['patient'])
  t.equal(failures.length, 1)
})

test('draining waits for what is tried again, not only for what came last', async (t) => {
  let tries = 0
  const { writer, written } = laneWith(async () => {
    if (++tries === 1) throw new Error('connection lost')
  })
  void writer.put(parcel('patient'), false)
  await t.rejects(writer.put(parcel('hasty'), true))
  await writer.drain()
  t.same(written, ['patient'])
})

test('one record the database refuses does not take its neighbours with it', async (t) => {
  const refused = Object.assign(new Error('bad value'), { code: 2 })
  const { writer, written } = laneWith(async (content) => {
    if (names(content).includes('bad')) throw refused
  })
  const sent = parcel('a', 'b', 'bad', 'c', 'd')
  const result = await writer.put(sent, true)
  t.same(
    [...result.faulty].map(([item, reason]) => [item.record.id, reason]),
    [['bad', 'bad value']]
  )
  t.same(written.join(' ').split(' ').sort(), ['a', 'b', 'c', 'd'])
})

test('room is waited for, and queued goes back to zero', async (t) => {
  const { writer } = laneWith(async () => undefined, { maxQueued: 2 })
  const first = writer.put(parcel('a', 'b'), true)
  t.equal(writer.hasRoom, false)
  await writer.room()
  await first
  t.equal(writer.queued, 0)
})

test('after stop, what cannot be written is given up', async (t) => {
  const { writer } = laneWith(async () => {
    throw new Error('away')
  })
  const sent = writer.put(parcel('a'), false)
  writer.stop()
  await t.rejects(sent, { message: 'away' })
  await writer.drain()
})

test('what a closed client cannot write is given up, so that no try keeps the process', async (t) => {
  const client = await MongoClient.connect(await databaseUri())
  await client.close()
  const { writer } = laneWith(async () => {
    await client.db('closed').collection('rows').insertOne({})
  })
  await t.rejects(writer.put(parcel('a'), false), { name: 'MongoNotConnectedError' })
  await writer.drain()
  t.equal(writer.queued, 0)
})
