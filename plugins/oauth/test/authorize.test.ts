// Authorize: what is rendered and never redirected, what the client is told, and how.
import fc from 'fast-check'
import { test } from 'tap'
import { parametersOf } from '../authorize/parameters.ts'
import { readRequest } from '../authorize/read-request.ts'
import { actor, back, CALLBACK, challengeOf, type Form, ISSUER, OTHER, startHost } from './flow.ts'

test('nothing is redirected before client and callback are proven', async (t) => {
  const running = await startHost(t)
  const client = await running.client({ redirectUris: [CALLBACK, 'http://localhost/cb'] })
  const app = actor(running, client)
  const wrong: readonly (readonly [Form, string])[] = [
    [{ client_id: undefined }, 'invalid_request'],
    [{ client_id: '' }, 'invalid_request'],
    [{ client_id: [client.clientId, client.clientId] }, 'invalid_request'],
    [{ client_id: 'nobody-knows-this-one' }, 'invalid_client'],
    [{ client_id: '\u0000' }, 'invalid_client'],
    [{ redirect_uri: undefined }, 'invalid_request'],
    [{ redirect_uri: [CALLBACK, CALLBACK] }, 'invalid_request'],
    ...LOOK_ALIKES.map((uri) => [{ redirect_uri: uri }, 'invalid_request'] as const)
  ]
  for (const [more, error] of wrong) {
    const answer = await app.authorize(more)
    t.same([answer.status, answer.json.error], [400, error], JSON.stringify(more))
    t.equal(answer.headers['location'], undefined)
  }
})

const LOOK_ALIKES = [
  'https://APP.example.test/cb',
  'https://app.example.test/CB',
  'https://app.example.test:443/cb',
  'https://app.example.test./cb',
  'https://app.example.test/cb/',
  'https://app.example.test/cb?',
  'https://app.example.test/cb#',
  'https://app.example.test/cb?x=1',
  'https://app.example.test/./cb',
  'https://app.example.test/a/../cb',
  'https://app.example.test/%63b',
  'https://app.example.test%2Fcb',
  'https://app.example.test\\cb',
  'https://app.example.test/cb ',
  ' https://app.example.test/cb',
  'https://user@app.example.test/cb',
  'https://app.example.test@evil.test/cb',
  'https://app.example.test.evil.test/cb',
  'https://аpp.example.test/cb',
  'http://app.example.test/cb',
  '//app.example.test/cb',
  'javascript:alert(1)',
  'http://localhost:0/cb',
  'http://localhost:65536/cb',
  'http://localhost:80:80/cb',
  'http://localhost@evil.test/cb',
  'http://localhost.evil.test/cb',
  'http://127.0.0.1/cb',
  'http://[::1]/cb',
  'http://localhost/cb/../other'
]

test('only a registered callback gets a redirect', async (t) => {
  const running = await startHost(t)
  const created = await running.client({ redirectUris: [CALLBACK, 'http://127.0.0.1/cb'] })
  const client = await running.host.models.OAuthClient.findOne({ clientId: created.clientId })
  if (client === null) throw new Error('no client')
  const { settings } = running.parts.services
  const piece = fc.constantFrom(
    ...['https://', 'http://', 'app.example.test', '127.0.0.1', ':8080', '/cb', '/', '@', '%2F'],
    ...['?', '#', '..', '.evil.test', '\\', ' ', 'localhost', '[::1]']
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const uri = pieces.join('')
      const parameters = parametersOf([
        ['client_id', client.clientId],
        ['redirect_uri', uri]
      ])
      if (parameters === undefined) return false
      const read = readRequest(parameters, client, settings, { isPushed: false })
      const isRight = uri === CALLBACK || /^http:\/\/127\.0\.0\.1(:[1-9][0-9]*)?\/cb$/.test(uri)
      return read.kind === 'render' || (isRight && read.kind === 'redirect')
    }),
    { numRuns: 2000 }
  )
  t.end()
})

