// openid-client, unmodified, completes its flows against the demo at the first try.
import * as client from 'openid-client'
import tap, { test } from 'tap'
import { sharedDemo, stopSharedDemo } from '../hosts/fresh-demo.ts'
import { type OAuthDemo, openOAuthDemo } from './oauth-demo.ts'

tap.teardown(stopSharedDemo)

const CALLBACK = 'https://app.example.test/cb'
const SCOPE = 'openid profile email offline_access telemetry:read'
const INSECURE = { execute: [client.allowInsecureRequests] }

async function configured(demo: OAuthDemo, auth?: (secret: string) => client.ClientAuth) {
  const made = await demo.createClient({
    name: 'openid-client',
    redirectUris: [CALLBACK],
    postLogoutRedirectUris: ['https://app.example.test/bye'],
    allowedScopes: SCOPE.split(' ')
  })
  const secret = made.clientSecret ?? ''
  return client.discovery(new URL(demo.url), made.clientId, secret, auth?.(secret), INSECURE)
}

/** Code with PKCE, state and nonce; the way back is checked by the client. */
async function grant(
  demo: OAuthDemo,
  config: client.Configuration,
  options: { readonly isPushed?: boolean; readonly DPoP?: client.DPoPHandle } = {}
) {
  const verifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const expectedNonce = client.randomNonce()
  const parameters = {
    redirect_uri: CALLBACK,
    scope: SCOPE,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    resource: `${demo.url}/mcp`,
    max_age: '3600'
  }
  const { DPoP } = options
  const address = options.isPushed
    ? await client.buildAuthorizationUrlWithPAR(config, parameters, DPoP && { DPoP })
    : client.buildAuthorizationUrl(config, parameters)
  const back = await demo.approve(address)
  const checks = { pkceCodeVerifier: verifier, expectedState, expectedNonce, maxAge: 3600 }
  return client.authorizationCodeGrant(config, back, checks, {}, DPoP && { DPoP })
}

test('openid-client', async (t) => {
  const demo = await openOAuthDemo(await sharedDemo())

  await t.test('code, userinfo, refresh, introspection, revocation and sign-out', async (t) => {
    const config = await configured(demo)
    const tokens = await grant(demo, config)
    const { sub = '' } = tokens.claims() ?? {}
    t.equal(sub, 'u-viewer-acme')
    t.match(await client.fetchUserInfo(config, tokens.access_token, sub), {
      email: 'viewer@acme.test'
    })
    const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    t.equal(next.claims()?.sub, sub)
    t.match(await client.tokenIntrospection(config, next.access_token), { active: true, sub })
    await client.tokenRevocation(config, next.refresh_token ?? '')
    t.match(await client.tokenIntrospection(config, next.access_token), { active: false })
    const end = client.buildEndSessionUrl(config, {
      post_logout_redirect_uri: 'https://app.example.test/bye',
      id_token_hint: tokens.id_token ?? ''
    })
    t.equal(
      (await fetch(end, { redirect: 'manual' })).headers.get('location'),
      'https://app.example.test/bye'
    )
  })

  await t.test(
    'the secret in the body, the request pushed, the tokens bound to a key',
    async (t) => {
      const config = await configured(demo, (secret) => client.ClientSecretPost(secret))
      const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
      const tokens = await grant(demo, config, { isPushed: true, DPoP })
      t.equal(tokens.token_type, 'dpop')
      const sub = tokens.claims()?.sub ?? ''
      t.match(await client.fetchUserInfo(config, tokens.access_token, sub, { DPoP }), { sub })
      const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', {}, { DPoP })
      t.equal(next.token_type, 'dpop')
    }
  )

  await t.test('an assertion signed by the client', async (t) => {
    const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'sign',
      'verify'
    ])
    const jwk = await crypto.subtle.exportKey('jwk', keys.publicKey)
    const { kty, crv, x, y } = jwk
    const made = await demo.createClient({
      name: 'signing',
      redirectUris: [CALLBACK],
      allowedScopes: SCOPE.split(' '),
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [{ kty, crv, x, y, kid: 'k1', alg: 'ES256' }] }
    })
    t.equal(made.clientSecret, undefined)
    const auth = client.PrivateKeyJwt({ key: keys.privateKey, kid: 'k1' })
    const config = await client.discovery(new URL(demo.url), made.clientId, {}, auth, INSECURE)
    const tokens = await grant(demo, config)
    t.equal(tokens.claims()?.sub, 'u-viewer-acme')
    t.match(await client.tokenIntrospection(config, tokens.access_token), { active: true })
  })

  await t.test('a refusal comes back as the client expects it', async (t) => {
    const config = await configured(demo)
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'mail:write',
      state: 's',
      code_challenge: await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier()),
      code_challenge_method: 'S256'
    })
    const back = await demo.approve(address)
    const refused = client.authorizationCodeGrant(config, back, { expectedState: 's' })
    await t.rejects(refused, { error: 'invalid_scope', code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' })
  })
})
