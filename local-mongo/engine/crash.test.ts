// Killed at any moment, the engine comes back with everything it acknowledged and nothing half-done.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { test } from 'tap'
import { doc } from '../bson/arbitrary-values.test.data.ts'
import { decodeDoc } from '../bson/decode.ts'
import type { Doc } from '../bson/value.ts'
import type { Engine } from '../engine.ts'
import { openEngine } from './open.ts'
import {
  contextOf,
  openTestEngine,
  TestCollection,
  temporaryFolder
} from './open-engine.test.data.ts'

const WRITER = fileURLToPath(new URL('./crash-writer.test.data.js', import.meta.url))
const BUILD_ON_FULL_DISK = fileURLToPath(
  new URL('./build-on-full-disk.test.data.js', import.meta.url)
)
const FULL_DISK = fileURLToPath(new URL('./full-disk.test.data.js', import.meta.url))

/** Where to kill the writer: after so many acknowledged writes, and a while later. */
interface CrashPoint {
  readonly acknowledged: number
  readonly laterMs: number
}

const CRASHES = 8
const crashPoints: fc.Arbitrary<readonly CrashPoint[]> = fc.array(
  fc.record({
    acknowledged: fc.integer({ min: 1, max: 90 }),
    laterMs: fc.double({ min: 0, max: 12, noNaN: true })
  }),
  { minLength: CRASHES, maxLength: CRASHES }
)

/** Runs the writer until the crash point, kills it, and answers what it told. */
async function killAt(
  folder: string,
  cycle: number,
  { acknowledged, laterMs }: CrashPoint
): Promise<string[]> {
  const child: ChildProcess = spawn(process.execPath, [WRITER, folder, String(cycle)], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const exited = once(child, 'exit')
  const told: string[] = []
  if (child.stdout === null) throw new Error('no output')
  for await (const line of createInterface({ input: child.stdout })) {
    told.push(line)
    if (told.length === acknowledged) {
      const until = performance.now() + laterMs
      while (performance.now() < until);
      child.kill('SIGKILL')
    }
  }
  await exited
  return told
}

/** The ids of all inserts into `rows` that the log of changes tells after a token. */
async function loggedRows(engine: Engine, token: Doc): Promise<string[]> {
  const stream = await engine.changeStream(
    { db: 'd', collection: 'rows' },
    {
      options: new Map([['resumeAfter', token]]),
      pipeline: [doc({ $match: { operationType: 'insert' } })]
    },
    contextOf()
  )
  const ids: string[] = []
  for (;;) {
    const batch = await stream.next(1_000, 16e6, 0, new AbortController().signal)
    if (batch.length === 0) break
    for (const bytes of batch)
      ids.push(String((decodeDoc(bytes).get('documentKey') as Doc).get('_id')))
  }
  stream.close()
  return ids
}

test('killed at random points it loses nothing acknowledged, its indexes agree, and no change is missing', async (t) => {
  t.setTimeout(120_000)
  const folder = await temporaryFolder(t)
  const first = await openEngine(folder)
  const begin = await first.changeStream(
    { db: 'd', collection: 'rows' },
    { options: new Map(), pipeline: [] },
    contextOf()
  )
  const token = begin.postBatchResumeToken
  await first.close()
  const inserted = new Set<string>()
  let counted = 0
  const seed = Number(process.env['KEELSON_SEED'] ?? Date.now())
  t.comment(`seed ${seed}`)
  const [points = []] = fc.sample(crashPoints, { seed, numRuns: 1 })
  for (const [cycle, point] of points.entries()) {
    for (const line of await killAt(folder, cycle, point)) {
      if (line.startsWith('row ')) inserted.add(line.slice(4))
      if (line === 'count') counted++
    }
    const engine = await openEngine(folder)
    const collection = (name: string) => new TestCollection(engine, { db: 'd', collection: name })
    const report = await engine.check()
    t.same(report.problems, [], `cycle ${cycle}`)
    const present = (await collection('rows').find()).map(({ _id }) => String(_id))
    t.same(
      [...inserted].filter((id) => !present.includes(id)),
      [],
      'rows that were acknowledged'
    )
    t.same((await loggedRows(engine, token)).sort(), present.sort(), 'the log of changes')
    const [counter] = await collection('counters').find({ _id: 'all' })
    t.ok(Number(counter?.['n'] ?? 0) >= counted, 'counts that were acknowledged')
    const accounts = await collection('accounts').find()
    t.equal(
      accounts.reduce((sum, { balance }) => sum + Number(balance), 0),
      0,
      'no half of a transaction'
    )
    await engine.close()
  }
  t.ok(inserted.size > 20 && counted > 5, 'the load was real')
})

/** Runs a script whose files cannot be larger than so many KiB, and answers what it told. */
async function runLimited(kibibytes: number, script: string, ...argv: string[]) {
  const limited = `ulimit -f ${kibibytes} && exec "$0" "$@"`
  const child = spawn('bash', ['-c', limited, process.execPath, script, ...argv], {
    stdio: ['ignore', 'pipe', 'ignore']
  })
  let told = ''
  child.stdout.on('data', (chunk) => {
    told += String(chunk)
  })
  await once(child, 'close')
  return JSON.parse(told)
}

test('a disk that gets full in the middle of an index build leaves a collection that is written to', async (t) => {
  t.setTimeout(120_000)
  const folder = await temporaryFolder(t)
  const result = await runLimited(16_384, BUILD_ON_FULL_DISK, folder, String(11e6))
  t.match(result, { build: 14031, wrote: { n: 1 }, problems: [], indexes: 1 })
  t.ok(result.turns > 1, 'the build took several turns')
})

test('a full disk fails the write with 14031, undoes it, and reads go on', async (t) => {
  t.setTimeout(120_000)
  const folder = await temporaryFolder(t)
  const result = await runLimited(4_096, FULL_DISK, folder)
  t.match(result, { codes: [14031, 14031], first: ['first'], removed: 1 })
  t.ok(result.written > 10)
  t.same(result.problems, [])
  const engine = await openTestEngine(t, {}, folder)
  t.match(await engine.check(), { ok: true, documents: result.written })
})
