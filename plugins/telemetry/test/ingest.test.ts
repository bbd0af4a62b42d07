// POST /ingest over HTTP, row by row of its table, on a real database.
import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import type { Document } from 'mongodb'
import { test } from 'tap'
import { createIngest } from '../create-ingest.ts'
import { createTelemetry } from '../create-telemetry.ts'
import { differences } from './recount.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'
import { batch, openWire, SHOP, stillClock, viewed } from './wire.ts'

test('a batch is written with what the key says, and everything else a record claims is ignored', async (t) => {
  const { mint, post, rows, db, commands } = await openWire(t)
  const key = await mint({ maxPerMinute: 100_000 })
  const sent = viewed({
    service: 'evil',
    env: 'prod',
    tenantId: 'globex',
    kind: 'usage',
    sampleRate: 0.1,
    dedupeKey: 'x',
    forceKeep: true
  })
  await post(key, batch(viewed({ occurredAt: '2020-01-01' })))
  commands()
  const answer = await post(key, { ...batch(sent), context: { tenantId: 'globex' } })
  t.same([answer.status, answer.json], [202, { accepted: 1, rejected: 0 }])
  // Before them a process may note whose transactions it makes.
  t.same(commands().slice(-3), ['insert', 'update', 'commitTransaction'])
  const [row] = await rows()
  t.match(row, {
    tenantId: 'acme',
    service: 'web',
    env: 'staging',
    kind: 'event',
    release: 'web@1',
    severity: 'info'
  })
  t.same(
    [row?.['dedupeKey'], row?.['forced'], row?.['sampleRate']],
    [undefined, undefined, undefined]
  )
  t.same(await differences(db, SAMPLE_SPEC), [])
})

test('a batch sent again writes nothing and counts as deduped', async (t) => {
  const { mint, post, rows, telemetry, db } = await openWire(t)
  const key = await mint()
  const sent = batch(viewed(), viewed(), {
    _id: randomUUID(),
    name: 'account.activated',
    subjects: [{ type: 'user', id: 'u1' }]
  })
  for (let n = 0; n < 3; n++) t.same((await post(key, sent)).json, { accepted: 3, rejected: 0 })
  const twice = viewed()
  t.same((await post(key, batch(twice, twice))).json, { accepted: 2, rejected: 0 })
  t.equal((await rows()).length, 4)
  t.equal(telemetry.counters.deduped, 7)
  t.same(await differences(db, SAMPLE_SPEC), [])
})

test('a capped record that is sent again is not counted again', async (t) => {
  const { mint, post, telemetry, db } = await openWire(t)
  const key = await mint()
  const storm = batch(
    ...Array.from({ length: 70 }, () => ({
      _id: randomUUID(),
      name: 'app.error',
      error: { type: 'Loop', message: 'm' }
    }))
  )
  for (let n = 0; n < 2; n++) t.same((await post(key, storm)).json, { accepted: 70, rejected: 0 })
  t.same([telemetry.counters.capped, telemetry.counters.deduped], [10, 70])
  const issue = await db.collection('telemetry_rollups').findOne({ as: 'errors_daily' })
  t.equal(issue?.['count'], 70)
})

test('the same id from two tenants is two records', async (t) => {
  const { mint, post, telemetry } = await openWire(t)
  const sent = batch(viewed())
  await post(await mint(), sent)
  await post(await mint({ tenantMode: 'fixed', tenantId: 'globex' }), sent)
  t.equal(telemetry.counters.deduped, 0)
  t.equal((await telemetry.scoped('globex').find()).length, 1)
})

test('without a key that is known, publishable senders hear nothing and secret ones hear 401', async (t) => {
  const { mint, post, rows } = await openWire(t)
  const key = await mint()
  const silent = [
    undefined,
    'nonsense',
    `pk_live_tk_${'0'.repeat(24)}`,
    key.replace(/^sk/, 'pk').slice(0, -49)
  ]
  for (const one of silent) {
    const { status, json } = await post(one, batch(viewed()))
    t.same([status, json], [202, { accepted: 0, rejected: 0 }], String(one))
  }
  const wrong = key.endsWith('000000')
    ? key.replace(/.{6}$/, '111111')
    : key.replace(/.{6}$/, '000000')
  for (const one of [
    `sk_live_tk_${'0'.repeat(24)}_${'0'.repeat(48)}`,
    wrong,
    'sk_x',
    key.replace('_live_', '_other_').slice(0, 40)
  ]) {
    const { status, json } = await post(one, batch(viewed()))
    t.same([status, json], [401, { error: 'invalid_key' }], one)
  }
  const inQuery = await post(undefined, batch(viewed()), {}, `?key=${key}`)
  t.same([inQuery.status, inQuery.json], [401, { error: 'invalid_key' }])
  t.equal((await rows()).length, 0)
})

