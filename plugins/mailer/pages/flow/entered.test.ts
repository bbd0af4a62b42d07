// How many runs reached each step.
import fc from 'fast-check'
import { test } from 'tap'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { enteredAt } from './entered.ts'

const wait: FlowStep = { type: 'wait', value: 1, unit: 'days' }
const skip: FlowStep = { type: 'condition', test: { hasTag: 'a' }, ifFalse: 'continue' }
const branch: FlowStep = {
  type: 'branch',
  test: { hasTag: 'a' },
  ifTrueSteps: [wait, wait],
  ifFalseSteps: [wait]
}
const of = (steps: readonly FlowStep[], runs: Record<string, number>) =>
  Object.fromEntries(enteredAt(steps, new Map(Object.entries(runs))))

test('runs behind a step have entered it', async (t) => {
  t.same(of([wait, wait, wait], { 0: 5, 2: 3 }), { 0: 8, 1: 3, 2: 3 })
})

test('runs in arms have entered the step with the arms, and their own arm', async (t) => {
  t.same(of([wait, branch], { '1.true.1': 4, '1.false.0': 2 }), {
    0: 6,
    1: 6,
    '1.true.0': 4,
    '1.true.1': 4,
    '1.false.0': 2
  })
})

test('arms are left out when runs are behind them', async (t) => {
  t.same(of([branch, wait], { '0.true.0': 1, 1: 9 }), { 0: 10, 1: 9 })
})

test('a step that a condition may skip is left out', async (t) => {
  t.same(of([skip, wait, wait], { 2: 7 }), { 0: 7, 2: 7 })
})

test('the first step was entered by every run', async () => {
  const runs = fc.dictionary(
    fc.constantFrom('0', '1', '1.true.0', '1.true.1', '1.false.0', '2', '3'),
    fc.nat(50)
  )
  fc.assert(
    fc.property(runs, (at) => {
      const all = Object.values(at).reduce((sum, count) => sum + count, 0)
      return of([wait, branch, skip, wait], at)[0] === all
    })
  )
})