test('errors are redirected with the RFC code, the state and one iss', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client({ allowedScopes: ['openid', 'read', 'write'] }))
  const wrong: readonly (readonly [Form, string])[] = [
    [{ response_type: undefined }, 'unsupported_response_type'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'code id_token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge: 'x'.repeat(42) }, 'invalid_request'],
    [{ code_challenge: [challengeOf('a'), challengeOf('b')] }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ scope: 'ghost' }, 'invalid_scope'],
    [{ scope: 'email' }, 'invalid_scope'],
    [{ scope: undefined }, 'invalid_scope'],
    [{ scope: ['openid', 'openid'] }, 'invalid_request'],
    [{ resource: 'https://ghost.test' }, 'invalid_target'],
    [{ resource: OTHER, scope: 'write' }, 'invalid_scope'],
    [{ max_age: '-1' }, 'invalid_request'],
    [{ max_age: '1e3' }, 'invalid_request'],
    [{ prompt: 'none consent' }, 'invalid_request'],
    [{ request: 'e30.e30.' }, 'request_not_supported'],
    [{ request_uri: 'https://app.example.test/r' }, 'request_uri_not_supported'],
    [{ dpop_jkt: 'short' }, 'invalid_request'],
    [{ id_token_hint: 'not.a.token' }, 'invalid_request'],
    [{ nonce: 'n'.repeat(2000) }, 'invalid_request']
  ]
  const state = 'ä &=?#%20+"<>'
  for (const [more, error] of wrong) {
    const answer = await app.authorize({ state, ...more })
    t.equal(answer.status, 302, JSON.stringify(more))
    const location = new URL(String(answer.headers['location']))
    t.equal(`${location.origin}${location.pathname}`, CALLBACK)
    t.match(back(answer), { error, state, iss: ISSUER }, JSON.stringify(more))
    t.equal(location.searchParams.getAll('iss').length, 1)
    t.equal(location.searchParams.get('code'), null)
  }
})

test('unknown parameters are ignored, and too large requests are refused', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const more = {
    display: 'page',
    ui_locales: 'de',
    acr_values: '1',
    claims: '{"userinfo":{}}',
    x: 'y'
  }
  t.match((await app.authorize(more)).headers['location'], /^\/consent\?request_id=/)
  t.equal((await app.authorize({ x: 'y'.repeat(20_000) })).status, 400)
  t.equal((await app.authorize({ x: Array.from({ length: 200 }, () => 'y') })).status, 400)
  t.match(back(await app.authorize({ state: 's'.repeat(9000) })), { error: 'invalid_request' })
})

test('the languages that are asked for go to the sign-in page, the consent page and the next request', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const ui_locales = 'fr-CA "><script> de'
  const addressOf = async (more = {}, headers = {}) => {
    const answer = await app.authorize({ ui_locales, ...more }, headers)
    return new URL(String(answer.headers['location']), ISSUER)
  }
  const login = await addressOf({ prompt: 'login' })
  t.equal(login.pathname, '/login')
  t.equal(login.searchParams.get('ui_locales'), 'fr-CA de')
  const consent = await addressOf()
  t.equal(consent.pathname, '/consent')
  t.equal(consent.searchParams.get('ui_locales'), 'fr-CA de')
  const { json } = await app.consent(consent.searchParams.get('request_id') ?? '')
  const again = new URL(json.switchAccount, ISSUER).searchParams
  t.equal(again.get('ui_locales'), 'fr-CA de', 'another account keeps the language')
  t.equal((await addressOf({ ui_locales: '<b> _' })).searchParams.has('ui_locales'), false)
})

