// The modules of the FAPI 2.0 security profile (private_key_jwt, DPoP), by what each of them sends.
import { type Test, test } from 'tap'
import { type FapiClient, fapiClient } from './fapi-client.ts'
import { back, CALLBACK, type Form, formOf, type Running, random, startHost } from './flow.ts'

interface Plan {
  readonly running: Running
  readonly client: FapiClient
  /** The second client of the plan. */
  readonly other: FapiClient
}

type Module = (t: Test, plan: Plan) => Promise<unknown>

/** A pushed request that is refused. */
const pushRefused =
  (more: Form, error = 'invalid_request'): Module =>
  async (t, { client }) => {
    t.match(await client.par(more), { status: 400, json: { error } })
  }

/** An assertion that is refused wherever the client shows it. */
const assertionRefused =
  (claims: (client: FapiClient) => Record<string, unknown>): Module =>
  async (t, { client }) => {
    const assertion = () => client.proven({ claims: claims(client) })
    t.match(await client.par({}, await assertion()), {
      status: 401,
      json: { error: 'invalid_client' }
    })
    const answer = await client.redeem(await client.code(), {}, { assertion: await assertion() })
    t.match(answer, { status: 401, json: { error: 'invalid_client' } })
  }

/** A proof that the resource refuses. */
const proofRefused =
  (claims: (client: FapiClient) => Record<string, unknown>): Module =>
  async (t, { client }) => {
    const { json } = await client.redeem(await client.code())
    t.equal((await client.call(json.access_token)).status, 200)
    const answer = await client.call(json.access_token, { claims: claims(client) })
    t.match(answer, { status: 401, headers: { 'www-authenticate': /^DPoP / } })
  }

/** A plain sign-in with keys of another kind. */
const happyWith =
  (alg: string): Module =>
  async (t, { running }) => {
    const client = await fapiClient(running, alg)
    t.match(await client.redeem(await client.code()), { status: 200, json: { token_type: 'DPoP' } })
  }

const PUSHED: Readonly<Record<string, Module>> = {
  'happy-flow': async (t, { client }) => {
    const { status, json } = await client.redeem(await client.code())
    t.match([status, json], [200, { token_type: 'DPoP', id_token: String }])
    t.equal((await client.call(json.access_token)).status, 200)
  },
  'discovery-end-point-verification': async (t, { running }) => {
    const { json } = await running.call('GET', '/.well-known/openid-configuration')
    t.match(json, {
      pushed_authorization_request_endpoint: /par$/,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true
    })
    t.ok(json.token_endpoint_auth_methods_supported.includes('private_key_jwt'))
    t.ok(json.dpop_signing_alg_values_supported.includes('PS256'))
  },
  'user-rejects-authentication': async (t, { client }) => {
    const { json } = await client.par()
    const refused = await client.decide(await client.authorize(json.request_uri), false)
    t.match(Object.fromEntries(refused.searchParams), { error: 'access_denied', state: 'a state' })
  },
  'par-attempt-reuse-request_uri': async (t, { client }) => {
    const { json } = await client.par()
    await client.decide(await client.authorize(json.request_uri), true)
    const { status, headers } = await client.authorize(json.request_uri)
    t.same([status, headers['location']], [400, undefined])
  },
  'par-attempt-to-use-request_uri-for-different-client': async (t, { client, other }) => {
    const { json } = await client.par()
    const { status, headers } = await other.authorize(json.request_uri)
    t.same([status, headers['location']], [400, undefined])
  },
  'par-attempt-to-use-expired-request_uri': async (t, { client, running }) => {
    const { json } = await client.par()
    running.clock.advance(json.expires_in + 1)
    t.equal((await client.authorize(json.request_uri)).status, 400)
  },
  'par-authorization-request-containing-request_uri': pushRefused({
    request_uri: 'urn:ietf:params:oauth:request_uri:x'
  }),
  'par-without-client-authentication': async (t, { client, running }) => {
    const answer = await running.call('POST', '/oauth/par', { form: client.request() })
    t.match(answer, { status: 401, json: { error: 'invalid_client' } })
  },
  'par-ensure-pkce-required': pushRefused({ code_challenge: undefined }),
  'par-plain-pkce-rejected': pushRefused({ code_challenge_method: 'plain' }),
  'par-without-redirect-uri': pushRefused({ redirect_uri: undefined }),
  'par-with-another-redirect-uri': pushRefused({ redirect_uri: `${CALLBACK}/other` }),
  'ensure-unsupported-response-type-fails': pushRefused(
    { response_type: 'code id_token' },
    'unsupported_response_type'
  ),
  'ensure-unsigned-authorization-request-without-using-par-fails': async (
    t,
    { client, running }
  ) => {
    const query = formOf(client.request())
    const headers = { 'x-user': 'u1' }
    const answer = await running.call('GET', `/oauth/authorize?${query}`, { headers })
    t.match(back(answer), { error: 'invalid_request' })
  },
  'state-only-outside-request-object-not-used': async (t, { client }) => {
    const { json } = await client.par({ state: undefined })
    const first = await client.authorize(json.request_uri, { state: 'outside', scope: 'write' })
    const { searchParams } = await client.decide(first, true)
    t.same([searchParams.has('code'), searchParams.has('state')], [true, false])
  },
  'authorization-request-with-iss-in-response': async (t, { client }) => {
    const { json } = await client.par()
    const { searchParams } = await client.decide(await client.authorize(json.request_uri), true)
    t.equal(searchParams.getAll('iss').length, 1)
  }
}

