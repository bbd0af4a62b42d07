// What signs an assertion, and for whom: by the profile that the client is held to.
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { test } from 'tap'
import { ISSUER, type Running, random, startHost } from './flow.ts'

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const STRICT = { requirePushedAuthorizationRequests: true, dpopBoundAccessTokens: true }

/** What PAR, or another endpoint, answers to an assertion: 401, or what comes after authentication. */
async function statusesOf(running: Running, alg: string, more: object = {}) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const { clientId } = await running.client({
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'k' }] },
    ...more
  })
  return async (aud: string | string[], endpoint = 'introspect') => {
    const assertion = await new SignJWT({ iss: clientId, sub: clientId, aud, jti: random() })
      .setProtectedHeader({ alg, kid: 'k' })
      .setExpirationTime(Math.floor(running.clock.now().getTime() / 1000) + 60)
      .sign(privateKey)
    const form = { token: 'x', client_assertion_type: TYPE, client_assertion: assertion }
    return (await running.call('POST', `/oauth/${endpoint}`, { form })).status
  }
}

test('a client names the issuer, the token endpoint or that of pushed requests', async (t) => {
  const running = await startHost(t)
  const status = await statusesOf(running, 'ES256')
  for (const [aud, expected] of [
    [ISSUER, 200],
    [[ISSUER], 200],
    [`${ISSUER}/oauth/token`, 200],
    [`${ISSUER}/oauth/par`, 200],
    [`${ISSUER}/oauth/introspect`, 401],
    [`${ISSUER}/oauth/revoke`, 401],
    [`${ISSUER}/oauth`, 401],
    [`${ISSUER}/`, 401],
    [[ISSUER, `${ISSUER}/oauth/token`], 401]
  ] as const) {
    t.equal(await status(aud as string), expected, String(aud))
  }
})

test('a strict client names the issuer alone, as text', async (t) => {
  const running = await startHost(t)
  const status = await statusesOf(running, 'ES256', STRICT)
  t.equal(await status(ISSUER), 200)
  for (const aud of [
    [ISSUER],
    `${ISSUER}/oauth/token`,
    `${ISSUER}/oauth/par`,
    `${ISSUER}/oauth/introspect`
  ]) {
    t.equal(await status(aud), 401, String(aud))
  }
  t.equal(await status(`${ISSUER}/oauth/par`, 'par'), 401)
})

test('strict clients sign with the algorithms of FAPI; Ed25519 goes by both of its names', async (t) => {
  const running = await startHost(t)
  for (const alg of ['ES256', 'PS256', 'Ed25519', 'EdDSA']) {
    t.equal(await (await statusesOf(running, alg))(ISSUER), 200, alg)
    t.equal(await (await statusesOf(running, alg, STRICT))(ISSUER), 200, `${alg}, strict`)
  }
  t.equal(await (await statusesOf(running, 'RS256'))(ISSUER), 200)
  t.equal(await (await statusesOf(running, 'RS256', STRICT))(ISSUER), 401, 'RS256, strict')
  t.equal(await (await statusesOf(running, 'RS384'))(ISSUER), 401)
})

test('a proof may be signed with Ed25519 by both of its names', async (t) => {
  const running = await startHost(t)
  for (const alg of ['Ed25519', 'EdDSA']) {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
    const proof = await new SignJWT({
      htm: 'POST',
      htu: `${ISSUER}/oauth/token`,
      jti: random(),
      iat: Math.floor(running.clock.now().getTime() / 1000)
    })
      .setProtectedHeader({ typ: 'dpop+jwt', alg, jwk: await exportJWK(publicKey) })
      .sign(privateKey)
    const { dpop } = running.parts.services
    const request = { header: proof, method: 'POST', addresses: [`${ISSUER}/oauth/token`] }
    t.match(await dpop.check(request), { kind: 'proven' }, alg)
  }
})
