// The API of plugins on a running host: what is listed, what a change does, what it refuses, and who may.
import { test } from 'tap'
import { openHost } from './open-host.ts'

test('the list says of each plugin how it is, what it asks for, and what needs it', async (t) => {
  const { call } = await openHost(t)
  const { status, json } = await call('GET', '/plugins')
  t.equal(status, 200)
  t.match(json, { isServed: false, running: 0, wanted: 0 })
  t.match(
    json.plugins.map(({ id, state, enabled }: Record<string, unknown>) => [id, state, enabled]),
    [
      ['platform', 'ready', true],
      ['reader', 'ready', true],
      ['words', 'ready', true]
    ]
  )
  t.match(json.plugins[2], {
    isKept: false,
    neededBy: ['reader'],
    asks: { network: ['words.example'], routes: 1, jobs: 0 }
  })
  t.match(json.plugins[0], { isKept: true, asks: { uses: ['kernel.plugins/v1'] } })
})

test('a change is stored for the next start, with who made it and no value', async (t) => {
  const { call } = await openHost(t)
  const by = 'human:boss@acme.test'
  t.match(await call('POST', '/plugins/reader/disable'), {
    status: 200,
    json: { changed: true, revision: { revision: 1, plugin: 'reader', action: 'disable', by } }
  })
  t.same((await call('POST', '/plugins/reader/disable')).json, { changed: false })
  const title = 'for $' + '{HOME}'
  const settings = [
    { path: 'size', value: 5 },
    { path: 'title', value: title }
  ]
  t.match(await call('POST', '/plugins/words/settings', { settings }), {
    status: 200,
    json: { revision: { revision: 2, action: 'configure', fields: ['size', 'title'] } }
  })
  const { json } = await call('GET', '/plugins')
  t.match(json, { running: 0, wanted: 2, last: { revision: 2 } })
  t.match(json.plugins[1], { id: 'reader', state: 'ready', enabled: false })
  const { json: form } = await call('GET', '/plugins/words/settings')
  t.match(form.fields, [
    { path: 'size', type: 'integer', minimum: 1, maximum: 9, value: 5, isChanged: true },
    { path: 'title', type: 'text', value: title, isChanged: true },
    { path: 'token', isSecret: true, isSet: true, isChanged: false }
  ])
  const audit = await call('GET', '/audit')
  t.match(audit.json.items, [{ revision: 2 }, { revision: 1, plugin: 'reader' }])
  t.notMatch(audit.text, /HOME/)
  const reset = { settings: [{ path: 'size', reset: true }] }
  t.equal((await call('POST', '/plugins/words/settings', reset)).status, 200)
  t.match((await call('GET', '/plugins/words/settings')).json.fields[0], {
    value: 3,
    isChanged: false
  })
})

test('a secret is never sent, and is set by the name of a variable alone', async (t) => {
  const { call } = await openHost(t)
  t.notMatch((await call('GET', '/plugins/words/settings')).text, /not-to-be-seen/)
  for (const value of ['plain', 'MONGODB_URI', '${KEELSON_SECRET_A}', 'KEELSON_SECRET_', 5, {}]) {
    const settings = [{ path: 'token', value }]
    t.match(
      await call('POST', '/plugins/words/settings', { settings }),
      { status: 422, json: { error: 'secret_refused', fields: [{ path: 'token' }] } },
      JSON.stringify(value)
    )
  }
  // The variable must be set before.
  const settings = [{ path: 'token', value: 'KEELSON_SECRET_NEVER_SET' }]
  t.match(await call('POST', '/plugins/words/settings', { settings }), {
    status: 409,
    json: { error: 'change_refused', message: /KEELSON_SECRET_NEVER_SET/ }
  })
  t.equal((await call('GET', '/audit')).json.items.length, 0)
})

test('what would not start is refused when it is asked for, with what and why', async (t) => {
  const { call } = await openHost(t)
  const set = (path: string, value: unknown) => ({ settings: [{ path, value }] })
  const rows: [string, object | undefined, number, string, RegExp][] = [
    ['/plugins/words/disable', undefined, 409, 'plugin_needed', /reader/],
    ['/plugins/platform/disable', undefined, 409, 'plugin_kept', /sign-in/],
    ['/plugins/wrods/enable', undefined, 404, 'plugin_not_found', /wrods/],
    ['/plugins/words/settings', set('size', 10), 409, 'change_refused', /size.*9/],
    ['/plugins/words/settings', set('size', '5'), 409, 'change_refused', /size/],
    ['/plugins/words/settings', set('title', { a: 1 }), 409, 'change_refused', /title/],
    ['/plugins/words/settings', set('colour', 1), 422, 'setting_unknown', /colour/],
    ['/plugins/words/settings', set('__proto__.x', 1), 422, 'setting_unknown', /setting/],
    ['/plugins/words/settings', { settings: [] }, 400, 'validation_failed', /./]
  ]
  for (const [path, payload, status, error, message] of rows) {
    const reply = await call('POST', path, payload)
    t.match(reply, { status, json: { error, message } }, `${path} ${JSON.stringify(payload)}`)
    t.ok(reply.json.fix)
  }
  t.equal((await call('GET', '/plugins/none/settings')).status, 404)
  t.equal((await call('GET', '/audit')).json.items.length, 0)
})

test('only administrators of the platform may', async (t) => {
  const { call, signIn } = await openHost(t)
  const others = [null, { tenantId: 'acme', role: 'admin' }, { tenantId: '*', role: 'viewer' }]
  for (const viewer of others) {
    signIn(viewer)
    const status = viewer === null ? 401 : 403
    for (const path of ['/plugins', '/audit', '/plugins/words/settings']) {
      t.equal((await call('GET', path)).status, status, path)
    }
    t.equal((await call('POST', '/plugins/reader/disable')).status, status)
  }
})
