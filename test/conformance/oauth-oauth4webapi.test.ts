// oauth4webapi, unmodified: both discoveries, a public native client, resource metadata, strict processing.
import * as oauth from 'oauth4webapi'
import tap, { test } from 'tap'
import { sharedDemo, stopSharedDemo } from '../hosts/fresh-demo.ts'
import { openOAuthDemo } from './oauth-demo.ts'

tap.teardown(stopSharedDemo)

const REGISTERED = 'http://127.0.0.1/callback'
const CALLBACK = 'http://127.0.0.1:53682/callback'
const INSECURE = { [oauth.allowInsecureRequests]: true } as const

test('oauth4webapi', async (t) => {
  const demo = await openOAuthDemo(await sharedDemo())
  const issuer = new URL(demo.url)
  const { clientId } = await demo.createClient({
    name: 'oauth4webapi',
    type: 'public',
    redirectUris: [REGISTERED],
    allowedScopes: ['openid', 'offline_access', 'telemetry:read']
  })
  const client: oauth.Client = { client_id: clientId }
  const discover = async (algorithm: 'oidc' | 'oauth2') =>
    oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm, ...INSECURE })
    )
  const server = await discover('oauth2')

  await t.test(
    'both ways of discovery give one document; the resource names its server',
    async (t) => {
      t.same(await discover('oidc'), server)
      const resource = new URL(`${demo.url}/mcp`)
      const response = await oauth.resourceDiscoveryRequest(resource, INSECURE)
      const metadata = await oauth.processResourceDiscoveryResponse(resource, response)
      t.same(metadata.authorization_servers, [demo.url])
    }
  )

  await t.test('a native client goes the whole way on its own port', async (t) => {
    const verifier = oauth.generateRandomCodeVerifier()
    const nonce = oauth.generateRandomNonce()
    const state = oauth.generateRandomState()
    const address = new URL(server.authorization_endpoint ?? '')
    for (const [name, value] of Object.entries({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: CALLBACK,
      scope: 'openid offline_access telemetry:read',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      nonce,
      state
    })) {
      address.searchParams.set(name, value)
    }
    const parameters = oauth.validateAuthResponse(
      server,
      client,
      await demo.approve(address),
      state
    )
    const exchanged = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      CALLBACK,
      verifier,
      INSECURE
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged, {
      expectedNonce: nonce,
      requireIdToken: true
    })
    await oauth.validateApplicationLevelSignature(server, exchanged, INSECURE)
    const subject = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? ''
    const info = await oauth.userInfoRequest(server, client, tokens.access_token, INSECURE)
    t.match(await oauth.processUserInfoResponse(server, client, subject, info), {
      sub: 'u-viewer-acme'
    })
    const refresh = () =>
      oauth.refreshTokenGrantRequest(
        server,
        client,
        oauth.None(),
        tokens.refresh_token ?? '',
        INSECURE
      )
    const [one, two] = await Promise.all(
      [refresh(), refresh()].map(async (response) =>
        oauth.processRefreshTokenResponse(server, client, await response)
      )
    )
    t.equal(one?.refresh_token, two?.refresh_token, 'two processes with one credential')
    const revoked = await oauth.revocationRequest(
      server,
      client,
      oauth.None(),
      one?.refresh_token ?? '',
      INSECURE
    )
    await oauth.processRevocationResponse(revoked)
    const dead = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.None(),
      one?.refresh_token ?? '',
      INSECURE
    )
    await t.rejects(
      oauth.processRefreshTokenResponse(server, client, dead),
      /invalid_grant|error in the response body/
    )
  })

  await t.test('the challenges of a resource are read as they are meant', async (t) => {
    const response = await oauth
      .protectedResourceRequest(
        'dead',
        'POST',
        new URL(`${demo.url}/mcp`),
        undefined,
        '{}',
        INSECURE
      )
      .catch((error: unknown) => error)
    t.ok(response instanceof oauth.WWWAuthenticateChallengeError)
    const [challenge] = (response as oauth.WWWAuthenticateChallengeError).cause
    t.match(challenge, {
      scheme: 'bearer',
      parameters: { error: 'invalid_token', resource_metadata: String }
    })
  })
})
