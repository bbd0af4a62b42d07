// What ingest does with odd, hostile and untimely bodies, and with a database in trouble.
import { gzipSync } from 'node:zlib'
import { test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { batch, openWire, viewed } from './wire.ts'

test('gzip, text/plain and a publishable key in the address are taken', async (t) => {
  const { mint, post } = await openWire(t)
  const zipped = gzipSync(JSON.stringify(batch(viewed())))
  t.same((await post(await mint(), zipped, { 'content-encoding': 'gzip' })).json, {
    accepted: 1,
    rejected: 0
  })
  const key = await mint({ kind: 'publishable' })
  const beacon = await post(
    undefined,
    JSON.stringify(batch(viewed())),
    { 'content-type': 'text/plain;charset=UTF-8' },
    `?key=${key}`
  )
  t.same(beacon.json, { accepted: 1, rejected: 0 })
})

test('hostile bodies: an exact answer for each, and never a 500', async (t) => {
  const { mint, post } = await openWire(t)
  const [secret, open] = [await mint(), await mint({ kind: 'publishable' })]
  const deep = `{"records":[${'['.repeat(50_000)}${']'.repeat(50_000)}]}`
  const cases: readonly [unknown, Record<string, string>, number, string][] = [
    ['{"records":[', {}, 400, 'entity.parse.failed'],
    ['', {}, 400, 'entity.parse.failed'],
    ['null', {}, 400, 'entity.parse.failed'],
    ['[]', {}, 400, 'entity.parse.failed'],
    ['{}', {}, 400, 'entity.parse.failed'],
    ['{"records":{}}', {}, 400, 'entity.parse.failed'],
    [JSON.stringify({ records: [], pad: 'x'.repeat(600_000) }), {}, 413, 'entity.too.large'],
    [gzipSync(Buffer.alloc(50_000_000)), { 'content-encoding': 'gzip' }, 413, 'entity.too.large'],
    [Buffer.from('not gzip'), { 'content-encoding': 'gzip' }, 400, 'entity.parse.failed'],
    ['{"records":[]}', { 'content-encoding': 'br' }, 415, 'unsupported_media_type'],
    ['<a/>', { 'content-type': 'application/xml' }, 415, 'unsupported_media_type']
  ]
  for (const [body, headers, status, error] of cases) {
    const answer = await post(secret, body, headers)
    t.same([answer.status, answer.json], [status, { error }], String(body).slice(0, 40))
    t.same((await post(open, body, headers)).json, { accepted: 0, rejected: 1 })
  }
  t.same((await post(secret, deep)).json, { accepted: 0, rejected: 1 })
  t.same((await post(secret, '{"records":[]}')).json, { accepted: 0, rejected: 0 })
})

test('hostile records are refused or stored as they are, and harm no other record', async (t) => {
  const { mint, post, telemetry, rows } = await openWire(t)
  const key = await mint()
  const raw = JSON.stringify(batch(viewed())).replace(
    '"path"',
    '"__proto__":"x","constructor":"y","path"'
  )
  t.same((await post(key, raw)).json, { accepted: 0, rejected: 1 })
  const odd = [
    viewed({ attrs: { path: 'a\u0000b', source: '\ud800' } }),
    viewed({ attrs: { path: '$$ROOT', source: '$tenantId' }, traceId: '$$NOW' }),
    viewed({ subjects: [{ type: 'user', id: 'a|b=c:d%' }] }),
    viewed({ body: '\u0000\ud800' })
  ]
  t.same((await post(key, batch(...odd))).json, { accepted: 4, rejected: 0 })
  const bad = [
    viewed({ attrs: { $where: 'x' } }),
    viewed({ attrs: { 'a\u0000': 'x' } }),
    viewed({ subjects: [{ type: 'user', id: '\ud800' }] }),
    viewed({ subjects: [{ type: 'user', id: { $gt: '' } }] }),
    viewed({ _id: { $ne: 1 } }),
    viewed({ metrics: { load_ms: 'INFINITE' } })
  ]
  // JSON has no infinity, but a number too large for a double reads as one.
  const text = JSON.stringify(batch(...bad)).replace('"INFINITE"', '1e400')
  t.same((await post(key, text)).json, { accepted: 0, rejected: 6 })
  t.equal((await rows()).length, 4)
  t.equal((await telemetry.quarantine('acme')).length, 7)
  const queries = createQueries({ telemetry })
  const range = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) }
  const { items } = await queries.records('acme', {
    ...range,
    filters: { subject: 'user:a|b=c:d%' }
  })
  t.equal(items[0]?.subject, 'user:a|b=c:d%')
  const { rows: rollups } = await queries.rollups('acme', {
    as: 'daily_active',
    dims: ['user:a|b=c:d%']
  })
  t.equal(rollups[0]?.count, 1)
})

test('$identify links an anonymous ref and stores no row', async (t) => {
  const { mint, post, rows, db } = await openWire(t)
  const key = await mint()
  const identify = { name: '$identify', anonRef: 'anon:1', userRef: 'user:1' }
  t.same((await post(key, batch(identify, identify))).json, { accepted: 2, rejected: 0 })
  t.equal((await rows()).length, 0)
  t.match(await db.collection('telemetry_aliases').findOne(), {
    _id: /^acme\|anon:1\|user:1\|\d+$/,
    tenantId: 'acme',
    anonRef: 'anon:1',
    userRef: 'user:1'
  })
})

test('a key is looked up once, and a wrong secret is hashed once', async (t) => {
  const { mint, post, commands } = await openWire(t)
  const key = await mint()
  await post(key, batch(viewed()))
  commands()
  for (let n = 0; n < 5; n++) await post(key, { records: [] })
  t.same(
    commands().filter((name) => name === 'find'),
    []
  )
})

test('database trouble is 503 with Retry-After, and the records can be sent again', async (t) => {
  const { mint, post, telemetry, rows, client } = await openWire(t, { deadlineMs: 5000 })
  const key = await mint()
  await post(key, batch(viewed()))
  const sent = batch(viewed())
  const transaction = client.startSession
  client.startSession = () => {
    throw new Error('connection lost')
  }
  const refused = await post(key, sent)
  t.same([refused.status, refused.json], [503, { error: 'unavailable' }])
  t.ok(Number(refused.headers['retry-after']) >= 1)
  client.startSession = transaction
  t.same((await post(key, sent)).json, { accepted: 1, rejected: 0 })
  t.equal((await rows()).length, 2)
  t.equal(telemetry.counters.deduped, 0)
})

test('when too much is waiting a sender hears 429', async (t) => {
  const { mint, post } = await openWire(t, {}, { maxQueued: 1, gatherMs: 300 })
  const key = await mint()
  await post(key, { records: [] })
  const [first, second] = await Promise.all([
    post(key, batch(viewed())),
    post(key, batch(viewed()))
  ])
  t.same([first.status, second.status].sort(), [202, 429])
  const refused = first.status === 429 ? first : second
  t.same(refused.json, { error: 'overloaded' })
  t.equal(refused.headers['retry-after'], '1')
})