test('the page that posts an answer is in the language of the request', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const asked = { response_mode: 'form_post', ui_locales: 'de' }
  const { requestId } = await app.toConsent(asked)
  const { json } = await app.decide(requestId, { approve: true })
  const path = json.redirectTo.slice(ISSUER.length)
  const page = await running.call('GET', path, { headers: app.browser() })
  t.match(page.text, '<html lang="de">')
  t.match(page.text, '<p>Sie werden zur Anwendung weitergeleitet.</p>')
  const refused = await app.authorize({ ...asked, scope: 'ghost' })
  t.match(refused.text, '<html lang="de">')
  t.match(
    refused.text,
    'name="error_description" value="A requested scope is unknown. It was: ghost"'
  )
})

test('a parameter that is not UTF-8 is refused', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const app = actor(running, client)
  const ask = (raw: string) =>
    running.call('GET', `/oauth/authorize?${raw}`, { headers: app.browser() })
  const { query } = app.query({ state: undefined })
  const garbled = back(await ask(`${query}&state=%FF`))
  t.match(garbled, { error: 'invalid_request', iss: ISSUER })
  t.notOk('state' in garbled)
  for (const state of ['%EF%BF%BD', '100%', 'a+b%2Bc%20d', '%F0%9F%94%91', '%00']) {
    const right = back(await ask(`${query}&scope=ghost&state=${state}`))
    t.equal(right['state'], new URLSearchParams(`s=${state}`).get('s'), state)
  }
  t.equal((await ask(query.replace('client_id=', 'client_id=%FE'))).status, 400)
  const token = await app.post('/token', {}, {})
  t.equal(token.json.error, 'invalid_request')
  const raw = 'grant_type=refresh_token&refresh_token=%C3%28'
  t.match(await running.call('POST', '/oauth/token', { raw }), {
    status: 400,
    json: { error_description: /UTF-8/ }
  })
})

test('a rendered error is a page and shows no input', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const answer = await app.authorize(
    { redirect_uri: 'https://x.test/<script>' },
    { accept: 'text/html' }
  )
  t.equal(answer.status, 400)
  t.match(answer.headers['content-type'], /^text\/html/)
  t.notMatch(answer.text, '<script>')
  t.match(answer.headers['content-security-policy'], /frame-ancestors 'none'/)
})

test('POST works like GET and answers 303', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const post = (raw: string, headers = {}) =>
    running.call('POST', '/oauth/authorize', { raw, headers: { ...app.browser(), ...headers } })
  const right = await post(app.query().query)
  t.equal(right.status, 303)
  t.match(right.headers['location'], /^\/consent\?request_id=/)
  const anonymous = await running.call('POST', '/oauth/authorize', { raw: app.query().query })
  t.equal(anonymous.status, 303)
  t.match(anonymous.headers['location'], /^\/login\?next=%2Foauth%2Fauthorize/)
  t.equal(
    (await post('{"a":1}', { 'content-type': 'application/json' })).json.error,
    'invalid_request'
  )
})

test('answers with a code are not cached and send no referrer', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  await app.tokens()
  const answer = await app.authorize({ prompt: 'none' })
  t.type(back(answer)['code'], 'string')
  t.match(answer.headers, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
})

test('prompt=none looks at the grant of the same context, scopes and resources', async (t) => {
  const running = await startHost(t, {
    grantContext: {
      list: () => ['org-1', 'org-2'].map((id) => ({ id, label: id })),
      verify: (_user, id) => id.startsWith('org-')
    }
  })
  const app = actor(running, await running.client())
  const silent = async (more: Form = {}) => back(await app.authorize({ prompt: 'none', ...more }))
  t.equal((await silent())['error'], 'consent_required')
  await app.tokens({}, { approve: true, contextId: 'org-1' })
  t.type((await silent())['code'], 'string')
  t.equal((await silent({ scope: 'openid read' }))['error'], 'consent_required')
  t.equal((await silent({ resource: OTHER }))['error'], 'consent_required')
  await app.tokens({}, { approve: true, contextId: 'org-2' })
  t.equal((await silent())['error'], 'interaction_required')
})

