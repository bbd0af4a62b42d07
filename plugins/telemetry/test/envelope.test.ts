// What a record must look like, what is filled in and what is clipped.
import { test } from 'tap'
import { recordSettings } from '../emit/settings.ts'
import { boundedMeta } from '../envelope/data.ts'
import { fingerprintOf } from '../envelope/fingerprint.ts'
import { readRecord } from '../envelope/read-record.ts'
import { isWireId, newRecordId } from '../envelope/record-id.ts'
import { isRef, mergeSubjects, readSubjects } from '../envelope/refs.ts'
import { showRow } from '../envelope/stored-row.ts'
import { isExpired, readTime, settleTime } from '../envelope/time.ts'
import { decodeKey, encodeKey } from '../field-keys.ts'
import { sampleRegistry } from './sample-registry.ts'

const NOW = Date.UTC(2026, 5, 15, 12)
const registry = sampleRegistry()
const settings = recordSettings({ platforms: ['tv'] })

function read(name: string, content: Record<string, unknown> = {}, facts: object = {}) {
  const event = registry.event(name)
  if (event === undefined) throw new Error(name)
  const { subjects = [{ type: 'user', id: 'u1' }], ...rest } = content
  const list = readSubjects(subjects)
  if (list === undefined) throw new Error('subjects')
  return readRecord(
    {
      event,
      id: 'record-0000000001',
      tenantId: 'acme',
      occurredAt: NOW,
      isTimeDefaulted: false,
      receivedAt: new Date(NOW),
      service: 'web',
      release: 'r1',
      env: 'prod',
      isClient: false,
      subjects: list,
      actor: undefined,
      onBehalfOf: undefined,
      client: undefined,
      dedupeKey: undefined,
      forceKeep: false,
      content: rest,
      ...facts
    },
    settings
  )
}

const rowOf = (...given: Parameters<typeof read>) => {
  const reading = read(...given)
  if (!reading.ok) throw new Error(reading.reason)
  return reading.record
}
const reasonOf = (...given: Parameters<typeof read>) => {
  const reading = read(...given)
  return reading.ok ? undefined : reading.reason
}

test('a record is shown with the fields it was given', async (t) => {
  const { row } = rowOf(
    'page.viewed',
    { attrs: { path: '/x' }, metrics: { load_ms: 7 }, traceId: 't1', body: 'hello' },
    { actor: 'admin:ann', onBehalfOf: 'user:u1' }
  )
  t.match(showRow(row), {
    _id: 'record-0000000001',
    tenantId: 'acme',
    kind: 'event',
    name: 'page.viewed',
    severity: 'info',
    origin: 'server',
    subject: 'user:u1',
    subjects: [{ type: 'user', id: 'u1' }],
    attrs: { path: '/x' },
    metrics: { load_ms: 7 },
    actor: 'admin:ann',
    actorType: 'admin',
    onBehalfOf: 'user:u1',
    traceId: 't1',
    body: 'hello',
    sampleRate: 1
  })
  t.same(row.otherPrincipals, ['admin:ann'])
})

test('a missing service or release is unknown and counted', async (t) => {
  const record = rowOf('page.viewed', {}, { service: undefined, release: undefined })
  t.same([record.row.service, record.row.release, record.defaulted], ['unknown', 'unknown', 2])
})