test('a revoked key stops at once in this process', async (t) => {
  const { mint, post, telemetry } = await openWire(t)
  const [secret, open] = [await mint(), await mint({ kind: 'publishable' })]
  await post(secret, batch(viewed()))
  await post(open, batch(viewed()))
  const ids = (await telemetry.listKeys('acme')).map((key) => key.id)
  for (const id of ids) t.same(await telemetry.revokeKey(id, 'acme'), { revoked: 1 })
  for (const id of ids) t.same(await telemetry.revokeKey(id, 'acme'), { revoked: 0 })
  const refused = await post(secret, batch(viewed()))
  t.same([refused.status, refused.json], [401, { error: 'revoked_key' }])
  t.same((await post(open, batch(viewed()))).json, { accepted: 0, rejected: 0 })
})

test('keys are listed and revoked within their tenant, and never show their secret', async (t) => {
  const { mint, telemetry } = await openWire(t)
  await mint()
  await mint({ tenantMode: 'claimed' })
  const other = await telemetry.createKey({
    kind: 'secret',
    tenantMode: 'fixed',
    tenantId: 'globex',
    service: 's',
    env: 'dev'
  })
  t.equal((await telemetry.listKeys('acme')).length, 1)
  t.equal((await telemetry.listKeys('*')).length, 3)
  t.notMatch(JSON.stringify(await telemetry.listKeys('*')), /scrypt|secretHash/)
  t.same(await telemetry.revokeKey(other.id, 'acme'), { revoked: 0 })
  t.same(await telemetry.revokeKey(other.id, '*'), { revoked: 1 })
})

test('a publishable key is bound to its origins; callers without one are taken', async (t) => {
  const { mint, post, rows } = await openWire(t)
  const key = await mint({ kind: 'publishable', origins: [SHOP] })
  const good = await post(key, batch(viewed()), { origin: SHOP })
  t.same(
    [good.json, good.headers['access-control-allow-origin'], good.headers['vary']],
    [{ accepted: 1, rejected: 0 }, SHOP, 'Origin']
  )
  const evil = await post(key, batch(viewed()), { origin: 'https://evil.example' })
  t.same(
    [evil.json, evil.headers['access-control-allow-origin']],
    [{ accepted: 0, rejected: 0 }, undefined]
  )
  t.same((await post(key, batch(viewed()))).json, { accepted: 1, rejected: 0 })
  t.equal((await rows()).length, 2)
})

test('a preflight reflects the origin', async (t) => {
  const { app } = await openWire(t)
  const reply = await app.inject({
    method: 'OPTIONS',
    url: '/ingest',
    headers: { origin: SHOP, 'access-control-request-method': 'POST' }
  })
  t.equal(reply.statusCode, 204)
  t.match(reply.headers, {
    'access-control-allow-origin': SHOP,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': /authorization, content-type/,
    'access-control-max-age': '600'
  })
})

test('a page of an allowed origin can read how long to wait when the write fails', async (t) => {
  const { mint, post, telemetry } = await openWire(t)
  const key = await mint({ kind: 'publishable', origins: [SHOP] })
  await telemetry.close()
  const refused = await post(key, batch(viewed()), { origin: SHOP })
  t.equal(refused.status, 503)
  t.match(refused.headers, {
    'retry-after': '2',
    'access-control-allow-origin': SHOP,
    'access-control-expose-headers': 'Retry-After'
  })
})

test('one bad record never fails its batch, and each has a reason', async (t) => {
  const { mint, post, telemetry, rows } = await openWire(t)
  const key = await mint({ kind: 'publishable' })
  const bad = [
    { ...viewed(), name: 'no.such' },
    { _id: randomUUID(), name: 'order.placed', subjects: [{ type: 'user', id: 'u1' }] },
    {
      _id: randomUUID(),
      name: 'ticket.status',
      subjects: [{ type: 'user', id: 'u1' }],
      state: { key: 'a', to: 'b' }
    },
    { ...viewed(), _id: undefined },
    { ...viewed(), _id: 'short' },
    { ...viewed(), occurredAt: 'yesterday-ish' },
    { ...viewed(), subjects: 'user:1' },
    { name: '$identify', anonRef: 'anon:1' },
    null,
    7,
    [],
    'text'
  ]
  t.same((await post(key, batch(viewed(), ...bad))).json, { accepted: 1, rejected: bad.length })
  t.equal((await rows()).length, 1)
  const reasons = (await telemetry.quarantine('acme')).map(({ reason }) => reason).join('\n')
  for (const part of [
    'unregistered event',
    'server-origin name over a publishable key',
    'kind state not allowed for this key',
    'missing client _id',
    'occurredAt must be a date',
    'subjects must be',
    'malformed $identify',
    'a record must be an object'
  ]) {
    t.ok(reasons.includes(part), part)
  }
  t.equal(telemetry.counters.rejected, bad.length)
})