test('prompt=none does not recreate a grant that ends meanwhile', async (t) => {
  let look: () => Promise<unknown> = async () => undefined
  const running = await startHost(t, {
    grantContext: {
      list: () => [{ id: 'org-1', label: 'Org' }],
      verify: async () => {
        await look()
        return true
      }
    }
  })
  const app = actor(running, await running.client())
  await app.tokens({}, { approve: true, contextId: 'org-1' })
  look = () => running.host.users.revokeAll('u1')
  t.match(back(await app.authorize({ prompt: 'none' })), { error: 'consent_required' })
  t.same((await running.host.grants.list()).items, [])
  const { families } = running.parts.services.collections
  t.equal(await families.countDocuments({ revokedAt: null }), 0)
})

test('prompt=login and a stale max_age lead to the sign-in page until the person signs in', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  running.clock.advance(100)
  for (const more of [{ prompt: 'login' }, { max_age: '50' }, { prompt: 'select_account' }]) {
    const first = await app.authorize(more)
    const next = new URL(String(first.headers['location']), ISSUER).searchParams.get('next') ?? ''
    t.match(next, /^\/oauth\/authorize\?/)
    const again = await running.call('GET', next, { headers: app.browser() })
    t.match(again.headers['location'], /^\/login\?/, 'coming back without signing in')
    const fresh = { ...app.browser(), 'x-auth-time': String(running.clock.now().getTime()) }
    const done = await running.call('GET', next, { headers: fresh })
    t.match(done.headers['location'], /^\/consent\?/)
    running.clock.advance(60)
    const reopened = await running.call('GET', next, { headers: fresh })
    t.match(reopened.headers['location'], /^\/login/, 'the sign-in counted once')
    if ('max_age' in more) continue
    const forged = next.replace(/signed_in_after=[0-9]+/, 'signed_in_after=1')
    t.match((await running.call('GET', forged, { headers: fresh })).headers['location'], /^\/login/)
  }
  t.match(back(await app.authorize({ prompt: 'none', max_age: '50' })), { error: 'login_required' })
  t.match((await app.authorize({ max_age: '500' })).headers['location'], /^\/consent/)
})

test('a long request survives the way to the sign-in page', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const { query } = actor(running, client).query({ state: 's'.repeat(5000) })
  const answer = await running.call('GET', `/oauth/authorize?${query}`)
  const next = new URL(String(answer.headers['location']), ISSUER).searchParams.get('next') ?? ''
  t.ok(next.length < 1500)
  const back = await running.call('GET', next, { headers: { 'x-user': 'u1' } })
  t.match(back.headers['location'], /^\/consent/)
})

test('an id_token_hint of another person requires their sign-in', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const app = actor(running, client)
  const { id_token: hint } = await app.tokens()
  t.type(back(await app.authorize({ prompt: 'none', id_token_hint: hint }))['code'], 'string')
  const other = actor(running, client, 'u2')
  await other.tokens()
  t.match(back(await other.authorize({ prompt: 'none', id_token_hint: hint })), {
    error: 'login_required'
  })
})

test('form_post answers from a page of this server, for this browser only', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const { requestId, verifier } = await app.toConsent({
    response_mode: 'form_post',
    state: '"><b>'
  })
  const { json } = await app.decide(requestId, { approve: true })
  t.ok(json.redirectTo.startsWith(`${ISSUER}/oauth/response?d=`))
  const path = json.redirectTo.slice(ISSUER.length)
  t.equal((await running.call('GET', path)).status, 404, 'not in another browser')
  const page = await running.call('GET', path, { headers: app.browser() })
  t.equal(page.status, 200)
  t.match(page.text, `action="${CALLBACK}"`)
  t.match(page.text, 'name="state" value="&quot;&gt;&lt;b&gt;"')
  t.match(page.headers['content-security-policy'], /script-src 'sha256-/)
  const code = /name="code" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  t.notMatch(json.redirectTo, code)
  t.equal((await app.redeem({ code, verifier })).status, 200)
  const refused = await app.authorize({ response_mode: 'form_post', scope: 'ghost' })
  t.match(refused.text, 'value="invalid_scope"')
})