test('every malformed record has a reason', async (t) => {
  const cases: readonly [string, Record<string, unknown>, object, RegExp][] = [
    ['page.viewed', {}, { tenantId: '*' }, /reserved/],
    ['page.viewed', {}, { tenantId: '' }, /tenantId/],
    ['page.viewed', {}, { tenantId: 'a\u0000b' }, /tenantId/],
    ['page.viewed', {}, { tenantId: 'a\ud800' }, /tenantId/],
    ['page.viewed', { subjects: [] }, {}, /subject user is missing/],
    ['page.viewed', { subjects: [{ type: 'org', id: '1' }] }, {}, /subject user is missing/],
    ['page.viewed', { attrs: { colour: 'red' } }, {}, /attr colour is not declared/],
    ['page.viewed', { attrs: { path: {} } }, {}, /attr path must be text/],
    ['page.viewed', { attrs: ['x'] }, {}, /attrs must be an object/],
    ['page.viewed', { metrics: { load_ms: '7' } }, {}, /must be a number between/],
    [
      'page.viewed',
      { metrics: { load_ms: Number.POSITIVE_INFINITY } },
      {},
      /must be a number between/
    ],
    ['page.viewed', { metrics: { other: 7 } }, {}, /metric other is not declared/],
    ['order.placed', { metrics: { amount_usd: -1 } }, {}, /between 0/],
    ['account.signed_up', { attrs: { plan: 'gold' } }, {}, /one of free, pro/],
    ['page.viewed', { severity: 'loud' }, {}, /severity/],
    ['page.viewed', { body: 7 }, {}, /body must be text/],
    ['page.viewed', { traceId: 'a b' }, {}, /traceId/],
    ['page.viewed', { durationMs: -1 }, {}, /durationMs/],
    ['page.viewed', { state: { key: 'a', to: 'b' } }, {}, /belongs to kind state/],
    ['page.viewed', {}, { env: 'live' }, /env/],
    ['page.viewed', {}, { actor: 'ann' }, /actor/],
    ['page.viewed', {}, { actor: { $gt: '' } }, /actor/],
    ['page.viewed', {}, { dedupeKey: '' }, /dedupeKey/],
    ['page.viewed', {}, { dedupeKey: 'x'.repeat(201) }, /dedupeKey/],
    ['page.viewed', {}, { client: { platform: 'fridge', appVersion: '1' } }, /client\.platform/],
    ['http.request', { spanId: 's', durationMs: 1 }, {}, /traceId/],
    ['http.request', { traceId: 't', durationMs: 1 }, {}, /spanId/],
    ['http.request', { traceId: 't', spanId: 's' }, {}, /durationMs/],
    ['app.error', {}, {}, /needs error/],
    ['app.error', { error: 'x' }, {}, /error must be an object/],
    ['app.error', { error: { type: 'T' } }, {}, /error\.message/],
    ['app.error', { error: { type: 'T', message: 'm', frames: 1 } }, {}, /error\.frames/],
    ['ticket.status', {}, {}, /needs state/],
    ['ticket.status', { state: { key: 'a' } }, {}, /state\.to/],
    ['llm.tokens', {}, {}, /needs usage/],
    ['llm.tokens', { usage: { meter: 'm', quantity: '1', unit: 'u' } }, {}, /quantity/],
    ['llm.tokens', { usage: { meter: 'm', quantity: 1, unit: 'u', amount: 'a' } }, {}, /amount/],
    ['page.viewed', {}, { occurredAt: NOW - 731 * 86_400_000 }, /older/],
    ['llm.tokens', {}, { occurredAt: 0 }, /older/]
  ]
  for (const [name, content, facts, reason] of cases) {
    t.match(reasonOf(name, content, facts), reason, JSON.stringify([content, facts]))
  }
})

test('numbers and booleans in attrs become text, null counts as missing', async (t) => {
  const { row } = rowOf('page.viewed', { attrs: { path: 7, source: null } })
  t.same(row.attrs, { path: '7' })
})

test('a body of exactly the cap is untouched and a longer one is clipped and marked', async (t) => {
  const exact = rowOf('page.viewed', { body: 'x'.repeat(16_384) })
  t.equal(exact.row.body?.length, 16_384)
  t.equal(exact.row.truncated, undefined)
  const long = rowOf('page.viewed', { body: 'x'.repeat(16_394) })
  t.ok(long.row.body?.endsWith('… [truncated 10 chars]'))
  t.same([long.row.truncated, long.truncated], [true, 1])
})

test('an emoji is never cut in half', async (t) => {
  const { row } = rowOf('page.viewed', { body: `${'x'.repeat(16_383)}😀😀` })
  t.ok(row.body?.startsWith(`${'x'.repeat(16_383)}…`))
})

test('undeclared data is dropped and the record kept', async (t) => {
  const record = rowOf('page.viewed', { data: { a: 1 } })
  t.same([record.row.data, record.isDataDropped], [undefined, true])
  t.same(showRow(rowOf('order.placed', { data: { a: 1 } }).row).data, { a: 1 })
})