const ASSERTIONS: Readonly<Record<string, Module>> = {
  'client-assertion-expired': assertionRefused(({ seconds }) => ({ exp: seconds() - 120 })),
  'client-assertion-without-exp': assertionRefused(() => ({ exp: undefined })),
  'client-assertion-wrong-aud': assertionRefused(() => ({ aud: 'https://other.example.test' })),
  'client-assertion-aud-token-endpoint': assertionRefused(() => ({
    aud: 'https://id.example.test/oauth/token'
  })),
  'client-assertion-aud-array': assertionRefused(() => ({ aud: ['https://id.example.test'] })),
  'client-assertion-without-sub': assertionRefused(() => ({ sub: undefined })),
  'client-assertion-wrong-iss': assertionRefused(() => ({ iss: 'another' })),
  'client-assertion-without-jti': assertionRefused(() => ({ jti: undefined })),
  'client-assertion-iat-far-in-future': assertionRefused(({ seconds }) => ({
    iat: seconds() + 120
  })),
  'ensure-server-rejects-nbf-120-seconds-in-future': assertionRefused(({ seconds }) => ({
    nbf: seconds() + 120
  })),
  'ensure-server-accepts-requests-with-iat-8-seconds-in-future': async (t, { client }) => {
    const claims = { iat: client.seconds() + 8, nbf: client.seconds() + 8 }
    t.equal((await client.par({}, await client.proven({ claims }))).status, 201)
  },
  'client-assertion-jti-reuse': async (t, { client }) => {
    const assertion = await client.proven()
    t.equal((await client.par({}, assertion)).status, 201)
    t.equal((await client.par({}, assertion)).status, 401)
  },
  'ensure-signed-client-assertion-with-RS256-fails': async (t, { running }) => {
    const client = await fapiClient(running, 'RS256')
    t.match(await client.par(), { status: 401, json: { error: 'invalid_client' } })
  },
  'client-assertion-of-another-client': async (t, { client, other }) => {
    t.equal((await client.par({}, await other.proven())).status, 401)
  },
  'happy-flow with PS256': happyWith('PS256'),
  'happy-flow with EdDSA': happyWith('EdDSA'),
  'happy-flow with Ed25519': happyWith('Ed25519')
}

