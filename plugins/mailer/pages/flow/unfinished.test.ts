// Which steps are marked before a publish, and that those it leaves are what the server takes.
import { test } from 'tap'
import { checkSteps } from '../../campaigns/flows/interpret/check-steps.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { newStep, STEP_TYPES } from './step-forms.ts'
import { faultOf } from './unfinished.ts'

const t = (key: string) => key
const published = new Set(['welcome'])
const branch = (test: object): FlowStep =>
  ({ type: 'branch', test, ifTrueSteps: [], ifFalseSteps: [] }) as unknown as FlowStep

test('a new step is marked exactly when the server would refuse it', async (t1) => {
  for (const type of STEP_TYPES) {
    const step = newStep(type)
    const refused = checkSteps([step], published).length > 0
    // An empty list of tags is taken by the server.
    t1.equal(faultOf(step, t) !== undefined, refused, type)
  }
})

test('an empty rule inside a group is named', async (t1) => {
  const full = { fieldEquals: { field: 'plan', value: 'pro' } }
  t1.equal(faultOf(branch({ all: [full, { hasTag: '' }] }), t), 'fault.rule')
  t1.equal(faultOf(branch({ any: [] }), t), 'fault.rule')
  t1.equal(faultOf(branch({ not: { fieldEquals: { field: 'plan' } } }), t), 'fault.rule')
  t1.equal(faultOf(branch({ all: [full, { not: full }] }), t), undefined)
})

test('shares and missing fields are named', async (t1) => {
  const arms = [10, 20].map((percent) => ({ name: String(percent), percent, steps: [] }))
  t1.equal(faultOf({ type: 'split', arms }, t), 'fault.shares')
  t1.equal(faultOf({ type: 'send', templateSlug: '' }, t), 'fault.template')
  t1.equal(faultOf({ type: 'webhook', url: '' }, t), 'fault.field')
  t1.equal(faultOf({ type: 'waitUntil' } as FlowStep, t), 'fault.time')
})
