// A process that writes to an engine until it is killed; a line on stdout for each acknowledged write.

import { openEngine } from './open.ts'
import { contextOf, TestCollection, updateStatement } from './open-engine.test.data.ts'

const [, , folder = '', cycle = ''] = process.argv

async function repeat(act: (round: number) => Promise<string | undefined>): Promise<void> {
  for (let round = 0; ; round++) {
    const line = await act(round)
    if (line !== undefined) process.stdout.write(`${line}\n`)
  }
}

async function run(): Promise<void> {
  const engine = await openEngine(folder)
  const collection = (name: string) => new TestCollection(engine, { db: 'd', collection: name })
  const [rows, counters, accounts] = ['rows', 'counters', 'accounts'].map(collection)
  if (rows === undefined || counters === undefined || accounts === undefined) return
  await rows.index({ group: 1 })
  await rows.index({ unique: 1 }, { unique: true })
  await rows.index({ tags: 1 })
  await accounts.update({ _id: 0 }, { $inc: { balance: 0 } }, { upsert: true })
  await accounts.update({ _id: 1 }, { $inc: { balance: 0 } }, { upsert: true })
  const writers = [
    repeat(async (round) => {
      const ids = Array.from({ length: 5 }, (_, i) => `${cycle}-${round}-${i}`)
      await rows.insert(
        ids.map((_id, i) => ({
          _id,
          unique: _id,
          group: round % 7,
          tags: [i, round % 3],
          text: 'x'.repeat(round % 300)
        }))
      )
      return ids.map((id) => `row ${id}`).join('\n')
    }),
    repeat(async () => {
      await counters.update({ _id: 'all' }, { $inc: { n: 1 } }, { upsert: true })
      return 'count'
    }),
    repeat(async (round) => {
      await rows.update({ group: round % 7 }, { $set: { group: (round + 1) % 7 } }, { multi: true })
      return undefined
    }),
    repeat(async (round) => {
      const id = { sessionId: `s${cycle}`, txnNumber: BigInt(round + 1) }
      const transaction = engine.transactions.begin(id, { now: new Date() })
      const updates = [
        updateStatement({ _id: 0 }, { $inc: { balance: -1 } }),
        updateStatement({ _id: 1 }, { $inc: { balance: 1 } })
      ]
      await engine.update(accounts.ns, { updates, ordered: true }, contextOf({ transaction }))
      await engine.transactions.commit(id, {})
      return 'move'
    }),
    repeat(async (round) => {
      const other = collection(`other${round % 2}`)
      await other.insert([{ _id: round }])
      await other.index({ a: 1 })
      if (round % 5 === 4) await engine.dropCollection(other.ns, contextOf())
      return undefined
    })
  ]
  await Promise.all(writers)
}

if (folder !== '') await run()
