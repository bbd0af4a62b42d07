// The modules of OpenID's conformance plans (Basic OP, Config OP, Form Post OP), as their client sends them: no PKCE.
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { type Test, test } from 'tap'
import { type Actor, actor, back, CALLBACK, type Form, ISSUER, random, startHost } from './flow.ts'

const NO_PKCE = { code_challenge: undefined, code_challenge_method: undefined }
const BOTH = { autoGenerate: true, algorithms: ['ES256', 'RS256'] } as const
const SECOND = 'https://app.example.test/second'

/** A host that a module's client signs people in at. */
async function plan(t: Test) {
  const running = await startHost(t, { signing: BOTH })
  const fields = { pkce: 'ifSent', idTokenAlg: 'RS256', redirectUris: [CALLBACK, SECOND] } as const
  const client = await running.client(fields)
  const app = actor(running, client)
  const asked = (more: Form = {}): Form => ({ ...NO_PKCE, nonce: random(), ...more })
  return {
    running,
    client,
    app,
    asked,
    other: actor(running, await running.client(fields)),
    /** A sign-in to its end; the tokens, and the claims of the identity token, which is checked. */
    async signIn(more: Form = {}, by: Actor = app) {
      const { code } = await by.toCode(asked(more))
      const { status, json } = await by.redeem({ code, verifier: '' }, { code_verifier: undefined })
      if (status !== 200) throw new Error(JSON.stringify(json))
      const keys = createLocalJWKSet((await running.call('GET', '/oauth/jwks')).json)
      const now = running.clock.now()
      const checks = { issuer: ISSUER, currentDate: now, algorithms: ['RS256'] }
      const { payload } = await jwtVerify(json.id_token, keys, checks)
      return { ...json, code, claims: payload }
    },
    /** Where a request without a person's answer leads. */
    ask: (more: Form = {}, headers?: Record<string, string>) => app.authorize(asked(more), headers)
  }
}

type Plan = Awaited<ReturnType<typeof plan>>
type Module = (t: Test, plan: Plan) => Promise<unknown>

const succeedsWith =
  (more: Form): Module =>
  async (t, { signIn }) => {
    t.match(await signIn(more), { token_type: 'Bearer', claims: { sub: String } })
  }

const CONSENT = /^\/consent\?/
const LOGIN = /^\/login\?/