test('a key may be narrowed to kinds and names', async (t) => {
  const { mint, post, telemetry } = await openWire(t)
  const activated = {
    _id: randomUUID(),
    name: 'account.activated',
    subjects: [{ type: 'user', id: 'u1' }]
  }
  t.same(
    (await post(await mint({ allowedNames: ['page.viewed'] }), batch(viewed(), activated))).json,
    { accepted: 1, rejected: 1 }
  )
  t.same((await post(await mint({ allowedKinds: ['error'] }), batch(viewed()))).json, {
    accepted: 0,
    rejected: 1
  })
  const reasons = (await telemetry.quarantine('acme')).map(({ reason }) => reason)
  t.same(reasons.sort(), ['kind event not allowed for this key', 'name not allowed for this key'])
})

test('too many records: 413 for a secret key, the head is kept for a publishable one', async (t) => {
  const { mint, post, rows } = await openWire(t)
  const many = batch(...Array.from({ length: 101 }, () => viewed()))
  const refused = await post(await mint(), many)
  t.same([refused.status, refused.json], [413, { error: 'batch_too_large', max: 100 }])
  t.same((await post(await mint({ kind: 'publishable' }), many)).json, {
    accepted: 100,
    rejected: 1
  })
  t.equal((await rows()).length, 100)
})

test('over its rate a secret key hears 429 and writes nothing, a publishable one writes what fits', async (t) => {
  const { mint, post, rows, telemetry } = await openWire(t)
  const six = batch(...Array.from({ length: 6 }, () => viewed()))
  const refused = await post(await mint({ maxPerMinute: 5 }), six)
  t.same([refused.status, refused.json], [429, { error: 'rate_limited', max: 5 }])
  t.ok(Number(refused.headers['retry-after']) >= 1)
  const written = async () => (await rows()).filter(({ name }) => name !== 'ingest.refused')
  t.equal((await written()).length, 0)
  t.same((await post(await mint({ kind: 'publishable', maxPerMinute: 5 }), six)).json, {
    accepted: 5,
    rejected: 1
  })
  t.equal(telemetry.counters.capped, 7)
})

test('what a key was not allowed to write is recorded with the key, for pages and alerts', async (t) => {
  const { mint, post, rows, telemetry } = await openWire(t)
  const key = await mint({ maxPerMinute: 5, service: 'checkout' })
  for (let sent = 0; sent < 3; sent++) {
    await post(key, batch(...Array.from({ length: 6 }, () => viewed())))
  }
  await telemetry.flush()
  const all = (await rows()) as readonly Document[]
  const [row, ...others] = all.filter(({ name }) => name === 'ingest.refused')
  t.match(row, {
    name: 'ingest.refused',
    tenantId: 'acme',
    service: 'ingest',
    severity: 'warn',
    attrs: { service: 'checkout' },
    metrics: { records: 6 }
  })
  t.same(others, [], 'once a minute')
  const [listed] = await telemetry.listKeys('acme')
  t.equal(row?.['attrs'].key, listed?.id)
})

test('the rate of a key is shared by all processes', async (t) => {
  const clock = stillClock()
  const { mint, post, db } = await openWire(t, {}, { clock })
  const key = await mint({ kind: 'publishable', maxPerMinute: 50 })
  const second = Fastify()
  const other = createTelemetry({ registry: SAMPLE_SPEC, connection: db, gatherMs: 0, clock })
  await second.register(createIngest({ telemetry: other }), { prefix: '/ingest' })
  t.teardown(() => second.close())
  const forty = () => batch(...Array.from({ length: 40 }, () => viewed()))
  const first = (await post(key, forty())).json['accepted'] as number
  const reply = await second.inject({
    method: 'POST',
    url: '/ingest',
    headers: { authorization: `Bearer ${key}` },
    payload: forty()
  })
  t.equal(first, 40)
  t.equal(reply.json<{ accepted: number }>().accepted, 10)
})