const TOKENS: Readonly<Record<string, Module>> = {
  'ensure-holder-of-key-required': async (t, { client, running }) => {
    const { json } = await client.redeem(await client.code())
    const headers = { authorization: `Bearer ${json.access_token}` }
    t.equal((await running.call('GET', '/api/read', { headers })).status, 401)
  },
  'ensure-dpop-scheme-in-any-case': async (t, { client }) => {
    const { json } = await client.redeem(await client.code())
    const headers = { authorization: `dPoP ${json.access_token}` }
    t.equal((await client.call(json.access_token, {}, headers)).status, 200)
  },
  'ensure-dpop-proof-of-another-key-fails': async (t, { client, other }) => {
    const { json } = await client.redeem(await client.code())
    t.equal((await other.call(json.access_token)).status, 401)
  },
  'ensure-dpop-proof-without-ath-fails': proofRefused(() => ({ ath: undefined })),
  'ensure-dpop-proof-with-wrong-htm-fails': proofRefused(() => ({ htm: 'POST' })),
  'ensure-dpop-proof-with-wrong-htu-fails': proofRefused(() => ({ htu: 'https://x.test/' })),
  'ensure-dpop-proof-with-old-iat-fails': proofRefused(({ seconds }) => ({ iat: seconds() - 600 })),
  'ensure-dpop-proof-with-iat-10-seconds-in-past-or-future-succeeds': async (t, { client }) => {
    const { json } = await client.redeem(await client.code())
    for (const by of [-10, 10]) {
      const claims = { iat: client.seconds() + by }
      t.equal((await client.call(json.access_token, { claims })).status, 200, `${by} seconds`)
    }
  },
  'ensure-dpop-proof-jti-reuse-fails': async (t, { client }) => {
    const { json } = await client.redeem(await client.code())
    const claims = { jti: random() }
    t.equal((await client.call(json.access_token, { claims })).status, 200)
    t.equal((await client.call(json.access_token, { claims })).status, 401)
  },
  'access-token-in-query-fails': async (t, { client, running }) => {
    const { json } = await client.redeem(await client.code())
    const url = `/api/read?access_token=${json.access_token}`
    t.equal((await running.call('GET', url)).status, 401)
  },
  'ensure-dpop-proof-at-token-endpoint-required': async (t, { client }) => {
    const code = await client.code()
    const without = await client.redeem(code, {}, { dpop: null })
    t.match(without, { status: 400, json: { error: 'invalid_dpop_proof' } })
    t.equal((await client.redeem(code)).status, 200, 'the code was not used up')
  },
  'ensure-dpop-auth-code-binding-with-dpop_jkt': async (t, { client, other }) => {
    const code = await client.code({ dpop_jkt: await other.jkt() })
    t.match(await client.redeem(code), { status: 400, json: { error: 'invalid_grant' } })
    const own = await client.code({ dpop_jkt: await client.jkt() })
    t.equal((await client.redeem(own)).status, 200)
  },
  'ensure-dpop-auth-code-binding-with-proof-at-par': async (t, { client, other }) => {
    const dpop = await other.proof('/oauth/par', 'POST')
    const { json } = await client.par({}, undefined, { dpop })
    const { searchParams } = await client.decide(await client.authorize(json.request_uri), true)
    const redeemed = await client.redeem(searchParams.get('code') ?? '')
    t.match(redeemed, { status: 400, json: { error: 'invalid_grant' } })
  },
  'ensure-authorization-code-is-bound-to-client': async (t, { client, other }) => {
    const code = await client.code()
    t.match(await other.redeem(code), { status: 400, json: { error: 'invalid_grant' } })
  },
  'incorrect-pkce-code-verifier-rejected': async (t, { client }) => {
    for (const code_verifier of [random(), undefined]) {
      const answer = await client.redeem(await client.code(), { code_verifier })
      t.match(answer, { status: 400, json: { error: /^invalid_(grant|request)$/ } })
    }
  },
  'ensure-redirect-uri-of-the-request-at-token-endpoint': async (t, { client }) => {
    const answer = await client.redeem(await client.code(), { redirect_uri: `${CALLBACK}/other` })
    t.match(answer, { status: 400, json: { error: 'invalid_grant' } })
  },
  'attempt-reuse-authorization-code-after-one-second': async (t, { client, running }) => {
    const code = await client.code()
    const { json } = await client.redeem(code)
    running.clock.advance(1)
    t.match(await client.redeem(code), { status: 400, json: { error: 'invalid_grant' } })
    t.equal((await client.call(json.access_token)).status, 401, 'its tokens are ended')
  },
  'ensure-authorization-code-expires': async (t, { client, running }) => {
    const code = await client.code()
    running.clock.advance(61)
    t.match(await client.redeem(code), { status: 400, json: { error: 'invalid_grant' } })
  },
  'refresh-token': async (t, { client, other }) => {
    const { json } = await client.redeem(await client.code())
    const form = { grant_type: 'refresh_token', refresh_token: json.refresh_token }
    const next = await client.token(form)
    t.match(next, { status: 200, json: { token_type: 'DPoP', refresh_token: json.refresh_token } })
    t.equal((await client.call(next.json.access_token)).status, 200)
    const dpop = await other.proof('/oauth/token', 'POST')
    t.equal((await client.token(form, { dpop })).status, 400, 'another key')
    t.match(await other.token(form), { status: 400, json: { error: 'invalid_grant' } })
  }
}

for (const [name, modules] of Object.entries({
  'pushed requests': PUSHED,
  'client assertions': ASSERTIONS,
  'tokens and proofs': TOKENS
})) {
  test(`the modules of FAPI 2.0: ${name}`, async (t) => {
    const running = await startHost(t)
    const one = { running, client: await fapiClient(running), other: await fapiClient(running) }
    for (const [module, run] of Object.entries(modules)) {
      await t.test(module, (t) => run(t, one))
    }
  })
}
