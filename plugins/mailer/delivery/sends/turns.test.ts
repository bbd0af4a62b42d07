// Turns at a provider: how many mails are on their way, and which goes next.
import { test } from 'tap'
import type { Lane } from '../../ledger/send-row.ts'
import { createTurns, createWorkInHand } from './turns.ts'

const settled = () => new Promise(setImmediate)

test('only so many have a turn, and urgent mail gets the next one', async (t) => {
  const turns = createTurns(2)
  const order: string[] = []
  const take = (name: string, lane: Lane) => void turns.take(lane).then(() => order.push(name))
  take('bulk 1', 'bulk')
  take('bulk 2', 'bulk')
  take('bulk 3', 'bulk')
  take('urgent', 'urgent')
  await settled()
  t.same(order, ['bulk 1', 'bulk 2'])
  turns.give()
  await settled()
  turns.give()
  await settled()
  t.same(order.slice(2), ['urgent', 'bulk 3'])
  turns.give()
  turns.give()
  take('late', 'bulk')
  await settled()
  t.equal(order.at(-1), 'late')
})

test('work in hand is waited for until few are left, also when some of it fails', async (t) => {
  const work = createWorkInHand()
  const ends: (() => void)[] = []
  const begin = (isFailing = false) =>
    work.begin(
      new Promise((resolve, reject) => void ends.push(isFailing ? () => reject() : resolve))
    )
  begin()
  begin(true)
  begin()
  let reached = false
  const few = work.untilAtMost(1).then(() => {
    reached = true
  })
  ends[0]?.()
  await settled()
  t.notOk(reached)
  ends[1]?.()
  await few
  ends[2]?.()
  await work.untilAtMost(0)
  t.pass()
})
