// Diagnostics: what was refused by its value, failed refreshes, and attempts that strangers cannot displace.
import { test } from 'tap'
import { peopleOfTenant } from '../users/people-of-tenant.ts'
import { API, actor, random, startHost } from './flow.ts'

test('diagnostics show what was refused, for which resource, and failed refreshes', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const app = actor(running, client)
  await app.authorize({ redirect_uri: 'https://evil.example.test/cb' })
  await app.authorize({ scope: 'openid ghost' })
  await app.authorize({ resource: 'https://elsewhere.example.test' })
  await app.toConsent({ scope: 'read' })
  await app.refresh(random())
  const { attempts } = running.parts.services
  const details = (await attempts.list(client.clientId)).flatMap(({ steps }) =>
    steps.map(({ detail }) => detail)
  )
  for (const wanted of [
    'redirect_uri is not registered for this client. It was: https://evil.example.test/cb',
    'A requested scope is unknown. It was: ghost',
    'A requested resource is unknown. It was: https://elsewhere.example.test',
    `Asked for read, at ${API}.`,
    'Refresh: The refresh token cannot be used.'
  ]) {
    t.ok(details.includes(wanted), wanted)
  }
})

test('diagnostics show who was signed in and from where, until the person is erased', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const app = actor(running, client)
  await app.toConsent({ scope: 'read' })
  const { attempts } = running.parts.services
  t.match(await attempts.list(client.clientId), [{ userId: 'u1', ip: '127.0.0.1' }])
  await app.toConsent({ scope: 'read' })
  await running.host.users.forget('u1')
  const left = await attempts.list(client.clientId)
  t.equal(left.length, 2)
  t.same(
    left.map(({ userId, ip }) => userId ?? ip),
    [undefined, undefined]
  )
})

test('requests of strangers do not displace the attempts of people', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const app = actor(running, client)
  await app.tokens({ scope: 'read' })
  const { attempts } = running.parts.services
  await attempts.settle()
  for (let at = 0; at < 150; at++) {
    running.clock.advance(1)
    const attemptId = attempts.begin(client.clientId)
    attempts.note(attemptId, 'request', 'refused', `Stranger ${at}.`)
    if (at % 30 === 29) await attempts.settle()
  }
  const listed = await attempts.list(client.clientId)
  t.equal(listed.length, 100)
  t.match(listed.at(-1)?.steps.at(-1), { step: 'token', outcome: 'passed' })
  t.match(listed[0]?.steps, [{ detail: 'Stranger 149.' }])
  const kept = await running.parts.services.collections.attempts.countDocuments()
  t.ok(kept <= 130, `${kept} rows are kept`)
})

test('an unknown client is shown with the id that it sent, the cause, and the host to allow', async (t) => {
  const id = 'https://vscode.dev/oauth/client-metadata.json'
  const running = await startHost(t, { clientIdMetadata: { hosts: ['claude.ai'] } })
  const app = actor(running, await running.client())
  await app.authorize({ client_id: id })
  await app.authorize({ client_id: 'x'.repeat(1000) })
  const listed = await running.parts.services.attempts.list(null)
  t.equal(listed.length, 2)
  // Both may be of the same millisecond.
  const foreign = listed.find(({ sentId }) => sentId === id)
  const long = listed.find(({ sentId }) => sentId !== id)
  t.match(foreign, { sentId: id, refusedHost: 'vscode.dev' })
  t.match(foreign?.steps[0]?.detail, `Unknown client ${id}: its host vscode.dev is not among`)
  t.equal(long?.sentId?.length, 200)
  t.equal(long?.refusedHost, undefined)
  for (const sent of [id, 'x'.repeat(1000)]) {
    for (const seen of [{}, peopleOfTenant('acme', 'acme').seen]) {
      const found = await running.parts.services.attempts.list(sent, seen)
      t.match(found, [{ sentId: sent.slice(0, 200) }], 'and is found by it')
      t.equal(found.length, 1)
    }
  }
})

test('diagnostics show which tokens a resource refused and why, each refusal once in ten minutes', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const app = actor(running, client)
  const call = (token: string) =>
    running.app.inject({ url: '/api/write', headers: { authorization: `Bearer ${token}` } })
  const reading = await app.tokens({ scope: 'read' })
  const { attempts } = running.parts.services
  const seen = async (clientId: string | null) =>
    (await attempts.list(clientId)).flatMap(({ steps }) =>
      steps.filter(({ step }) => step === 'resource').map(({ detail }) => detail)
    )
  const lacks = `The access token lacks a scope of read write. It was sent to ${API}.`
  for (let time = 0; time < 3; time++) t.equal((await call(reading.access_token)).statusCode, 403)
  t.same(await seen(client.clientId), [lacks])
  running.clock.advance(600)
  await call(reading.access_token)
  t.same(await seen(client.clientId), [lacks, lacks])
  for (const token of [random(), random()]) t.equal((await call(token)).statusCode, 401)
  t.same(await seen(null), [`The access token is not valid. It was sent to ${API}.`])
  t.equal((await running.app.inject({ url: '/api/write' })).statusCode, 401)
  t.equal((await seen(null)).length, 1, 'a request without a token begins to sign in')
})
