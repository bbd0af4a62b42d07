// SCIM 2.0 for users: what identity providers send, what it does to access, and what is refused.
import { test } from 'tap'
import type { OAuthHostConfig } from '../config/schema.ts'
import { actor, back, bearer, formOf, ISSUER, type Running, startHost } from './flow.ts'
import { person, start as platform, refresh, tokensOf } from './platform-people.ts'

const TOKEN = 'a-token-of-the-identity-provider-1'
const OTHER = 'a-token-of-the-identity-provider-2'
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

const start = (t: Parameters<typeof startHost>[0], more: Partial<OAuthHostConfig> = {}) =>
  startHost(t, {
    scim: {
      tokens: [
        { token: TOKEN, tenant: 'acme' },
        { token: OTHER, tenant: 'globex' }
      ]
    },
    ...more
  })

/** Calls as an identity provider. */
const idp =
  ({ app }: Running, token = TOKEN) =>
  async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) => {
    const answer = await app.inject({
      method,
      url: `/oauth/scim/v2${path}`,
      headers: {
        host: 'id.example.test',
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json' })
      },
      ...(body !== undefined && {
        payload: typeof body === 'string' ? body : JSON.stringify(body)
      })
    })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      json: answer.payload === '' ? undefined : answer.json()
    }
  }

const user = (userName: string, more: object = {}) => ({ schemas: [USER], userName, ...more })
const change = (...Operations: object[]) => ({ schemas: [PATCH], Operations })

test('a user is made, read, listed, replaced and deleted', async (t) => {
  const call = idp(await start(t))
  const emails = [{ value: 'ann@acme.test', type: 'work', primary: true }]
  const name = { givenName: 'Ann', familyName: 'Arbor' }
  const made = await call('POST', '/Users', user('Ann', { externalId: 'x1', name, emails }))
  t.equal(made.status, 201)
  t.match(made.headers['content-type'], /^application\/scim\+json/)
  const { id } = made.json
  t.equal(made.headers['location'], `${ISSUER}/oauth/scim/v2/Users/${id}`)
  t.match(made.json, {
    schemas: [USER],
    userName: 'Ann',
    externalId: 'x1',
    active: true,
    name,
    emails,
    meta: { resourceType: 'User', location: made.headers['location'], created: String }
  })
  t.same((await call('GET', `/Users/${id}`)).json, made.json)
  for (const filter of ['userName eq "ann"', 'USERNAME EQ "Ann"', 'externalId eq "x1"', '']) {
    const { json } = await call('GET', `/Users?filter=${encodeURIComponent(filter)}`)
    t.match(json, { totalResults: 1, startIndex: 1, itemsPerPage: 1, Resources: [{ id }] }, filter)
  }
  const none = await call('GET', `/Users?filter=${encodeURIComponent('userName eq "bob"')}`)
  t.match(none.json, { totalResults: 0, Resources: [] })
  const replaced = await call('PUT', `/Users/${id}`, user('Ann', { displayName: 'Ann A.' }))
  t.match(replaced.json, { id, displayName: 'Ann A.' })
  t.notOk('name' in replaced.json || 'externalId' in replaced.json, 'what is left out is gone')
  t.equal((await call('DELETE', `/Users/${id}`)).status, 204)
  t.equal((await call('GET', `/Users/${id}`)).status, 404)
  t.equal((await call('POST', '/Users', user('ANN'))).status, 201, 'the name is free again')
})

