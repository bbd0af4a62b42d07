// What a definition is refused for.
import { test } from 'tap'
import { checkSteps } from './check-steps.ts'

const templates = new Set(['welcome'])
const send = { type: 'send', templateSlug: 'welcome' }
const messages = (steps: unknown) => checkSteps(steps, templates).map(({ message }) => message)
const nested = (depth: number): object =>
  depth === 0 ? send : { type: 'branch', test: { hasTag: 'x' }, ifTrueSteps: [nested(depth - 1)] }
const split = (...percents: number[]) => ({
  type: 'split',
  arms: percents.map((percent, at) => ({ name: `arm ${at}`, percent, steps: [send] }))
})

test('a definition without faults passes', async (t) => {
  t.same(messages([send, split(33.3, 33.3, 33.4), nested(5)]), [])
})

const faults: readonly (readonly [string, unknown, RegExp])[] = [
  [
    'a template that is not published',
    [{ ...send, templateSlug: 'gone' }],
    /gone is not published/
  ],
  [
    'one inside an arm, with its path',
    [split(50, 50), { ...nested(0), templateSlug: 'x' }],
    /Step 1/
  ],
  ['percentages of 90', [split(50, 40)], /add up to 90/],
  ['arms that are six deep', [nested(6)], /at most 5 deep/],
  ['51 steps in a list', Array.from({ length: 51 }, () => send), /51|50/],
  ['an unknown step', [{ type: 'sms' }], /0/],
  ['an unknown time zone', [{ ...send, delivery: { timezone: 'Mars/Base' } }], /Mars\/Base/],
  ['a wait for nothing', [{ type: 'waitUntil' }], /missing/],
  ['a wait for two times', [{ type: 'waitUntil', at: '2030-01-01', field: 'x' }], /only one/],
  ['a time that is none', [{ type: 'waitUntil', at: 'soon' }], /soon/],
  ['a value that is not a list', 'steps', /array/]
]
for (const [name, steps, message] of faults) {
  test(`${name} is refused`, async (t) => t.match(messages(steps).join('\n'), message))
}