const BASIC: Readonly<Record<string, Module>> = {
  'oidcc-server': async (t, { signIn, client }) => {
    const nonce = random()
    const { claims } = await signIn({ nonce })
    t.match(claims, { aud: client.clientId, nonce, sub: 'u1', iat: Number, exp: Number })
  },
  'oidcc-response-type-missing': async (t, { ask }) => {
    t.match(back(await ask({ response_type: undefined })), { error: 'unsupported_response_type' })
  },
  'oidcc-userinfo-get': async (t, { signIn, app }) => {
    const { access_token, claims } = await signIn()
    t.match(await app.userinfo(access_token), { status: 200, json: { sub: claims.sub } })
  },
  'oidcc-userinfo-post-header': async (t, { signIn, running }) => {
    const { access_token, claims } = await signIn()
    const headers = { authorization: `Bearer ${access_token}` }
    const answer = await running.call('POST', '/oauth/userinfo', { headers })
    t.match(answer, { status: 200, json: { sub: claims.sub } })
  },
  'oidcc-userinfo-post-body': async (t, { signIn, running }) => {
    const { access_token, claims } = await signIn()
    const answer = await running.call('POST', '/oauth/userinfo', { form: { access_token } })
    t.match(answer, { status: 200, json: { sub: claims.sub } })
  },
  // Decision: PKCE or a nonce keeps a code from being injected (OAuth 2.1, 7.5.1), so one of the two is needed.
  'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': async (t, { ask, app }) => {
    t.match(back(await ask({ nonce: undefined })), { error: 'invalid_request' })
    t.notOk(decodeJwt((await app.tokens()).id_token)['nonce'], 'with PKCE it succeeds')
  },
  'oidcc-scope-profile': async (t, { signIn, app }) => {
    const { access_token } = await signIn({ scope: 'openid profile' })
    t.match((await app.userinfo(access_token)).json, { name: 'User u1' })
  },
  'oidcc-scope-email': async (t, { signIn, app }) => {
    const { access_token } = await signIn({ scope: 'openid email' })
    t.match((await app.userinfo(access_token)).json, { email: 'u1@example.test' })
  },
  // Decision: claims that a host does not have are no scopes. The suite skips what discovery does not list.
  'oidcc-scope-address': async (t, { ask }) => {
    t.match(back(await ask({ scope: 'openid address' })), { error: 'invalid_scope' })
  },
  'oidcc-scope-phone': async (t, { ask }) => {
    t.match(back(await ask({ scope: 'openid phone' })), { error: 'invalid_scope' })
  },
  'oidcc-scope-all': async (t, { signIn, app }) => {
    const { access_token } = await signIn({ scope: 'openid profile email' })
    t.match((await app.userinfo(access_token)).json, { name: 'User u1', email: 'u1@example.test' })
  },
  'oidcc-ensure-other-scope-order-succeeds': succeedsWith({ scope: 'email openid' }),
  'oidcc-display-page': succeedsWith({ display: 'page' }),
  'oidcc-display-popup': succeedsWith({ display: 'popup' }),
  'oidcc-prompt-login': async (t, { ask, signIn }) => {
    await signIn()
    t.match((await ask({ prompt: 'login' })).headers['location'], LOGIN)
  },
  'oidcc-prompt-none-not-logged-in': async (t, { app, asked, running }) => {
    const { query } = app.query(asked({ prompt: 'none' }))
    const answer = await running.call('GET', `/oauth/authorize?${query}`)
    t.match(back(answer), { error: 'login_required', state: 'a state', iss: ISSUER })
  },
  'oidcc-prompt-none-logged-in': async (t, { ask, signIn }) => {
    await signIn()
    t.match(back(await ask({ prompt: 'none' })), { code: String, state: 'a state' })
  },
  'oidcc-max-age-1': async (t, { ask, running, signIn }) => {
    running.clock.advance(2)
    t.match((await ask({ max_age: '1' })).headers['location'], LOGIN)
    const before = await signIn()
    t.ok(before.claims.auth_time < running.clock.now().getTime() / 1000 - 1)
  },
  'oidcc-max-age-10000': async (t, { ask, signIn }) => {
    t.match((await ask({ max_age: '10000' })).headers['location'], CONSENT)
    t.match((await signIn({ max_age: '10000' })).claims, { auth_time: Number })
  },
  'oidcc-ensure-request-with-unknown-parameter-succeeds': succeedsWith({ extra: 'foobar' }),
  'oidcc-id-token-hint': async (t, { ask, signIn }) => {
    const { id_token: id_token_hint, claims } = await signIn()
    const same = back(await ask({ prompt: 'none', id_token_hint }))
    t.match(same, { code: String }, String(claims.sub))
    const stranger = { 'x-user': 'u2' }
    const answer = await ask({ prompt: 'none', id_token_hint }, stranger)
    t.match(back(answer), { error: 'login_required' }, 'another person')
  },
  'oidcc-login-hint': succeedsWith({ login_hint: 'u1@example.test' }),
  'oidcc-ui-locales': succeedsWith({ ui_locales: 'se' }),
  'oidcc-claims-locales': succeedsWith({ claims_locales: 'se' }),
  'oidcc-ensure-request-with-acr-values-succeeds': succeedsWith({ acr_values: '1 2' }),
  'oidcc-codereuse': async (t, { app, signIn }) => {
    const { code, access_token } = await signIn()
    const again = await app.redeem({ code, verifier: '' }, { code_verifier: undefined })
    t.match(again, { status: 400, json: { error: 'invalid_grant' } })
    t.equal((await app.userinfo(access_token)).status, 401, 'what the code gave is ended')
  },
  'oidcc-codereuse-30seconds': async (t, { app, signIn, running }) => {
    const { code, access_token } = await signIn()
    running.clock.advance(32)
    const again = await app.redeem({ code, verifier: '' }, { code_verifier: undefined })
    t.match(again, { status: 400, json: { error: 'invalid_grant' } })
    t.equal((await app.userinfo(access_token)).status, 401)
  },
  'oidcc-ensure-registered-redirect-uri': async (t, { ask }) => {
    const answer = await ask({ redirect_uri: `${CALLBACK}/other` })
    t.same([answer.status, answer.headers['location']], [400, undefined])
  },
  'oidcc-ensure-post-request-succeeds': async (t, { app, asked, running }) => {
    const raw = app.query(asked()).query
    const headers = { ...app.browser(), 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await running.call('POST', '/oauth/authorize', { raw, headers })
    t.match([302, 303].includes(answer.status) && answer.headers['location'], CONSENT)
  },
  'oidcc-server-client-secret-post': async (t, { running }) => {
    const made = await running.client({ tokenEndpointAuthMethod: 'client_secret_post' })
    const { clientId: client_id, clientSecret: client_secret, ...bare } = made
    const post = actor(running, { ...bare, clientId: client_id })
    const answer = await post.redeem(await post.toCode(), { client_id, client_secret })
    t.match(answer, { status: 200, json: { id_token: String } })
  },
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': async (
    t,
    { ask }
  ) => {
    const request = 'eyJhbGciOiJub25lIn0.e30.'
    t.match(back(await ask({ request })), { error: 'request_not_supported' })
  },
  // The claim comes with its scope; discovery says that the parameter is not supported.
  'oidcc-claims-essential': succeedsWith({ claims: '{"userinfo":{"name":{"essential":true}}}' }),
  'oidcc-ensure-request-object-with-redirect-uri': async (t, { ask }) => {
    const part = Buffer.from(JSON.stringify({ redirect_uri: SECOND })).toString('base64url')
    const answer = await ask({ request: `eyJhbGciOiJub25lIn0.${part}.` })
    t.match(back(answer), { error: 'request_not_supported' })
  },
  'oidcc-refresh-token': async (t, { app, signIn, other }) => {
    const { refresh_token, claims } = await signIn({ scope: 'openid offline_access' })
    const stolen = await other.refresh(refresh_token)
    t.match(stolen, { status: 400, json: { error: 'invalid_grant' } }, 'another client')
    const second = await signIn({ scope: 'openid offline_access' })
    const { json } = await app.refresh(second.refresh_token)
    const { sub, aud, auth_time } = decodeJwt(json.id_token)
    t.match({ sub, aud }, { sub: claims.sub ?? '', aud: claims.aud })
    t.equal(auth_time, second.claims.auth_time)
  },
  'oidcc-ensure-request-with-valid-pkce-succeeds': async (t, { app }) => {
    t.match(await app.tokens({ nonce: random() }), { id_token: String })
  }
}

