// What a transaction that was undone leaves behind: nothing, also when a statement goes on after it.
import { test } from 'tap'
import { doc } from '../bson/arbitrary-values.test.data.ts'
import { encodeDoc } from '../bson/encode.ts'
import { contextOf, openTestCollection } from './open-engine.test.data.ts'

test('a statement that waits through an undone transaction writes nothing of it', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ a: 1 })
  await c.insert(Array.from({ length: 500 }, (_, _id) => ({ _id, a: 1 })))
  const id = { sessionId: 's', txnNumber: 1n }
  const transaction = c.engine.transactions.begin(id, { now: new Date() })
  await c.update({ _id: 100 }, { $set: { b: 1 } }, {}, contextOf({ transaction }))
  const broken = [encodeDoc(doc({ _id: 'stray', a: 3 })), undefined as unknown as Uint8Array]
  const [deleted, inserted] = await Promise.allSettled([
    c.delete({ a: 1 }),
    c.engine.insert(c.ns, { documents: broken, ordered: true }, contextOf()),
    c.insert([{ _id: 'other', a: 2 }]).then(() => c.engine.transactions.abort(id))
  ])
  t.match(deleted, { value: { n: 500 } })
  t.match(inserted, { reason: { code: 1 } })
  t.match(await c.engine.check(), { ok: true, problems: [] })
})