test('changes as identity providers send them', async (t) => {
  const call = idp(await start(t))
  const { json } = await call('POST', '/Users', user('ann', { title: 'ignored' }))
  const patch = (...operations: object[]) =>
    call('PATCH', `/Users/${json.id}`, change(...operations))
  const cases: readonly (readonly [object, object])[] = [
    [{ op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    [{ op: 'replace', value: { active: true } }, { active: true }],
    [{ op: 'add', path: 'name.givenName', value: 'Ann' }, { name: { givenName: 'Ann' } }],
    [
      { op: 'replace', value: { 'name.familyName': 'Arbor', displayName: 'Ann A.' } },
      { name: { givenName: 'Ann', familyName: 'Arbor' }, displayName: 'Ann A.' }
    ],
    [
      { op: 'add', path: 'emails[type eq "work"].value', value: 'a@acme.test' },
      { emails: [{ type: 'work', value: 'a@acme.test' }] }
    ],
    [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'b@acme.test' },
      { emails: [{ type: 'work', value: 'b@acme.test' }] }
    ],
    [
      { op: 'add', path: 'emails', value: [{ value: 'c@acme.test', type: 'home' }] },
      { emails: [{ value: 'b@acme.test' }, { value: 'c@acme.test' }] }
    ],
    [
      { op: 'remove', path: 'emails[type eq "work"]' },
      { emails: [{ value: 'c@acme.test', type: 'home' }] }
    ],
    [{ op: 'add', path: `${USER}:externalId`, value: 'x1' }, { externalId: 'x1' }],
    [
      {
        op: 'add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'IT'
      },
      { userName: 'ann' }
    ],
    [{ op: 'add', path: 'title', value: 'Engineer' }, { userName: 'ann' }]
  ]
  for (const [operation, wanted] of cases) {
    const { status, json: changed } = await patch(operation)
    t.equal(status, 200, JSON.stringify(operation))
    t.match(changed, wanted, JSON.stringify(operation))
  }
  const { json: left } = await patch(
    { op: 'remove', path: 'emails' },
    { op: 'remove', path: 'name.givenName' },
    { op: 'remove', path: 'externalId' }
  )
  t.notOk('emails' in left || 'externalId' in left)
  t.same(left.name, { familyName: 'Arbor' })
})

test('a person who is deactivated loses all access, and gets none until they are active', async (t) => {
  const running = await start(t, { deviceFlow: { enabled: true } })
  const call = idp(running)
  const { json } = await call('POST', '/Users', user('u1'))
  const client = await running.client({ type: 'public' })
  const person = actor(running, client)
  const tokens = await person.tokens({ scope: 'read offline_access' })
  const code = await person.toCode({ scope: 'read' })
  const { requestId } = await person.toConsent({ scope: 'read' })
  const setActive = (value: boolean) =>
    call('PATCH', `/Users/${json.id}`, change({ op: 'replace', path: 'active', value }))
  await setActive(false)
  const headers = bearer(tokens.access_token)
  t.equal((await running.call('GET', '/api/read', { headers })).status, 401)
  t.equal((await person.refresh(tokens.refresh_token)).json.error, 'invalid_grant')
  t.equal((await person.redeem(code)).json.error, 'invalid_grant')
  t.equal((await person.decide(requestId, { approve: true })).status, 404)
  for (const prompt of [undefined, 'none', 'consent']) {
    const refused = back(await person.authorize({ scope: 'read', prompt }))
    t.match(refused, { error: 'access_denied', error_description: /deactivated/ })
  }
  const device = await running.client({
    type: 'public',
    grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'],
    redirectUris: []
  })
  const asked = await actor(running, device).post('/device_authorization', { scope: 'read' })
  const page = await running.call('POST', '/oauth/device', {
    raw: formOf({ user_code: asked.json.user_code }),
    headers: {
      'x-user': 'u1',
      origin: ISSUER,
      'content-type': 'application/x-www-form-urlencoded'
    }
  })
  t.equal(page.status, 403)
  t.equal(running.events.filter(({ type }) => type === 'oauth.person_deactivated').length, 1)
  await setActive(true)
  t.ok((await person.tokens({ scope: 'read' })).access_token)
  t.ok((await actor(running, client, 'u2').tokens({ scope: 'read' })).access_token)
})

test('a person who is deleted has no access until they are made again', async (t) => {
  const running = await start(t, { serviceAccounts: { enabled: true } })
  const call = idp(running)
  const client = await running.client({ type: 'public' })
  const account = await running.client({
    grantTypes: ['client_credentials'],
    redirectUris: [],
    owner: 'u1'
  })
  const grant = () => actor(running, account).post('/token', { grant_type: 'client_credentials' })
  t.equal((await grant()).status, 200)
  const { json } = await call('POST', '/Users', user('u1', { displayName: 'Ann' }))
  await call('DELETE', `/Users/${json.id}`)
  t.equal(back(await actor(running, client).authorize())['error'], 'access_denied')
  t.equal((await grant()).json.error, 'invalid_grant', 'the service account of the person')
  const rows = running.db.collection('oauth_scim_users')
  t.notMatch(JSON.stringify(await rows.find().toArray()), /Ann/, 'their data is gone')
  t.equal((await call('POST', '/Users', user('u1'))).status, 201)
  t.ok((await actor(running, client).tokens({ scope: 'read' })).access_token)
  t.equal(await rows.countDocuments(), 1)
  await running.host.users.forget('u1')
  t.equal(await rows.countDocuments(), 0, 'erased with the person')
})

test('users of another tenant are not there', async (t) => {
  const running = await start(t)
  const [acme, globex] = [idp(running), idp(running, OTHER)]
  const { json } = await acme('POST', '/Users', user('ann'))
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', user('ann')],
    ['PATCH', change({ op: 'replace', path: 'active', value: false })],
    ['DELETE', undefined]
  ] as const) {
    const { status, json: error } = await globex(method, `/Users/${json.id}`, body)
    t.equal(status, 404, method)
    t.match(error, { schemas: [ERROR], status: '404' })
  }
  t.equal((await globex('GET', '/Users')).json.totalResults, 0)
  const filter = encodeURIComponent(`id eq "${json.id}"`)
  t.equal((await globex('GET', `/Users?filter=${filter}`)).json.totalResults, 0)
  t.equal((await acme('GET', `/Users/${json.id}`)).json.active, true)
})

