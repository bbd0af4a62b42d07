// Killed at any moment, the engine comes back with everything it acknowledged and nothing half-done.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { openEngine } from './open.ts'
import { openTestEngine, TestCollection, temporaryFolder } from './open-engine.test.data.ts'

const WRITER = fileURLToPath(new URL('./crash-writer.test.data.js', import.meta.url))
const FULL_DISK = fileURLToPath(new URL('./full-disk.test.data.js', import.meta.url))

/** Runs the writer until it has acknowledged so many writes, kills it, and answers what it told. */
async function killAfter(folder: string, cycle: number, acknowledged: number): Promise<string[]> {
  const child: ChildProcess = spawn(process.execPath, [WRITER, folder, String(cycle)], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const told: string[] = []
  if (child.stdout === null) throw new Error('no output')
  const lines = createInterface({ input: child.stdout })
  for await (const line of lines) {
    told.push(line)
    if (told.length >= acknowledged) break
  }
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  return told
}

test('after kill -9 at any moment nothing acknowledged is lost and indexes agree', async (t) => {
  t.setTimeout(120_000)
  const folder = await temporaryFolder(t)
  const inserted = new Set<string>()
  let counted = 0
  for (let cycle = 0; cycle < 4; cycle++) {
    for (const line of await killAfter(folder, cycle, 15 + 20 * cycle)) {
      if (line.startsWith('row ')) inserted.add(line.slice(4))
      if (line === 'count') counted++
    }
    const engine = await openEngine(folder)
    const collection = (name: string) => new TestCollection(engine, { db: 'd', collection: name })
    const report = await engine.check()
    t.same(report.problems, [], `cycle ${cycle}`)
    const present = new Set((await collection('rows').find()).map(({ _id }) => String(_id)))
    t.same(
      [...inserted].filter((id) => !present.has(id)),
      [],
      'rows that were acknowledged'
    )
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

test('a full disk fails the write with 14031, undoes it, and reads go on', async (t) => {
  t.setTimeout(120_000)
  const folder = await temporaryFolder(t)
  const child = spawn(
    'bash',
    ['-c', 'ulimit -f 4096 && exec "$0" "$@"', process.execPath, FULL_DISK, folder],
    { stdio: ['ignore', 'pipe', 'ignore'] }
  )
  let told = ''
  child.stdout.on('data', (chunk) => {
    told += String(chunk)
  })
  await once(child, 'exit')
  const result = JSON.parse(told)
  t.match(result, { codes: [14031, 14031], first: ['first'], removed: 1 })
  t.ok(result.written > 10)
  t.same(result.problems, [])
  const engine = await openTestEngine(t, {}, folder)
  t.match(await engine.check(), { ok: true, documents: result.written })
})
