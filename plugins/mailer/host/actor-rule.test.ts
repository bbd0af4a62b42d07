// Who may change or send through the mailer's capability.
import { type Actor, systemActor } from '@keelson/sdk'
import type { ViewerProvider } from '@keelson/sdk/contracts/auth-viewer'
import { test } from 'tap'
import { createActorRule } from './actor-rule.ts'

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

test('administrators of the tenants of the mailer may, others may not', async (t) => {
  const admits = createActorRule({ tenants, viewers: () => undefined })
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
    const admits = createActorRule({ tenants, viewers: () => provider })
    t.equal(await admits(later), expected)
  }
})

test('a permission that a person has lost is missed when what they set up happens', async (t) => {
  const permits = (_viewer: unknown, name: string) => name === 'mailer.publish'
  const admits = createActorRule({ tenants, viewers: () => knowing('admin'), permits })
  t.equal(await admits(later, 'mailer.publish'), true)
  t.equal(await admits(later, 'mailer.sendBroadcasts'), false)
  t.equal(await admits(ada, 'mailer.sendBroadcasts'), true, 'an operation has asked for it')
})