const CONFIG: Readonly<Record<string, Module>> = {
  'oidcc-discovery-endpoint-verification': async (t, { running }) => {
    const { status, json } = await running.call('GET', '/.well-known/openid-configuration')
    t.equal(status, 200)
    t.match(json, { issuer: ISSUER, response_types_supported: ['code'] })
    for (const name of ['authorization', 'token', 'userinfo'])
      t.match(json[`${name}_endpoint`], /^https:/, name)
    t.ok(json.id_token_signing_alg_values_supported.includes('RS256'), 'Discovery 1.0, section 3')
    t.ok(json.scopes_supported.includes('openid'))
    t.same(json.subject_types_supported, ['public'])
  },
  'oidcc-server-rotate-keys': async (t, { running, signIn }) => {
    const { keys } = (await running.call('GET', '/oauth/jwks')).json
    for (const { kid, kty, use, d } of keys)
      t.match({ kid, kty, use, d }, { kid: String, kty: /^(EC|RSA)$/, use: 'sig', d: undefined })
    await running.parts.services.keys.rotate('RS256')
    t.ok(await signIn(), 'a token verifies with the published keys')
  }
}

const FORM_POST: Readonly<Record<string, Module>> = {
  'oidcc-server with response_mode=form_post': async (t, { app, asked, running }) => {
    const { requestId } = await app.toConsent(asked({ response_mode: 'form_post' }))
    const { json } = await app.decide(requestId, { approve: true })
    const path = json.redirectTo.slice(ISSUER.length)
    const { text, headers } = await running.call('GET', path, { headers: app.browser() })
    t.match(headers['content-type'], /^text\/html/)
    t.match(text, new RegExp(`<form method="post" action="${CALLBACK}"`))
    t.match(text, /name="state" value="a state"/)
    const code = /name="code" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const redeemed = await app.redeem({ code, verifier: '' }, { code_verifier: undefined })
    t.match(redeemed, { status: 200, json: { id_token: String } })
  },
  'an error with response_mode=form_post': async (t, { ask }) => {
    const { status, text } = await ask({ response_mode: 'form_post', scope: 'openid ghost' })
    t.equal(status, 200)
    t.match(text, /name="error" value="invalid_scope"/)
  }
}

for (const [name, modules] of Object.entries({
  'Basic OP': BASIC,
  'Config OP': CONFIG,
  'Form Post OP': FORM_POST
})) {
  test(`the modules of ${name}`, async (t) => {
    const one = await plan(t)
    for (const [module, run] of Object.entries(modules)) {
      await t.test(module, (t) => run(t, one))
    }
  })
}
