// People of the platform: their tenant is part of who they are, and their access ends by capability, route and command.
import { generateKeyPairSync } from 'node:crypto'
import type { ViewerContexts } from '@keelson/sdk/contracts/auth-viewer'
import { decodeProtectedHeader } from 'jose'
import { test } from 'tap'
import { personId, personOf, userOfViewer } from '../viewers.ts'
import { CONFIG, PLATFORM, person, refresh, start, subjectOf, tokensOf } from './platform-people.ts'
import { runCommand } from './run-command.ts'

test('grants of the administration name their people, as they are known now', async (t) => {
  const started = await start(t)
  await tokensOf(started, person('acme', '1'))
  await tokensOf(started, person('acme', '2'))
  started.signing.known.delete('acme user:2')
  started.host.signIn(PLATFORM)
  const { items } = (await started.host.app.inject('/oauth/admin/grants')).json()
  t.match(items, [{ userId: '2' }, { userId: '1', person: 'Name of user:1' }])
  t.notOk('person' in items[0], 'a person who is gone is shown by the id')
})

test('the audit log names people and administrators, as they are known now', async (t) => {
  const started = await start(t)
  await tokensOf(started, person('acme', '1'))
  await tokensOf(started, person('acme', '2'))
  started.signing.known.delete('acme user:2')
  started.host.signIn(PLATFORM)
  const { items } = (await started.host.app.inject('/oauth/admin/audit')).json()
  const of = (userId: string) => items.find((item: { userId?: string }) => item.userId === userId)
  t.match(of('acme::1'), { person: 'Name of user:1' })
  t.ok(of('acme::2'))
  t.notOk('person' in of('acme::2'), 'a person who is gone is shown by the id')
})

test('two tenants with the same viewerRef have two people; those of the home tenant keep their bare id', async (t) => {
  const started = await start(t, { homeTenant: 'acme' })
  const acme = await tokensOf(started, person('acme', '1'))
  const globex = await tokensOf(started, person('globex', '1'))
  t.equal(await subjectOf(started, acme), '1')
  t.equal(await subjectOf(started, globex), 'globex::1')
  started.host.signIn(person('acme', '1'))
  const mine = await started.host.app.inject('/oauth/me/grants')
  t.equal(mine.json().items.length, 1)
  started.signing.known.delete('globex user:1')
  t.equal(await refresh(started, globex), 400, 'this person is gone')
  t.equal(await refresh(started, acme), 200, 'and the other is not')
})

test('without a configured home tenant it is the first one that is seen', async (t) => {
  const started = await start(t)
  // An administrator of the platform made the client.
  t.equal(await subjectOf(started, await tokensOf(started, person('acme', '1'))), 'acme::1')
  t.match(
    await started.host.db.collection('oauth_state').findOne({ _id: 'home-tenant' as never }),
    {
      value: '*'
    }
  )
})

test('ids of people keep tenants apart, whatever the ids hold', (t) => {
  const refs = [
    ['acme', 'user:1'],
    ['globex', 'user:1'],
    ['*', 'user:1'],
    ['a::b', 'user:1'],
    ['a', 'user:b::1'],
    ['acme', 'user:globex::1'],
    ['acme', 'user:a:b'],
    ['ü/%', 'user:ü%3A']
  ] as const
  const ids = refs.map(([tenantId, viewerRef]) => personId({ tenantId, viewerRef }, 'acme'))
  t.equal(new Set(ids).size, refs.length)
  t.same(
    ids.map((id) => personOf(id ?? '', 'acme')),
    refs.map(([tenantId, viewerRef]) => ({ tenantId, viewerRef }))
  )
  t.equal(ids[0], '1')
  t.equal(ids[6], 'a:b')
  t.end()
})

test('only viewers that are people are OAuth users', (t) => {
  const viewer = { ...person('acme', 'a', 'admin'), email: 'a@acme.test', name: 'A' }
  t.same(userOfViewer(viewer, 'acme'), { id: 'a', email: 'a@acme.test', displayName: 'A' })
  t.match(userOfViewer({ ...viewer, emailVerified: false }, 'acme'), { emailVerified: false })
  t.equal(userOfViewer({ ...viewer, viewerRef: 'agent:x' }, 'acme'), null)
  t.equal(userOfViewer({ ...viewer, viewerRef: 'user:' }, 'acme'), null)
  t.equal(userOfViewer(null, 'acme'), null)
  t.end()
})

test('a plugin ends the access of people and forgets them by oauth.people/v1', async (t) => {
  const started = await start(t, { homeTenant: 'acme' })
  const people = started.signing.people
  const one = { tenantId: 'acme', viewerRef: 'user:1' }
  const first = await tokensOf(started, person('acme', '1'))
  const other = await tokensOf(started, person('globex', '1'))
  t.same(await people?.revokeAll(one, { reason: 'left' }), { grantsRevoked: 1, tokensRevoked: 2 })
  t.equal(await subjectOf(started, first), 401)
  t.equal(await refresh(started, other), 200)
  t.same(await people?.leaveContext(one, 'org'), { grantsRevoked: 0, tokensRevoked: 0 })
  t.match(await people?.forget(one), { grants: 1, tokens: 2 })
  const rows = await started.host.db.collection('oauth_grants').find().toArray()
  t.match(rows, [{ userId: 'globex::1' }])
  const agent = { tenantId: 'acme', viewerRef: 'agent:x' }
  await t.rejects(async () => void (await people?.forget(agent)), { code: 'OAU_USER_ID_INVALID' })
})