test('bounded data takes small plain objects only', async (t) => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [n, 1]))
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  t.ok(boundedMeta({ a: 'x', b: 1, c: null, d: [1, 'y'], e: { f: true } }))
  t.ok(boundedMeta(many(12)))
  for (const bad of [
    many(13),
    { a: 'x'.repeat(201) },
    { a: Number.NaN },
    { a: { b: { c: 1 } } },
    { a: Array(21).fill(1) },
    { a: [[1]] },
    [],
    'x',
    null,
    circular,
    { a: new Date() }
  ]) {
    t.equal(boundedMeta(bad), undefined)
  }
  t.equal(
    boundedMeta({ a: Array(20).fill('x'.repeat(200)), b: Array(20).fill('x'.repeat(200)) }),
    undefined
  )
})

test('errors default to severity error and get a fingerprint that ignores changing numbers', async (t) => {
  const { row } = rowOf('app.error', { error: { type: 'T', message: 'id 17 is gone' } })
  t.equal(row.severity, 'error')
  t.equal(row.error?.fingerprint, fingerprintOf('T', 'id 99 is gone'))
  t.not(row.error?.fingerprint, fingerprintOf('U', 'id 17 is gone'))
})

test('frames are bounded', async (t) => {
  const frames = Array.from({ length: 80 }, () => ({
    filename: 'f'.repeat(900),
    lineno: 1,
    junk: 1
  }))
  const { row } = rowOf('app.error', { error: { type: 'T', message: 'm', frames } })
  t.equal(row.error?.frames?.length, 50)
  t.same(Object.keys(row.error?.frames?.[0] ?? {}), ['filename', 'lineno'])
  t.equal(row.error?.frames?.[0]?.filename?.length, 500)
})

test('usage keeps money exactly and the billed subject can be found', async (t) => {
  const usage = { meter: 'm', quantity: 1, unit: 'u', amount: '0.10', billedTo: 'org:7' }
  const { row } = rowOf('llm.tokens', { usage })
  t.equal(showRow(row).usage?.amount, '0.10')
  t.same(row.otherPrincipals, ['org:7'])
})

test('small amounts are shown as they were sent', async (t) => {
  for (const amount of [
    '0.0000005',
    '-0.000000000512',
    '0.0000000',
    '12.000000000001',
    '0.000001'
  ]) {
    const usage = { meter: 'm', quantity: 1, unit: 'u', amount }
    t.equal(showRow(rowOf('llm.tokens', { usage }).row).usage?.amount, amount)
  }
})

test('client facts are known fields only', async (t) => {
  const client = { platform: 'tv', appVersion: '1', os: 'x', junk: 'y', online: true }
  const { row } = rowOf('page.viewed', {}, { client, isClient: true })
  t.same(row.client, { platform: 'tv', appVersion: '1', os: 'x', online: true })
  t.equal(row.origin, 'client')
})

test('keys with dots, dollars and prototype names come back as they were', async (t) => {
  for (const key of [
    'a.b.c',
    '$where',
    '__proto__',
    'a%2Eb',
    'plain',
    'nul\0',
    '%',
    'constructor'
  ]) {
    const field = encodeKey(key)
    t.equal(decodeKey(field), key)
    t.notMatch(field, /[.\0]|^\$|^__proto__$/)
  }
})

test('open names take any attribute within bounds', async (t) => {
  const attrs = JSON.parse('{"__proto__":"p","a.b":"1","$x":"2"}') as Record<string, unknown>
  const span = { traceId: 't', spanId: 's', durationMs: 1, attrs }
  const { row } = rowOf('otlp.span', span)
  t.same(Object.entries(showRow(row).attrs), [
    ['__proto__', 'p'],
    ['a.b', '1'],
    ['$x', '2']
  ])
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`k${n}`, 'v']))
  const crowded = rowOf('otlp.span', { ...span, attrs: many })
  t.equal(Object.keys(crowded.row.attrs ?? {}).length, 128)
  t.equal(crowded.row.truncated, true)
})

