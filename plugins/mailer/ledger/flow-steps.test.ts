// The schema of flow steps: what a flow may hold.

import { Compile } from '@keelson/sdk/typebox'
import { test } from 'tap'
import { flowSteps } from './flow-steps.ts'

const steps = Compile(flowSteps)
const send = { type: 'send', templateSlug: 'welcome' }

test('steps with arms inside arms fit', async (t) => {
  const inner = [{ type: 'wait', value: 1, unit: 'days' }, send]
  const nested = {
    type: 'branch',
    test: { any: [{ hasTag: 'vip' }, { not: { fieldExists: 'plan' } }] },
    ifTrueSteps: [
      { type: 'split', arms: ['a', 'b'].map((name) => ({ name, percent: 50, steps: inner })) }
    ],
    ifFalseSteps: [
      {
        type: 'waitForEvent',
        eventName: 'order.placed',
        timeout: { value: 3, unit: 'days' },
        timeoutSteps: [{ type: 'exit', reason: 'quiet' }]
      }
    ]
  }
  t.ok(steps.Check([send, nested, send]))
})

const wrong: readonly (readonly [string, unknown])[] = [
  ['an unknown type', [{ type: 'sms' }]],
  ['an unknown key', [{ ...send, bcc: 'x' }]],
  ['a wait of nothing', [{ type: 'wait', value: 0, unit: 'days' }]],
  ['an unknown predicate', [{ type: 'condition', test: { likes: 'x' }, ifFalse: 'exit' }]],
  [
    'a predicate inside not that is unknown',
    [{ type: 'condition', test: { not: {} }, ifFalse: 'exit' }]
  ],
  ['a webhook that is not http', [{ type: 'webhook', url: 'file:///etc/passwd' }]],
  ['a slug with slashes', [{ type: 'send', templateSlug: '../x' }]],
  ['51 steps', Array.from({ length: 51 }, () => send)]
]
for (const [name, value] of wrong) {
  test(`${name} is refused`, async (t) => t.notOk(steps.Check(value)))
}
