// Signing keys at rest: encrypted where a secret is configured, and rewritten when one is set.
import { test } from 'tap'
import type { OAuthHostConfig } from '../config/schema.ts'
import { createOAuthParts } from '../create-oauth-host.ts'
import { actor, ISSUER, type Running, startHost } from './flow.ts'

const SECRET = 'a secret of the operator, long enough'

/** A process of the same database with another configuration. */
const restarted = (running: Running, more: Partial<OAuthHostConfig>) => {
  const warnings: object[] = []
  const parts = createOAuthParts({
    issuer: ISSUER,
    connection: running.db,
    resources: [`${ISSUER}/api`],
    scopes: ['openid'],
    consentUrl: '/consent',
    signing: { autoGenerate: true, algorithms: ['ES256'] },
    clock: running.clock,
    logger: { warn: (fields) => void warnings.push(fields), error: () => undefined },
    ...more
  })
  return { ...parts, warnings }
}

const sign = ({ services }: ReturnType<typeof restarted>) =>
  services.keys.sign({ iss: ISSUER, sub: 'u' }, { alg: 'ES256', typ: 'JWT' })

test('with a secret, private keys are encrypted, and so is a key of a rotation', async (t) => {
  const running = await startHost(t, { secret: SECRET })
  await actor(running, await running.client()).tokens()
  await running.parts.services.keys.rotate('ES256')
  const rows = await running.host.models.OAuthKey.find().toArray()
  t.equal(rows.length, 2)
  for (const { privateJwk, sealedJwk } of rows) {
    t.equal(privateJwk, undefined)
    t.match(sealedJwk, /^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
  }
  t.notMatch(JSON.stringify(rows), '"d"')
  const state = await running.db.collection('oauth_state').find().toArray()
  t.notMatch(JSON.stringify(state), 'server-secret')
})

test('keys in the clear are read and rewritten once a secret is set', async (t) => {
  const running = await startHost(t)
  const [before] = await running.host.models.OAuthKey.find().toArray()
  t.type(before?.privateJwk?.d, 'string')
  const later = restarted(running, { secret: SECRET })
  await later.prepare()
  const [after] = await running.host.models.OAuthKey.find().toArray()
  t.equal(after?.kid, before?.kid)
  t.equal(after?.privateJwk, undefined)
  const token = await sign(later)
  t.match(await running.parts.services.keys.readIdToken(token, ISSUER), { sub: 'u' })
  await later.prepare()
  t.equal(await running.host.models.OAuthKey.countDocuments(), 1, 'no further key is made')
})

test('a key that is sealed under another secret verifies and signs nothing; a new one is made', async (t) => {
  const running = await startHost(t, { secret: SECRET })
  const { kid } = (await running.host.models.OAuthKey.findOne()) ?? {}
  const other = restarted(running, { secret: `${SECRET} changed` })
  await other.prepare()
  t.same(
    other.warnings.filter((fields) => 'kid' in fields),
    [{ kid }]
  )
  const keys = (await other.services.keys.jwks()).keys
  t.equal(keys.length, 2)
  const token = await sign(other)
  t.not(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid, kid)
  t.match(await other.services.keys.readIdToken(token, ISSUER), { sub: 'u' })
})