test('new ids are version 7 and sort by time', async (t) => {
  t.match(newRecordId(NOW), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.ok(newRecordId(NOW) < newRecordId(NOW + 1))
  t.ok(isWireId(newRecordId(NOW)))
  for (const bad of [
    'short',
    'x'.repeat(65),
    'has a space in it!',
    `ünïcode${'x'.repeat(16)}`,
    7,
    null
  ]) {
    t.notOk(isWireId(bad))
  }
})

test('the first colon of a ref splits', async (t) => {
  for (const ref of ['user:1', 'user:a:b', 'org.unit:x y']) t.ok(isRef(ref))
  for (const ref of ['user', ':1', 'user:', 'us er:1', 'user:a\n', 7, null]) t.notOk(isRef(ref))
})

test('malformed subject lists are refused and repeats dropped', async (t) => {
  for (const bad of [
    'user:1',
    [{ type: 'user' }],
    [{ type: 'a:b', id: '1' }],
    [null],
    [{ type: 'user', id: 1 }],
    Array(17).fill({ type: 'u', id: '1' })
  ]) {
    t.equal(readSubjects(bad), undefined)
  }
  const twice = [
    { type: 'user', id: '1' },
    { type: 'user', id: '1' }
  ]
  t.same(readSubjects(twice)?.refs, ['user:1'])
})

test('later subject lists win type by type', async (t) => {
  const list = (...refs: string[]) => ({ refs, roles: undefined })
  t.same(mergeSubjects([list('user:1', 'org:1'), list('user:2')]).refs, ['org:1', 'user:2'])
  t.same(mergeSubjects([list(), list('user:2')]).refs, ['user:2'])
})

test('times are read from ISO text, numbers and dates, and nothing else', async (t) => {
  t.equal(readTime('2026-06-15T12:00:00.000Z'), NOW)
  t.equal(readTime(NOW), NOW)
  t.equal(readTime(new Date(NOW)), NOW)
  for (const bad of ['2025-13-45', '', {}, null, Number.NaN, 1e300, true])
    t.equal(readTime(bad), undefined)
})

test('ISO text without an offset is UTC, in whatever zone the process runs', async (t) => {
  const { TZ } = process.env
  t.teardown(() => {
    if (TZ === undefined) delete process.env['TZ']
    else process.env['TZ'] = TZ
  })
  for (const zone of ['America/New_York', 'Asia/Kolkata', 'UTC']) {
    process.env['TZ'] = zone
    t.equal(readTime('2026-06-15T12:00'), NOW, zone)
    t.equal(readTime('2026-06-15T12:00:00.000'), NOW, zone)
    t.equal(readTime('2026-06-15T14:00:00+02:00'), NOW, zone)
    t.equal(readTime('2026-06-15'), NOW - 12 * 3_600_000, zone)
  }
})

test('an impossible time becomes the time of receipt', async (t) => {
  const minute = 60_000
  t.same(settleTime(NOW + 10 * minute, NOW, false), { at: NOW + 10 * minute, isDefaulted: false })
  t.same(settleTime(NOW + 10 * minute + 1, NOW, false), { at: NOW, isDefaulted: true })
  const old = NOW - 31 * 1440 * minute
  t.same(settleTime(old, NOW, false), { at: old, isDefaulted: false })
  t.same(settleTime(old, NOW, true), { at: NOW, isDefaulted: true })
  t.ok(isExpired(NOW - 91 * 1440 * minute, NOW, 90))
  t.notOk(isExpired(NOW - 89 * 1440 * minute, NOW, 90))
})

test('retention may be set by kind and by service, below what an event declares itself', async (t) => {
  const { retentionDays } = recordSettings({
    retention: { event: 10, span: null, services: { web: { event: 5, error: null } } }
  })
  const days = (name: string, service: string) => {
    const event = registry.event(name)
    return event === undefined ? 'none' : retentionDays(event, service)
  }
  t.equal(days('page.viewed', 'api'), 10)
  t.equal(days('page.viewed', 'web'), 5)
  t.equal(days('app.error', 'web'), undefined)
  t.equal(days('app.error', 'api'), 90)
  t.equal(days('http.request', 'api'), undefined)
  t.equal(days('order.placed', 'web'), undefined)
  t.throws(() => recordSettings({ retention: { event: 0 } }), { code: 'TEL_OPTION_INVALID' })
  t.throws(() => recordSettings({ bodyMax: 0 }), { code: 'TEL_OPTION_INVALID' })
})
