// Agent tokens on an app without the kernel: made behind the sign-in of its host, taken by the same mailer's agent API.
import Fastify from 'fastify'
import { test } from 'tap'
import { createAgentAdmin } from '../create-agent.ts'
import { agentApp } from './agent-app.ts'

const ask = { name: 'Deploy bot', scopes: ['mail:write'] }

test('a token is made, used, rotated and revoked, in the name of who the host says', async (t) => {
  const { app, call, connect, db } = await agentApp(t, {
    admin: { getActor: ({ headers }) => `human:${headers['x-user']}` }
  })
  const admin = async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const url = `/console/admin/tokens${path}`
    const headers = { 'x-user': 'ann@acme.test' }
    const reply = await app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: reply.statusCode, body: reply.json() }
  }
  const made = await admin('POST', '', ask)
  t.match(made, { status: 201, body: { token: { owner: 'human:ann@acme.test', tenantId: '*' } } })
  const { secret, token } = made.body
  const use = (bearer: string) => call('GET', '', undefined, { authorization: `Bearer ${bearer}` })
  t.match(await use(secret), { status: 200, body: { actor: token.actor } })
  const client = await connect(secret)
  t.match(await client.callTool({ name: 'whoami' }), {
    structuredContent: { actor: token.actor, scopes: ['mail:write'] }
  })
  const rotated = await admin('POST', `/${token.id}/rotate`, {})
  t.equal((await use(secret)).status, 401)
  t.equal((await use(rotated.body.secret)).status, 200)
  await admin('POST', `/${token.id}/revoke`)
  t.equal((await use(rotated.body.secret)).status, 401)
  t.match((await admin('GET', '')).body, { items: [{ id: token.id, state: 'revoked' }] })
  const audit = db.collection('mailer_audit_log').find({ action: /^agent\.token\./ })
  t.match(await audit.toArray(), [
    { actor: 'human:ann@acme.test' },
    { actor: 'human:ann@acme.test' },
    { actor: 'human:ann@acme.test' }
  ])
})

test('the host says what its administrators may give', async (t) => {
  const { app } = await agentApp(t, {
    admin: { may: (_request, name) => name !== 'mailer.publish' }
  })
  const post = (scopes: readonly string[]) =>
    app.inject({ method: 'POST', url: '/console/admin/tokens', payload: { ...ask, scopes } })
  t.match((await post(['mail:write'])).json(), { error: 'forbidden' })
  t.equal((await post(['mail:read'])).statusCode, 201)
})

test('the administration alone makes tokens for the router alone', async (t) => {
  const { call, mailer } = await agentApp(t)
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(createAgentAdmin(mailer), { prefix: '/console' })
  const made = await app.inject({ method: 'POST', url: '/console/admin/tokens', payload: ask })
  const { secret, token } = made.json()
  t.match(await call('GET', '', undefined, { authorization: `Bearer ${secret}` }), {
    status: 200,
    body: { actor: token.actor }
  })
})
