// The log of hits: batches, a limit, failures of the database, and closing.
import { plainLog } from '@keelson/kernel/standalone'
import { MongoServerError } from 'mongodb'
import { test } from 'tap'
import type { Hit } from './hit.ts'
import { createHitLog } from './hit-log.ts'

const hit = (id: number): Hit => ({
  kind: 'open',
  id: String(id),
  sendId: 's',
  at: new Date(0),
  reasons: []
})

function recorder() {
  const batches: (readonly Hit[])[] = []
  const lines: { level: string; fields: object }[] = []
  const note = (level: string) => (fields: object) => void lines.push({ level, fields })
  return { batches, lines, log: plainLog({ warn: note('warn'), error: note('error') }) }
}

test('hits are written in batches, all of them on closing', async (t) => {
  const { batches, log } = recorder()
  const hits = createHitLog({ log, apply: async (batch) => void batches.push(batch) })
  for (let at = 0; at < 1200; at++) hits.add(hit(at))
  t.same(batches, [], 'adding writes nothing')
  await hits.close()
  t.same(
    batches.map(({ length }) => length),
    [500, 500, 200]
  )
})

test('more hits than the limit are dropped and reported', async (t) => {
  const { batches, lines, log } = recorder()
  const apply = async (batch: readonly Hit[]) => void batches.push(batch)
  const hits = createHitLog({ log, apply, limit: 10 })
  for (let at = 0; at < 15; at++) hits.add(hit(at))
  await hits.close()
  t.same(
    batches.flat().map(({ id }) => id),
    Array.from({ length: 10 }, (_, at) => String(at))
  )
  t.match(lines, [{ level: 'warn', fields: { dropped: 5 } }])
})

test('hits wait while the database cannot be reached, in their order', async (t) => {
  const { batches, log } = recorder()
  let failures = 1
  const written = new Promise<void>((resolve) => {
    const apply = async (batch: readonly Hit[]) => {
      if (failures-- > 0) throw new Error('no connection')
      batches.push(batch)
      resolve()
    }
    const hits = createHitLog({ log, apply })
    hits.add(hit(1))
    hits.add(hit(2))
  })
  await written
  t.same(
    batches.flat().map(({ id }) => id),
    ['1', '2']
  )
})

test('a batch that the database refuses is reported and does not stop the next', async (t) => {
  const { batches, lines, log } = recorder()
  let first = true
  const apply = async (batch: readonly Hit[]) => {
    if (!first) return void batches.push(batch)
    first = false
    throw new MongoServerError({ message: 'refused', code: 2 })
  }
  const hits = createHitLog({ log, apply })
  for (let at = 0; at < 501; at++) hits.add(hit(at))
  await hits.close()
  t.same(
    batches.map(({ length }) => length),
    [1]
  )
  t.match(lines, [{ level: 'error', fields: { lost: 500 } }])
})

test('closing ends although the database does not answer, and reports what is lost', async (t) => {
  const { lines, log } = recorder()
  const hits = createHitLog({ log, apply: () => Promise.reject(new Error('no connection')) })
  hits.add(hit(1))
  await hits.close()
  t.match(lines.at(-1), { level: 'error', fields: { lost: 1 } })
})

test('a hit after the close leaves no timer that keeps the process', async (t) => {
  const { log } = recorder()
  const hits = createHitLog({ log, apply: async () => {} })
  await hits.close()
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  hits.add(hit(1))
  t.equal(timers(), before)
})