test('a claimed key writes for the tenant named, needs one, and never the reserved one', async (t) => {
  const wire = await openWire(t)
  const { mint, post, telemetry } = wire
  const key = await mint({ tenantMode: 'claimed' })
  const claim = (tenantId: unknown) => post(key, { ...batch(viewed()), context: { tenantId } })
  t.same((await claim('globex')).json, { accepted: 1, rejected: 0 })
  t.equal((await telemetry.scoped('globex').find()).length, 1)
  for (const none of [undefined, '', ' ', 7, { $gt: '' }, 'x'.repeat(200)]) {
    const { status, json } = await claim(none)
    t.match(
      [status, json],
      [400, { error: 'tenant_required', fix: /context\.tenantId.*x-tenant-id/ }]
    )
  }
  t.match((await claim('*')).json, { error: 'reserved_tenant' })
  const { app } = wire
  const named = await app.inject({
    method: 'POST',
    url: '/ingest',
    headers: { authorization: `Bearer ${key}`, 'x-tenant-id': 'initech' },
    payload: batch(viewed())
  })
  t.equal(named.statusCode, 202)
  t.equal((await telemetry.scoped('initech').find()).length, 1)
})

test('a session key writes for the signed-in viewer', async (t) => {
  let session: {
    tenantId: string
    subjects: { type: string; id: string }[]
    actor: string
  } | null = null
  const { mint, post, rows } = await openWire(t, {
    contextAdapter: { resolveContext: () => session }
  })
  const secret = await mint({ tenantMode: 'session' })
  const open = await mint({ tenantMode: 'session', kind: 'publishable', origins: [SHOP] })
  t.match((await post(secret, batch(viewed()))).json, { error: 'no_session' })
  t.same((await post(open, batch(viewed()))).json, { accepted: 0, rejected: 1 })
  session = { tenantId: 'acme', subjects: [{ type: 'user', id: 'host' }], actor: 'user:host' }
  const answer = await post(
    open,
    { ...batch(viewed({ actor: 'admin:claimed' })), context: { tenantId: 'globex' } },
    { origin: SHOP }
  )
  t.same(
    [answer.json, answer.headers['access-control-allow-credentials']],
    [{ accepted: 1, rejected: 0 }, 'true']
  )
  t.match(await rows(), [{ subjectKeys: ['user:host'], actor: 'user:host', tenantId: 'acme' }])
  session = { ...session, tenantId: '*' }
  t.match((await post(secret, batch(viewed()))).json, { error: 'reserved_tenant' })
})

test('a session key without an adapter writes nothing', async (t) => {
  const { mint, post } = await openWire(t)
  const refused = await post(await mint({ tenantMode: 'session' }), batch(viewed()))
  t.match([refused.status, refused.json], [500, { error: 'no_context_adapter' }])
  t.same(
    (await post(await mint({ tenantMode: 'session', kind: 'publishable' }), batch(viewed()))).json,
    { accepted: 0, rejected: 0 }
  )
})

test('the context of a batch supplies subjects and actor, and a record goes before it', async (t) => {
  const { mint, post, rows } = await openWire(t)
  const key = await mint()
  const context = {
    subjects: [
      { type: 'user', id: 'ctx' },
      { type: 'org', id: 'o' }
    ],
    actor: 'admin:ann'
  }
  const bare = { _id: randomUUID(), name: 'page.viewed' }
  t.same((await post(key, { ...batch(bare, viewed({ actor: 'bot:b' })), context })).json, {
    accepted: 2,
    rejected: 0
  })
  const [first, second] = await rows()
  t.match(
    [first, second].find((row) => row?.['actor'] === 'admin:ann'),
    { subjectKeys: ['user:ctx', 'org:o'], actorType: 'admin' }
  )
  t.match(
    [first, second].find((row) => row?.['actor'] === 'bot:b'),
    { subjectKeys: ['org:o', 'user:u1'] }
  )
})

test('clock skew is taken out before rollups, and impossible times are replaced', async (t) => {
  const { mint, post, rows, telemetry, db } = await openWire(t)
  const hour = 3_600_000
  const now = Date.now()
  const at = (ms: number) => new Date(ms).toISOString()
  await post(await mint(), {
    ...batch(viewed({ occurredAt: at(now + hour - 20_000) })),
    sentAt: at(now + hour)
  })
  await post(
    await mint(),
    batch(
      viewed({ occurredAt: at(now + 2 * hour) }),
      viewed({ occurredAt: at(now - 40 * 24 * hour) })
    )
  )
  await post(
    await mint({ kind: 'publishable' }),
    batch(viewed({ occurredAt: at(now - 40 * 24 * hour) }))
  )
  const times = (await rows())
    .map((row) => Math.round(((row['occurredAt'] as Date).getTime() - now) / 10_000))
    .sort((a, b) => a - b)
  t.equal(times.length, 4)
  t.same(
    times.filter((time) => time < -100_000),
    [-345_600]
  )
  t.ok(
    times.slice(1).every((time) => Math.abs(time) <= 3),
    JSON.stringify(times)
  )
  t.equal(telemetry.counters.defaulted, 2)
  t.same(await differences(db, SAMPLE_SPEC), [])
})
