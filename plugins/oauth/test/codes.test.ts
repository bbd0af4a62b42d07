// Codes: exactly one success, whatever the concurrency, and nothing left alive after a replay.
import { test } from 'tap'
import { hashOf } from '../crypto/handles.ts'
import { actor, bearer, random, startHost } from './flow.ts'

test('of 50 parallel redemptions one succeeds, and its tokens are dead', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const pair = await app.toCode({ scope: 'openid read' })
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.redeem(pair)))
  const [won, ...others] = answers.filter(({ status }) => status === 200)
  t.equal(others.length, 0)
  t.equal(answers.filter(({ json }) => json.error === 'invalid_grant').length, 49)
  t.equal((await app.userinfo(won?.json.access_token)).status, 401)
  t.equal((await app.refresh(won?.json.refresh_token)).json.error, 'invalid_grant')
  t.ok(running.events.some(({ type }) => type === 'oauth.code_replay_detected'))
})

test('a replay ends the tokens when the code has long expired and its row is gone', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const pair = await app.toCode({ scope: 'openid read' })
  const { json } = await app.redeem(pair)
  running.clock.advance(600)
  await running.host.models.OAuthCode.deleteOne({ codeHash: hashOf(pair.code) })
  t.equal((await app.userinfo(json.access_token)).status, 200)
  t.equal((await app.redeem(pair)).json.error, 'invalid_grant')
  t.equal((await app.userinfo(json.access_token)).status, 401)
  t.equal((await app.refresh(json.refresh_token)).json.error, 'invalid_grant')
})

test('an expired code presented twice raises no replay alarm', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const [pair, gone] = [await app.toCode(), await app.toCode()]
  running.clock.advance(61)
  t.equal((await app.redeem(pair)).json.error, 'invalid_grant')
  t.equal((await app.redeem(pair)).json.error, 'invalid_grant')
  await running.host.models.OAuthCode.deleteOne({ codeHash: hashOf(gone.code) })
  t.equal((await app.redeem(gone)).json.error, 'invalid_grant')
  t.equal(await running.host.models.OAuthAudit.countDocuments({ type: 'code_replay' }), 0)
  t.notOk(running.events.some(({ type }) => type === 'oauth.code_replay_detected'))
})

test('a replay also ends tokens that are being minted', async (t) => {
  const running = await startHost(t)
  const { tokens } = running.parts.services.collections
  const insertMany = tokens.insertMany.bind(tokens)
  let goOn: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const writing = new Promise<void>((resolve) => {
    tokens.insertMany = (async (...given: Parameters<typeof insertMany>) => {
      resolve()
      await held
      return insertMany(...given)
    }) as never
  })
  const app = actor(running, await running.client())
  const pair = await app.toCode()
  const winner = app.redeem(pair)
  await writing
  t.equal((await app.redeem(pair)).json.error, 'invalid_grant')
  goOn()
  const { status, json } = await winner
  t.equal(status, 200)
  t.equal(
    (await running.call('GET', '/oauth/userinfo', { headers: bearer(json.access_token) })).status,
    401
  )
  t.equal((await app.refresh(json.refresh_token)).json.error, 'invalid_grant')
})

test('revoking a grant ends its unused codes', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const pair = await app.toCode()
  const [grant] = (await running.host.grants.list({ userId: 'u1' })).items
  await running.host.grants.revoke(grant?.id ?? '')
  t.equal((await app.redeem(pair)).json.error, 'invalid_grant')
})

test('a code works only with its client, callback and verifier, for one minute', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const stranger = actor(running, await running.client())
  t.equal((await stranger.redeem(await app.toCode())).json.error, 'invalid_grant')
  t.equal(
    (await app.redeem(await app.toCode(), { redirect_uri: `${'https://app.example.test/cb'}/` }))
      .json.error,
    'invalid_grant'
  )
  for (const verifier of [random(), 'short', undefined]) {
    const pair = await app.toCode()
    t.equal((await app.redeem(pair, { code_verifier: verifier })).json.error, 'invalid_grant')
    t.equal((await app.redeem(pair)).json.error, 'invalid_grant', 'and it is used up')
  }
  const late = await app.toCode()
  running.clock.advance(61)
  t.equal((await app.redeem(late)).json.error, 'invalid_grant')
})

test('without a signing key nothing is stored when an identity token was asked for', async (t) => {
  const running = await startHost(t, { signing: {} })
  const app = actor(running, await running.client())
  const answer = await app.redeem(await app.toCode())
  t.same([answer.status, answer.json], [500, { error: 'server_error' }])
  t.equal(await running.host.models.OAuthToken.countDocuments(), 0)
  t.equal((await app.redeem(await app.toCode({ scope: 'read' }))).status, 200)
})

test('an exchange takes at most six commands, a refresh too', async (t) => {
  const running = await startHost(t, {
    rateLimits: { token: { max: 600, windowMs: 60_000 } }
  })
  const app = actor(running, await running.client())
  const pair = await app.toCode({ scope: 'openid read' })
  await app.redeem(await app.toCode({ scope: 'openid read' }))
  await running.parts.services.attempts.settle()
  running.commands()
  const { json } = await app.redeem(pair)
  await running.parts.services.attempts.settle()
  const exchange = running.commands()
  t.ok(exchange.length <= 6, exchange.join(' '))
  await app.refresh(json.refresh_token)
  const refresh = running.commands()
  t.ok(refresh.length <= 6, refresh.join(' '))
})