test('what is wrong is refused by the type of the standard, and changes nothing', async (t) => {
  const running = await start(t)
  const call = idp(running)
  const { json: ann } = await call('POST', '/Users', user('ann', { externalId: 'x1' }))
  const at = `/Users/${ann.id}`
  const many = Array.from({ length: 101 }, () => ({ op: 'add', path: 'active', value: true }))
  const cases: readonly (readonly [
    string,
    'GET' | 'POST' | 'PUT' | 'PATCH',
    string,
    unknown,
    number,
    string | undefined
  ])[] = [
    ['a name that is taken', 'POST', '/Users', user('ANN'), 409, 'uniqueness'],
    [
      'an external id that is taken',
      'POST',
      '/Users',
      user('b', { externalId: 'x1' }),
      409,
      'uniqueness'
    ],
    ['no name', 'POST', '/Users', { schemas: [USER] }, 400, 'invalidValue'],
    ['an empty name', 'POST', '/Users', user(' '), 400, 'invalidValue'],
    ['a long name', 'POST', '/Users', user('x'.repeat(501)), 400, 'invalidValue'],
    [
      'a name that is no text',
      'POST',
      '/Users',
      { ...user(''), userName: { $ne: null } },
      400,
      'invalidValue'
    ],
    ['no schema', 'POST', '/Users', { userName: 'b' }, 400, 'invalidSyntax'],
    ['a list', 'POST', '/Users', [], 400, 'invalidSyntax'],
    ['broken JSON', 'POST', '/Users', '{', 400, 'invalidSyntax'],
    ['a poisoned body', 'POST', '/Users', '{"__proto__":{"active":false}}', 400, 'invalidSyntax'],
    [
      'too many addresses',
      'POST',
      '/Users',
      user('b', { emails: Array(21).fill({ value: 'a' }) }),
      400,
      'invalidValue'
    ],
    ['active as a number', 'POST', '/Users', user('b', { active: 1 }), 400, 'invalidValue'],
    ['another person', 'PUT', at, user('bob'), 400, 'mutability'],
    [
      'another person by PATCH',
      'PATCH',
      at,
      change({ op: 'replace', path: 'userName', value: 'bob' }),
      400,
      'mutability'
    ],
    ['the id', 'PATCH', at, change({ op: 'replace', path: 'id', value: 'x' }), 400, 'mutability'],
    [
      'an unknown path',
      'PATCH',
      at,
      change({ op: 'replace', path: 'ghost', value: 'x' }),
      400,
      'invalidPath'
    ],
    [
      'a path that is no path',
      'PATCH',
      at,
      change({ op: 'replace', path: 'name[', value: 'x' }),
      400,
      'invalidPath'
    ],
    ['no active', 'PATCH', at, change({ op: 'remove', path: 'active' }), 400, 'mutability'],
    ['a removal of nothing', 'PATCH', at, change({ op: 'remove' }), 400, 'noTarget'],
    ['an unknown op', 'PATCH', at, change({ op: 'move', path: 'active' }), 400, 'invalidSyntax'],
    ['no operations', 'PATCH', at, change(), 400, 'invalidSyntax'],
    ['too many operations', 'PATCH', at, change(...many), 400, 'invalidSyntax'],
    [
      'one wrong operation among others',
      'PATCH',
      at,
      change({ op: 'replace', path: 'active', value: false }, { op: 'replace', path: 'ghost' }),
      400,
      'invalidPath'
    ],
    [
      'an unknown filter',
      'GET',
      `/Users?filter=${encodeURIComponent('userName co "a"')}`,
      undefined,
      400,
      'invalidFilter'
    ],
    [
      'a filter with more',
      'GET',
      `/Users?filter=${encodeURIComponent('userName eq "a" or active eq true')}`,
      undefined,
      400,
      'invalidFilter'
    ],
    ['a count that is no number', 'GET', '/Users?count=many', undefined, 400, 'invalidValue'],
    ['an unknown user', 'GET', '/Users/ghost', undefined, 404, undefined],
    ['an unknown schema', 'GET', '/Schemas/ghost', undefined, 404, undefined],
    [
      'a body that is too large',
      'POST',
      '/Users',
      user('b', { displayName: 'x'.repeat(40_000) }),
      400,
      'invalidSyntax'
    ]
  ]
  for (const [what, method, path, body, status, scimType] of cases) {
    const { status: got, json, headers } = await call(method, path, body)
    t.equal(got, status, what)
    t.match(json, { schemas: [ERROR], status: String(status), detail: String }, what)
    t.equal(json.scimType, scimType, what)
    t.match(headers['content-type'], /^application\/scim\+json/, what)
  }
  t.same((await call('GET', at)).json, ann)
  t.equal((await call('GET', '/Users')).json.totalResults, 1)
})

