// What the server finds in a flow has words on its page.
import { test } from 'tap'
import { checkSteps } from '../../campaigns/flows/interpret/check-steps.ts'
import exits from '../exit-words.en.json' with { type: 'json' }
import texts from './edit-texts.en.json' with { type: 'json' }
import simulated from './simulation-texts.en.json' with { type: 'json' }

const exit = { type: 'exit' }
const rule = (depth: number): object => (depth === 0 ? { hasTag: 'a' } : { not: rule(depth - 1) })
const nested = (depth: number): object =>
  depth === 0 ? exit : { type: 'branch', test: { hasTag: 'a' }, ifTrueSteps: [nested(depth - 1)] }
const arms = (...shares: readonly number[]) => ({
  type: 'split',
  arms: shares.map((percent) => ({ name: 'A', percent, steps: [exit] }))
})

/** One step for each fault. */
const FAULTY: readonly (readonly [code: string, ...steps: readonly object[]])[] = [
  ['template_unpublished', { type: 'send', templateSlug: 'none' }],
  ['zone_unknown', { type: 'waitUntil', delivery: { timeOfDay: '09:00', timezone: 'Mars/One' } }],
  ['shares_sum', arms(50, 40)],
  ['arm_twice', arms(50, 50)],
  ['times_many', { type: 'waitUntil', property: 'a', field: 'b' }],
  ['times_missing', { type: 'waitUntil' }],
  ['time_invalid', { type: 'waitUntil', at: 'soon' }],
  ['rules_deep', { type: 'condition', test: rule(12), ifFalse: 'exit' }],
  ['arms_deep', nested(8)],
  ['schema', { type: 'jump' }]
]

for (const [code, ...steps] of FAULTY) {
  test(`the fault ${code} of a flow has words`, async (t) => {
    const codes = checkSteps(steps, new Set()).map((fault) => fault.code)
    t.ok(codes.includes(code), `${codes}`)
    for (const one of codes) t.ok(`fault.${one}` in texts, one)
  })
}

/** Of a flow that is off, of `reasonsAgainst`, and the subscriptions that are not open. */
const AGAINST = [
  'not_published',
  'disabled',
  'no_steps',
  'contact_unknown',
  'no_subscription',
  'pending_doi',
  'unsubscribed',
  'bounced',
  'complained',
  'was_in_it'
]

test('each reason against a simulated contact has words', async (t) => {
  for (const code of AGAINST) t.ok(`sim.why.${code}` in simulated, code)
})

/** Why runs end by themselves: of the interpreter, of subscriptions, of what fails, and of stopping. */
const EXITS = [
  'contact_missing',
  'contact_no_email',
  'not_subscribed',
  'pending_doi',
  'unsubscribed',
  'bounced',
  'complained',
  'condition_false',
  'template_missing',
  'flow_missing',
  'broken',
  'webhook_failed',
  'workers_lost',
  'flow_stopped',
  'aborted_by_host',
  'step_limit'
]

for (const code of EXITS)
  test(`the end ${code} of a run has words`, async (t) => t.ok(`exit.${code}` in exits))