test('administrators end access and forget people of their own tenant alone, and are audited', async (t) => {
  const started = await start(t, { homeTenant: 'acme' })
  const { host } = started
  const call = async (path: string, payload?: object) => {
    const url = `/oauth/admin/users/${encodeURIComponent(path.split('/')[0] ?? '')}/${path.split('/')[1]}`
    const answer = await host.app.inject({ method: 'POST', url, ...(payload && { payload }) })
    return { status: answer.statusCode, json: answer.json() }
  }
  const tokens = await tokensOf(started, person('acme', '1'))
  await tokensOf(started, person('globex', '1'))
  host.signIn(person('acme', '2'))
  t.equal((await call('1/revoke-all')).status, 403, 'a viewer')
  host.signIn(person('acme', 'boss', 'admin'))
  t.match(await call('globex::1/forget'), { status: 403, json: { code: 'OAU_PERSON_FOREIGN' } })
  t.match(await call('1/revoke-all', { reason: 'left' }), {
    status: 200,
    json: { grantsRevoked: 1, tokensRevoked: 2 }
  })
  t.equal(await subjectOf(started, tokens), 401)
  t.match(await call('1/leave-context', {}), { status: 400 })
  t.match(await call('1/leave-context', { contextId: 'org' }), { json: { grantsRevoked: 0 } })
  const audit = host.db.collection('oauth_audit')
  t.match(await audit.findOne({ type: 'oauth.user_access_revoked' }), {
    actor: 'admin',
    actorId: 'boss',
    userId: '1',
    requestId: String,
    meta: { reason: 'left' }
  })
  t.match(await call('1/forget'), { status: 200, json: { grants: 1, tokens: 2 } })
  t.match(await audit.findOne({ type: 'oauth.user_forgotten' }), { actorId: 'boss', ip: String })
  t.equal(await audit.countDocuments({ userId: '1' }), 0)
  host.signIn(PLATFORM)
  t.match(await call('globex::1/forget'), { status: 200, json: { grants: 1 } })
  host.signIn(person('acme', 'boss', 'admin'))
  t.equal((await call('boss/forget')).status, 200)
  t.equal(
    await audit.countDocuments({ actorId: 'boss' }),
    0,
    'administrators may forget themselves'
  )
})

test('the command line ends access and forgets people', async (t) => {
  const started = await start(t, { homeTenant: 'acme' })
  const { host } = started
  const run = (name: string, args: string[], options: Record<string, string> = {}) =>
    runCommand({ host, config: CONFIG }, name, { args, options })
  const tokens = await tokensOf(started, person('acme', '1'))
  t.match(await run('users revoke-all', ['1'], { reason: 'left' }), {
    json: { grantsRevoked: 1, tokensRevoked: 2 },
    text: '1 grants and 2 tokens ended.'
  })
  t.equal(await refresh(started, tokens), 400)
  t.match(await run('users leave-context', ['1'], { context: 'org' }), {
    json: { grantsRevoked: 0 }
  })
  t.match(await run('users leave-context', ['1']), { wrongUse: /--context/ })
  t.match(await run('users forget', ['1']), { json: { grants: 1, tokens: 2 } })
  t.equal(await host.db.collection('oauth_grants').countDocuments(), 0)
  for (const name of ['forget', 'revoke-all', 'leave-context']) {
    t.match(await run(`users ${name}`, []), { wrongUse: /id/ })
  }
})

test('a person chooses a context of the sign-in plugin, and loses access when they leave it', async (t) => {
  const members = new Set(['acme user:1 org-a'])
  const asked: unknown[] = []
  const contexts: ViewerContexts = {
    list: (whose, about) => {
      asked.push([whose, about])
      return [{ id: 'org-a', label: 'Org A' }]
    },
    verify: ({ tenantId, viewerRef }, id) => members.has(`${tenantId} ${viewerRef} ${id}`),
    describe: (ids) => ids.map((id) => ({ id, label: `Label of ${id}` }))
  }
  const started = await start(t, { homeTenant: 'acme' }, contexts)
  const decision = { approve: true, contextId: 'org-a' }
  const tokens = await tokensOf(started, person('acme', '1'), decision)
  const { json: mine } = { json: (await started.host.app.inject('/oauth/me/grants')).json() }
  t.match(mine.items, [{ contextId: 'org-a', contextLabel: 'Label of org-a' }])
  t.equal(await refresh(started, tokens), 200)
  members.clear()
  t.equal(await refresh(started, tokens), 400)
  t.same(asked, [], 'the list is for the consent page')
})

test('contexts of the sign-in plugin can be switched off, and cannot be required where there are none', async (t) => {
  const contexts: ViewerContexts = { list: () => [], verify: () => false }
  const started = await start(t, { homeTenant: 'acme', grantContext: false }, contexts)
  t.type((await tokensOf(started, person('acme', '1'))).access_token, 'string')
  await t.rejects(start(t, { grantContext: true }), { message: /auth\.viewer\/v1 has no contexts/ })
})

test('signing keys of the config sign, with encrypted ones in the database', async (t) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const started = await start(t, {
    homeTenant: 'acme',
    secret: 'a secret of the operator, long enough',
    signing: { keys: [{ kid: 'ours', privateKeyPem }] }
  })
  const { id_token } = await tokensOf(started, person('acme', '1'))
  t.equal(decodeProtectedHeader(id_token).kid, 'ours')
})