test('a token that is missing, wrong, of OAuth or too busy is refused', async (t) => {
  const running = await start(t, { scim: { tokens: [{ token: TOKEN }], perMinute: 3 } })
  const { access_token } = await actor(running, await running.client({ type: 'public' })).tokens()
  for (const token of ['', 'nope', access_token, `${TOKEN}x`]) {
    const { status, headers, json } = await idp(running, token)('GET', '/Users')
    t.equal(status, 401, token)
    t.match(headers['www-authenticate'], /^Bearer/)
    t.match(json, { schemas: [ERROR] })
  }
  const call = idp(running)
  for (let at = 0; at < 3; at++) t.equal((await call('GET', '/Users')).status, 200)
  const busy = await call('GET', '/Users')
  t.equal(busy.status, 429)
  t.ok(Number(busy.headers['retry-after']) > 0)
})

test('SCIM is off until it is configured, and says what it is', async (t) => {
  t.match(await idp(await startHost(t))('GET', '/Users'), { status: 404 })
  const call = idp(await start(t))
  t.match((await call('GET', '/ServiceProviderConfig')).json, {
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 }
  })
  t.match((await call('GET', '/ResourceTypes')).json, { Resources: [{ id: 'User' }] })
  t.match((await call('GET', '/ResourceTypes/User')).json, { endpoint: '/Users', schema: USER })
  t.match((await call('GET', '/Schemas')).json, { Resources: [{ id: USER }] })
  t.match((await call('GET', `/Schemas/${USER}`)).json, { attributes: [{ name: 'userName' }] })
})

