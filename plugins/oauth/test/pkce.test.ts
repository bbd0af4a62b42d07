// PKCE: left out only by a confidential client that may, with openid and a nonce; never downgraded.
import { test } from 'tap'
import { actor, back, random, startHost } from './flow.ts'

const NONE = { code_challenge: undefined, code_challenge_method: undefined }

test('a confidential client with ifSent signs people in with a nonce alone', async (t) => {
  const running = await startHost(t)
  const client = await running.client({ pkce: 'ifSent' })
  const app = actor(running, client)
  const nonce = random()
  const { code } = await app.toCode({ ...NONE, nonce })
  const form = { code_verifier: undefined }
  const answer = await app.redeem({ code, verifier: '' }, form)
  t.equal(answer.status, 200, answer.text)
  t.type(answer.json.id_token, 'string')
})

test('without PKCE a request needs openid, a nonce, and a client that may leave it out', async (t) => {
  const running = await startHost(t)
  const may = actor(running, await running.client({ pkce: 'ifSent' }))
  const mayNot = actor(running, await running.client())
  const mobile = actor(running, await running.client({ type: 'public' }))
  const nonce = random()
  for (const [app, more] of [
    [may, NONE],
    [may, { ...NONE, nonce, scope: 'read' }],
    [may, { code_challenge: undefined, nonce }],
    [may, { code_challenge_method: 'plain', nonce }],
    [mayNot, { ...NONE, nonce }],
    [mobile, { ...NONE, nonce }]
  ] as const) {
    const answer = back(await app.authorize(more))
    t.equal(answer['error'], 'invalid_request', JSON.stringify(more))
    t.match(answer['error_description'], /^code_challenge/)
  }
  await t.rejects(running.client({ type: 'public', pkce: 'ifSent' }), {
    code: 'OAU_CLIENT_INVALID'
  })
})

test('a challenge that was sent is always checked, and a verifier without one is refused', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client({ pkce: 'ifSent' }))
  const nonce = random()
  const promised = await app.toCode({ nonce })
  const without = await app.redeem({ ...promised, verifier: '' }, { code_verifier: undefined })
  t.equal(without.json.error, 'invalid_grant')
  // An attacker took the challenge out of the request: the client still sends its verifier.
  const stripped = await app.toCode({ ...NONE, nonce })
  t.equal((await app.redeem({ ...stripped, verifier: random() })).json.error, 'invalid_grant')
})
