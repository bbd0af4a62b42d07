// A process that fills what its shell lets it write, and tells what became of it.

import { randomBytes } from 'node:crypto'
import { openEngine } from './open.ts'
import { codeOf, TestCollection } from './open-engine.test.data.ts'

const [, , folder = ''] = process.argv
// Without a listener the limit would end the process instead of failing the write.
process.on('SIGXFSZ', () => undefined)

async function run(): Promise<void> {
  const engine = await openEngine(folder)
  const c = new TestCollection(engine, { db: 'd', collection: 'c' })
  await c.index({ a: 1 })
  await c.insert([{ _id: 'first', a: 1 }])
  const pad = randomBytes(75_000).toString('base64')
  const codes: (number | undefined)[] = []
  let written = 1
  while (codes.length < 2 && written < 100) {
    const code = await codeOf(() => c.insert([{ _id: written, a: 1, pad }]))
    if (code === undefined) written++
    else codes.push(code)
  }
  const first = await c.ids({ _id: 'first' })
  const { problems } = await engine.check()
  const { n: removed } = await c.delete({ _id: 5 })
  await engine.close()
  process.stdout.write(
    JSON.stringify({ codes, first, problems, removed, written: written - removed })
  )
}

if (folder !== '') await run()
