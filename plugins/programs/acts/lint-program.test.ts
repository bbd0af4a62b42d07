// What keeps a program from being published.
import { test } from 'tap'
import { lintProgram } from './lint-program.ts'

const action = {
  id: 'invite',
  templateSlug: 'invite',
  priority: 1,
  satisfied: { fact: 'seats', atLeast: 2 },
  attempts: { max: 2 }
}
const program = { trigger: { eventName: 'signed_up' }, actions: [action] }
const known = {
  templates: new Set(['invite']),
  facts: { seats: 'number', plan: 'text', lastSessionAt: 'time' }
} as const

const withAction = (more: object) => ({ ...program, actions: [{ ...action, ...more }] })

test('a program without faults has no issues', async (t) => {
  t.same(lintProgram(program, known), [])
})

const faults: readonly (readonly [string, unknown, string])[] = [
  ['something else than a program', 7, ''],
  ['an unknown key', withAction({ speed: 1 }), 'actions/0'],
  [
    'a template that is not published',
    withAction({ templateSlug: 'x' }),
    'actions.invite.template'
  ],
  ['an action that is not there', withAction({ requires: ['x'] }), 'actions.invite.requires'],
  [
    'an action that waits for itself',
    withAction({ requires: ['invite'] }),
    'actions.invite.requires'
  ],
  ['an id that is used twice', { ...program, actions: [action, action] }, 'actions.invite'],
  ['an unknown fact', withAction({ eligible: { fact: 'x', exists: true } }), 'actions.invite'],
  [
    'a text compared as a number',
    withAction({ satisfied: { fact: 'plan', atMost: 1 } }),
    'actions'
  ],
  [
    'a number compared with a text',
    withAction({ satisfied: { fact: 'seats', equals: 'x' } }),
    'act'
  ],
  [
    'an unknown time zone',
    { ...program, policy: { delivery: { timezone: 'Mars/Base' } } },
    'policy.delivery.timezone'
  ]
]
for (const [what, definition, path] of faults) {
  test(`${what} is an error`, async (t) => {
    const [issue] = lintProgram(definition, known)
    t.equal(issue?.severity, 'error')
    t.ok(issue?.path.replaceAll('.', '/').startsWith(path.replaceAll('.', '/')))
  })
}

test('without declared facts any fact may be named', async (t) => {
  const { templates } = known
  t.same(lintProgram(withAction({ satisfied: { fact: 'x', exists: true } }), { templates }), [])
})

test('a hold without a sunset is a warning', async (t) => {
  t.match(lintProgram(withAction({ onExhaust: 'hold' }), known), [
    { severity: 'warning', path: 'policy.sunset' }
  ])
})
