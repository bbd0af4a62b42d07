// People as the host's adapters answer them: who is gone loses access, who has no id is an error.
import { test } from 'tap'
import type { OAuthUser } from '../config/host-code.ts'
import { actor, bearer, startHost } from './flow.ts'

test('a person whom loadUser does not know gets invalid_grant, and the family ends', async (t) => {
  const known = new Set(['u1', 'u2'])
  const running = await startHost(t, {
    loadUser: (id) => (known.has(id) ? { id, displayName: id } : null)
  })
  const client = await running.client()
  const [app, other] = [actor(running, client), actor(running, client, 'u2')]
  const tokens = await app.tokens({ scope: 'openid read' })
  const pair = await app.toCode({ scope: 'read' })
  const kept = await other.tokens({ scope: 'read' })
  const read = (token: string) => running.call('GET', '/api/read', { headers: bearer(token) })
  t.equal((await read(tokens.access_token)).status, 200)
  known.delete('u1')
  t.match(await app.refresh(tokens.refresh_token), {
    status: 400,
    json: { error: 'invalid_grant' }
  })
  t.equal((await read(tokens.access_token)).status, 401, 'the family ended')
  t.match(await app.redeem(pair), { status: 400, json: { error: 'invalid_grant' } })
  const rows = await running.host.models.OAuthAudit.find({ type: 'unknown_person' }).toArray()
  t.same(rows.map(({ userId, meta }) => [userId, meta?.['tokensRevoked']]).sort(), [
    ['u1', 0],
    ['u1', 2]
  ])
  known.add('u1')
  t.equal((await app.refresh(tokens.refresh_token)).status, 400, 'it does not come back')
  t.equal((await app.redeem(pair)).status, 400)
  t.equal((await other.refresh(kept.refresh_token)).status, 200)
})

test('a failing adapter uses no code up: the client may try again', async (t) => {
  let isAway = false
  const away = () => {
    if (isAway) throw new Error('the directory is away')
  }
  const running = await startHost(t, {
    loadUser: (id) => {
      away()
      return { id }
    }
  })
  const app = actor(running, await running.client())
  const pair = await app.toCode()
  isAway = true
  t.equal((await app.redeem(pair)).status, 500)
  isAway = false
  const tokens = await app.redeem(pair)
  t.equal(tokens.status, 200)
  isAway = true
  t.equal((await app.refresh(tokens.json.refresh_token)).status, 500)
  isAway = false
  t.equal((await app.refresh(tokens.json.refresh_token)).status, 200)
})

test('an adapter answer without an id is an error, never an account that many share', async (t) => {
  let answer: unknown
  const running = await startHost(t, { resolveUser: () => answer as OAuthUser })
  const app = actor(running, await running.client())
  for (const id of [undefined, null, '', {}, [], Buffer.from([0xff]), Number.NaN, true]) {
    answer = { id, email: 'a@example.test' }
    t.equal((await app.authorize()).status, 500, String(id))
  }
  t.match(running.warnings.at(-1), { err: { code: 'OAU_USER_ID_INVALID' } })
  for (const id of ['u1', 7, 7n, { toHexString: () => 'ab' }]) {
    answer = { id }
    t.equal((await app.authorize()).status, 302, String(id))
  }
  await t.rejects(running.host.users.forget(undefined), { code: 'OAU_USER_ID_INVALID' })
})
