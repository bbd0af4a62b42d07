// Who may change or send through the mailer's capability.
import { type Actor, systemActor } from '@keelson/sdk'
import type { ViewerProvider } from '@keelson/sdk/contracts/auth-viewer'
import { test } from 'tap'
import { type ActorRuleOptions, createActorRule } from './actor-rule.ts'

const tenants = new Set(['*', 'acme'])
const ada: Actor = {
  tenantId: 'acme',
  viewerRef: 'user:ada',
  role: 'admin',
  name: 'human:ada',
  via: 'session'
}
const later: Actor = { ...ada, via: 'alert:a1' }

const knowing = (role: string | null, tenantId = 'acme'): ViewerProvider => ({
  resolveViewer: () => null,
  loadViewer: () => (role === null ? null : { tenantId, role })
})

const now = new Date(Date.UTC(2026, 0, 1))
const ruleOf = (options: Partial<ActorRuleOptions>) =>
  createActorRule({
    tenants,
    viewers: () => undefined,
    tokens: () => [],
    clock: { now: () => now },
    ...options
  })

test('administrators of the tenants of the mailer may, others may not', async (t) => {
  const admits = ruleOf({ viewers: () => undefined })
  t.equal(await admits(ada), true)
  t.equal(await admits({ ...ada, tenantId: '*' }), true)
  t.equal(await admits({ ...ada, tenantId: 'globex' }), false)
  t.equal(await admits({ ...ada, role: 'viewer' }), false)
  t.equal(await admits({ tenantId: 'acme', name: 'anonymous', via: 'session' }), false)
  t.equal(await admits(systemActor('dmarc')), true)
  t.equal(await admits({ tenantId: '*', name: 'human:ada', via: 'host' }), true)
})

test('what a person has set up is checked with the role that they have now', async (t) => {
  const table: readonly (readonly [ViewerProvider | undefined, boolean])[] = [
    [knowing('admin'), true],
    [knowing('viewer'), false],
    [knowing(null), false],
    [knowing('admin', 'globex'), false],
    [undefined, true]
  ]
  for (const [provider, expected] of table) {
    const admits = ruleOf({ viewers: () => provider })
    t.equal(await admits(later), expected)
  }
})

test('a permission that a person has lost is missed when what they set up happens', async (t) => {
  const permits = (_viewer: unknown, name: string) => name === 'mailer.publish'
  const admits = ruleOf({ viewers: () => knowing('admin'), permits })
  t.equal(await admits(later, 'mailer.publish'), true)
  t.equal(await admits(later, 'mailer.sendBroadcasts'), false)
  t.equal(await admits(ada, 'mailer.sendBroadcasts'), true, 'an operation has asked for it')
})

test('what a token has set up goes on while a plugin knows the token', async (t) => {
  const bot: Actor = { tenantId: '*', token: 'agent:bot', name: 'agent:bot', via: 'token' }
  const bots = { mayAct: (token: string, at: Date) => token === 'agent:bot' && at < now }
  const slow = { mayAct: async (token: string) => token === 'agent:bot' }
  const none = ruleOf({})
  t.equal(await none(bot), true, 'it was looked up for this call')
  for (const [tokens, expected] of [
    [[], false],
    [[bots], false],
    [[bots, slow], true]
  ] as const) {
    const admits = ruleOf({ tokens: () => tokens })
    t.equal(await admits({ ...bot, via: 'broadcast:spring' }), expected)
  }
  t.equal(
    await ruleOf({ tokens: () => [slow] })({ ...bot, token: 'agent:other', via: 'flow:a' }),
    false
  )
})
