// Tokens: which are refused at start, which admit, when they expire.
import { test } from 'tap'
import { callRefusal } from '../boundary/judge-call.ts'
import { createBoundary } from '../boundary/test-contacts.ts'
import { createTokenRegister } from './token-register.ts'
import { hashOf } from './token-secret.ts'

const now = new Date('2030-01-01T00:00:00Z')
const OLD = 'the-old-token-of-a-rotation'
const NEW = 'the-new-token-of-a-rotation'
const entry = { token: OLD, actor: 'agent:a' }

test('tokens that cannot be safe are refused when the register is made', async (t) => {
  t.throws(() => createTokenRegister([]), { code: 'AGT_NO_TOKEN' })
  const short = { token: 'x'.repeat(23), actor: 'agent:a' }
  t.throws(() => createTokenRegister([short]), { code: 'AGT_TOKEN_SHORT' })
  t.throws(() => createTokenRegister([{ token: OLD, actor: ' ' }]), { code: 'AGT_ACTOR_BLANK' })
  t.throws(() => createTokenRegister([entry, entry]), { code: 'AGT_TOKEN_TAKEN' })
})

test('without a list there is no token, and an empty list is a mistake', async (t) => {
  const { callerOf, mayAct } = createTokenRegister(undefined)
  t.equal(callerOf(hashOf(OLD), now), undefined)
  t.equal(mayAct('agent:a', now), false)
  t.throws(() => createTokenRegister([]), { code: 'AGT_NO_TOKEN' })
})

test('several tokens admit at once, each as its actor', async (t) => {
  const { callerOf } = createTokenRegister([entry, { token: NEW, actor: 'agent:b' }])
  t.equal(callerOf(hashOf(OLD), now)?.actor, 'agent:a')
  t.equal(callerOf(hashOf(NEW), now)?.actor, 'agent:b')
  t.equal(callerOf(hashOf(''), now), undefined)
})

test('a token is refused from its expiry on', async (t) => {
  const { callerOf } = createTokenRegister([{ ...entry, expiresAt: now }])
  t.ok(callerOf(hashOf(OLD), new Date(now.getTime() - 1)))
  t.equal(callerOf(hashOf(OLD), now), undefined)
})

test('an actor may act later while one of its tokens is valid and may write', async (t) => {
  const before = new Date(now.getTime() - 1)
  const rotated = { token: NEW, actor: 'agent:a' }
  const reader = {
    token: 'the-token-of-a-reader-0001',
    actor: 'agent:r',
    scopes: ['mail:read']
  } as const
  const { mayAct } = createTokenRegister([{ ...entry, expiresAt: now }, reader])
  t.equal(mayAct('agent:a', before), true)
  t.equal(mayAct('agent:a', now), false)
  t.equal(mayAct('agent:r', before), false)
  t.equal(mayAct('agent:gone', before), false)
  t.equal(createTokenRegister([{ ...entry, expiresAt: now }, rotated]).mayAct('agent:a', now), true)
})

test('a token with routes opens these and what is below them', async (t) => {
  const caller = { actor: 'a', scopes: ['mail:write'], routes: ['/tick', '/templates/*'] } as const
  const call = { owner: 'agent', method: 'GET', route: '/x', effect: 'read' } as const
  const refusal = (path: string) => callRefusal(caller, { ...call, path }, createBoundary(null))
  t.equal(refusal('/tick'), undefined)
  t.equal(refusal('/templates/a/verify'), undefined)
  t.equal(refusal('/ticks'), 'route_not_allowed')
  t.equal(refusal('/templatesx'), 'route_not_allowed')
})