test('lists are read in pages', async (t) => {
  const running = await start(t)
  const call = idp(running)
  for (const name of ['a', 'b', 'c']) {
    await call('POST', '/Users', user(name))
    running.clock.advance(1)
  }
  const { json: page } = await call('GET', '/Users?startIndex=2&count=1')
  t.match(page, { totalResults: 3, startIndex: 2, itemsPerPage: 1, Resources: [{ userName: 'b' }] })
  t.match((await call('GET', '/Users?count=0')).json, { totalResults: 3, Resources: [] })
  t.match((await call('GET', '/Users?count=-5&startIndex=0')).json, { itemsPerPage: 0 })
})

test('an answer holds the attributes that the client asks for', async (t) => {
  const call = idp(await start(t))
  const { json } = await call('POST', '/Users', user('ann', { name: { givenName: 'Ann' } }))
  const keys = async (query: string) =>
    Object.keys((await call('GET', `/Users/${json.id}?${query}`)).json)
  t.same(await keys('attributes=userName'), ['schemas', 'id', 'userName'])
  t.same(await keys(`attributes=${USER}:name.givenName,USERNAME`), [
    'schemas',
    'id',
    'userName',
    'name'
  ])
  t.same(await keys('excludedAttributes=name,id,meta'), ['schemas', 'id', 'userName', 'active'])
  const listed = await call('GET', '/Users?attributes=userName')
  t.same(Object.keys(listed.json.Resources[0]), ['schemas', 'id', 'userName'])
})

test('of changes at the same time none is lost', async (t) => {
  const call = idp(await start(t))
  const { json } = await call('POST', '/Users', user('u1'))
  const paths = ['displayName', 'name.givenName', 'name.familyName', 'externalId', 'active']
  const answers = await Promise.all(
    paths.map((path) => {
      const value = path === 'active' ? false : 'x'
      return call('PATCH', `/Users/${json.id}`, change({ op: 'replace', path, value }))
    })
  )
  t.same(
    answers.map(({ status }) => status),
    paths.map(() => 200)
  )
  t.match((await call('GET', `/Users/${json.id}`)).json, {
    active: false,
    displayName: 'x',
    externalId: 'x',
    name: { givenName: 'x', familyName: 'x' }
  })
})

test('users are found by their indexes', async (t) => {
  const running = await start(t)
  const { scimUsers } = running.parts.services.collections
  const live = { tenant: 'acme', deletedAt: null }
  for (const [filter, index] of [
    [{ ...live, userNameKey: 'a' }, 'name'],
    [{ userId: 'u1' }, 'person'],
    [{ ...live, externalId: 'x' }, 'external']
  ] as const) {
    const plan = JSON.stringify(await scimUsers.find(filter).explain())
    t.match(plan, `"indexName":"${index}"`)
  }
  const listed = scimUsers.find(live).sort({ createdAt: 1, _id: 1 })
  const plan = JSON.stringify(await listed.explain())
  t.match(plan, '"indexName":"listed"')
  t.notMatch(plan, '"SORT"')
})

test('on the platform a token keeps the people of its tenant', async (t) => {
  const tokens = [{ token: TOKEN, tenant: 'globex' }]
  const started = await platform(t, { homeTenant: 'acme', scim: { tokens } })
  const [own, other] = [person('globex', '1'), person('acme', '1')]
  const [ended, kept] = [await tokensOf(started, own), await tokensOf(started, other)]
  const { app } = started.host
  const send = (method: 'POST' | 'DELETE', path: string, payload?: object) =>
    app.inject({
      method,
      url: `/oauth/scim/v2/Users${path}`,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(payload && { 'content-type': 'application/scim+json' })
      },
      ...(payload && { payload })
    })
  const made = await send('POST', '', user('1'))
  t.equal(made.statusCode, 201)
  t.equal((await send('DELETE', `/${made.json().id}`)).statusCode, 204)
  t.same([await refresh(started, ended), await refresh(started, kept)], [400, 200])
  const told = started.signing.events.find(({ type }) => type === 'oauth.person_deactivated')
  t.match(told, { userId: 'globex::1', tenantId: 'globex' })
  const anonymous = await app.inject('/oauth/scim/v2/Users')
  t.equal(anonymous.statusCode, 401)
  t.match(anonymous.json(), { schemas: [ERROR] })
})

