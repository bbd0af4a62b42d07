// A process whose disk gets full in the middle of an index build, and that tells what became of it.

import { randomBytes } from 'node:crypto'
import { openEngine } from './open.ts'
import { codeOf, contextOf, TestCollection } from './open-engine.test.data.ts'

const [, , folder = '', bytes = ''] = process.argv
// Without a listener the limit would end the process instead of failing the write.
process.on('SIGXFSZ', () => undefined)

async function run(): Promise<void> {
  const engine = await openEngine(folder)
  const c = new TestCollection(engine, { db: 'd', collection: 'c' })
  for (let from = 0; engine.fileUsage().bytes < Number(bytes); from += 1_000) {
    await c.insert(
      Array.from({ length: 1_000 }, (_, i) => ({
        _id: from + i,
        a: randomBytes(50).toString('base64')
      }))
    )
  }
  let turns = 0
  const counting = setInterval(() => {
    turns++
  }, 1)
  const build = await codeOf(() => c.index({ a: 1, b: 1, c: 1 }))
  clearInterval(counting)
  const wrote = await c.insert([{ _id: 'after' }])
  await engine.sweepExpired(new Date())
  const { problems } = await engine.check()
  const indexes = engine.listIndexes(c.ns).length
  const again = await codeOf(() => engine.dropIndexes(c.ns, '*', contextOf()))
  await engine.close()
  process.stdout.write(JSON.stringify({ build, turns, wrote, problems, indexes, again }))
}

if (folder !== '') await run()
