// The status of a send: a function of its facts, in memory and in the database alike.
import { testDatabase } from '@keelson/sdk/testing'
import fc from 'fast-check'
import type { Document } from 'mongodb'
import { test } from 'tap'
import { HANDOFF_STATES, STATUS_STAGE, type StatusFacts, statusOf } from './send-status.ts'

const at = new Date('2026-03-01T10:00:00Z')
const fact = fc.constantFrom(at, null, undefined)
const facts = fc.record(
  {
    handoff: fc.constantFrom(...HANDOFF_STATES),
    complainedAt: fact,
    bouncedAt: fact,
    firstClickAt: fact,
    openedAt: fact,
    deliveredAt: fact,
    droppedAt: fact
  },
  { requiredKeys: ['handoff'] }
)

const known = (sample: object) =>
  Object.fromEntries(Object.entries(sample).filter(([, value]) => value !== undefined))

/** Facts are only ever added. */
const recorded = (sample: object) =>
  Object.fromEntries(Object.entries(sample).filter(([, value]) => value instanceof Date))

test('without later facts the status is that of the hand-off', async (t) => {
  for (const handoff of HANDOFF_STATES) t.equal(statusOf({ handoff }), handoff)
})

test('a bounce outranks opens and clicks, a complaint outranks a bounce', async (t) => {
  t.equal(statusOf({ handoff: 'sent', openedAt: at, bouncedAt: at }), 'bounced')
  t.equal(statusOf({ handoff: 'sent', firstClickAt: at, bouncedAt: at }), 'bounced')
  t.equal(statusOf({ handoff: 'sent', bouncedAt: at, complainedAt: at }), 'complained')
})

test('a delivery settles a send whose outcome was unknown', async (t) => {
  t.equal(statusOf({ handoff: 'unknown', deliveredAt: at }), 'delivered')
})

test('no fact ever weakens a status', async (_t) => {
  const order = ['delivered', 'opened', 'clicked', 'bounced', 'complained']
  const rank = (status: string) => order.indexOf(status)
  fc.assert(
    fc.property(facts, facts, (one, two) => {
      const both = { ...one, ...recorded(two), handoff: one.handoff } as StatusFacts
      return rank(statusOf(both)) >= rank(statusOf(one as StatusFacts))
    })
  )
})

test('the database computes the same status', async (t) => {
  const { db } = await testDatabase(t)
  const sends = db.collection<Document & { _id: number }>('sends')
  const samples = fc.sample(facts, 200)
  await sends.insertMany(samples.map((sample, at) => ({ _id: at, ...known(sample) })))
  await sends.updateMany({}, [STATUS_STAGE])
  const stored = await sends.find().sort({ _id: 1 }).toArray()
  t.same(
    stored.map(({ status }) => status),
    samples.map((sample) => statusOf(sample as StatusFacts))
  )
})