test('users are found by a search in a body, as by a query', async (t) => {
  const call = idp(await start(t))
  for (const name of ['ann', 'ben']) await call('POST', '/Users', user(name))
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']
  const find = (path: string, more: object = {}) => call('POST', path, { schemas, ...more })
  for (const path of ['/.search', '/Users/.search']) {
    t.match(await find(path), { status: 200, json: { totalResults: 2 } }, path)
    const found = await find(path, { filter: 'userName eq "ben"', attributes: ['userName'] })
    t.match(found.json, { totalResults: 1, Resources: [{ userName: 'ben' }] })
    t.same(Object.keys(found.json.Resources[0]).sort(), ['id', 'schemas', 'userName'])
    t.match((await find(path, { startIndex: 2, count: 1 })).json, {
      totalResults: 2,
      startIndex: 2,
      itemsPerPage: 1
    })
  }
  const table: readonly (readonly [unknown, string])[] = [
    [{ filter: 'userName eq "ben"' }, 'invalidSyntax'],
    [[], 'invalidSyntax'],
    [{ schemas, filter: 1 }, 'invalidFilter'],
    [{ schemas, filter: 'title co "x"' }, 'invalidFilter'],
    [{ schemas, attributes: [1] }, 'invalidValue'],
    [{ schemas, count: 'many' }, 'invalidValue']
  ]
  for (const [body, scimType] of table) {
    const refused = await call('POST', '/Users/.search', body)
    t.match(refused, { status: 400, json: { schemas: [ERROR], scimType } }, JSON.stringify(body))
  }
})

test('a method that an address does not take answers 405 with those that it does', async (t) => {
  const running = await start(t)
  const call = idp(running)
  const table = [
    ['/ServiceProviderConfig', 'GET'],
    ['/ResourceTypes', 'GET'],
    ['/ResourceTypes/User', 'GET'],
    ['/Schemas', 'GET'],
    [`/Schemas/${USER}`, 'GET'],
    ['/Users', 'GET, POST'],
    ['/Users/x', 'GET, PUT, PATCH, DELETE'],
    ['/.search', 'POST']
  ] as const
  const none = { status: 404, json: { schemas: [ERROR], status: '404' } }
  for (const [path, allowed] of table) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (allowed.split(', ').includes(method)) continue
      const refused = await call(method, path, method === 'GET' ? undefined : {})
      t.match(refused, { status: 405, json: { schemas: [ERROR], status: '405' } }, path)
      t.equal(refused.headers['allow'], allowed, `${method} ${path}`)
    }
  }
  for (const path of ['/Groups', '/Users/x/y', '/Me']) t.match(await call('GET', path), none, path)
  const wrong = await idp(running, 'not-a-token-of-the-provider')('PUT', '/Users', {})
  t.equal(wrong.status, 401)
})

test('active and userName are never removed, and the error says why', async (t) => {
  const call = idp(await start(t))
  const { json } = await call('POST', '/Users', user('ann', { active: false }))
  for (const [path, why] of [
    ['active', /active cannot be removed: without it a deactivated user would have access/],
    ['userName', /userName cannot be removed: every user has one/]
  ] as const) {
    const refused = await call('PATCH', `/Users/${json.id}`, change({ op: 'remove', path }))
    t.match(refused, { status: 400, json: { scimType: 'mutability', detail: why } })
  }
  t.match(await call('GET', `/Users/${json.id}`), { json: { userName: 'ann', active: false } })
})
