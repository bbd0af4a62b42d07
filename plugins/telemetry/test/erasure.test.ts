// forget: what goes, what stays under a pseudonym, and the proof.

import { testDatabase } from '@keelson/sdk/testing'
import { test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { createTelemetry, openTelemetry, type TelemetryOptions } from '../create-telemetry.ts'
import type { EmitRecord } from '../envelope/types.ts'
import { defineRegistry } from '../registry/registry.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

const REGISTRY = defineRegistry({
  ...SAMPLE_SPEC,
  'mail.opened': {
    kind: 'event',
    attrs: ['address'],
    data: true,
    retentionDays: 30,
    rollups: [{ as: 'first_mail', by: ['field:service'], capture: ['attr:address'] }]
  }
})

async function open(t: Parameters<typeof testDatabase>[0], more: Partial<TelemetryOptions> = {}) {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: REGISTRY, connection: db, pepper: 'p', ...more })
  await telemetry.syncIndexes()
  return { db, telemetry }
}

const about = (id: string, more: Partial<EmitRecord> = {}): EmitRecord => ({
  tenantId: 'acme',
  service: 'web',
  release: 'r',
  env: 'prod',
  subjects: [{ type: 'user', id }],
  ...more
})

test('rows of the subject alone go, shared ones and usage stay without it', async (t) => {
  const { db, telemetry } = await open(t)
  const both = [
    { type: 'user', id: 'u7700' },
    { type: 'user', id: 'u78' }
  ]
  await telemetry.emit('page.viewed', about('u7700'))
  await telemetry.emit('page.viewed', about('u78'))
  await telemetry.emit(
    'page.viewed',
    about('u7700', {
      subjects: both,
      body: 'u7700 says hi',
      attrs: { path: '/users/U7700/x', source: 'ads' }
    })
  )
  await telemetry.emit('page.viewed', about('u78', { actor: 'user:u7700' }))
  await telemetry.emit(
    'llm.tokens',
    about('u7700', { usage: { meter: 'm', quantity: 1, unit: 'u', billedTo: 'user:u7700' } })
  )
  await telemetry.emit('page.viewed', about('u7700', { tenantId: 'globex' }))
  await telemetry.flush()
  const receipt = await telemetry.forget('acme', 'user:u7700')
  t.match(receipt, {
    tenantId: 'acme',
    pseudonym: /^user:redacted_[0-9a-f]{16}$/,
    deleted: 1,
    redacted: 3
  })
  t.ok(
    Object.values(receipt.remaining).every((count) => count === 0),
    JSON.stringify(receipt.remaining)
  )
  const acme = JSON.stringify(await db.collection('telemetry').find({ tenantId: 'acme' }).toArray())
  t.notMatch(acme, /u7700/i)
  t.equal(await db.collection('telemetry').countDocuments({ tenantId: 'acme' }), 4)
  t.equal(
    await db
      .collection('telemetry')
      .countDocuments({ tenantId: 'globex', subjectKeys: 'user:u7700' }),
    1
  )
  const shared = await db
    .collection('telemetry')
    .findOne({ subjectKeys: 'user:u78', redactedAt: { $exists: true }, attrs: { $exists: true } })
  t.same([shared?.['body'], shared?.['attrs']?.source], [undefined, 'ads'])
})

test('no cohort shrinks: rollups move to the pseudonym with their counts', async (t) => {
  const { db, telemetry } = await open(t)
  for (const id of ['u7700', 'u7700', 'u78']) {
    await telemetry.emit(
      'account.signed_up',
      about(id, { attrs: { source: `from ${id}`, plan: 'free' } })
    )
  }
  await telemetry.flush()
  const { pseudonym, rollups } = await telemetry.forget('acme', 'user:u7700')
  t.equal(rollups, 1)
  const { rows } = await createQueries({ telemetry }).rollups('acme', { as: 'signed_up' })
  t.same(
    rows.map(({ dims, count, firstCapture }) => [dims, count, firstCapture]),
    [
      [[pseudonym], 2, {}],
      [['user:u78'], 1, { 'attr:source': 'from u78', 'attr:plan': 'free' }]
    ]
  )
  t.notMatch(JSON.stringify(await db.collection('telemetry_rollups').find().toArray()), /u7700/)
})

test('rollups whose attributes and fields name the subject move as well', async (t) => {
  const registry = defineRegistry({
    'llm.tokens': {
      kind: 'usage',
      attrs: ['email', 'model'],
      rollups: [
        { as: 'by_payer', by: ['field:usage.billedTo'] },
        { as: 'by_actor', by: ['field:actor', 'attr:model'], bucket: 'day' },
        { as: 'by_email', by: ['attr:email'] },
        { as: 'by_model', by: ['attr:model'] }
      ]
    }
  })
  const { db, telemetry } = await open(t, { registry })
  const id = 'ann@example.test'
  for (const [n, one] of [id, id, 'bob'].entries()) {
    await telemetry.emit('llm.tokens', {
      tenantId: 'acme',
      subjects: [{ type: 'user', id: one }],
      actor: `user:${one}`,
      attrs: { email: one, model: 'm' },
      usage: {
        meter: 'm',
        quantity: 1,
        unit: 'u',
        billedTo: `user:${one}`,
        idempotencyKey: `k${n}`
      }
    })
  }
  const receipt = await telemetry.forget('acme', `user:${id}`)
  t.equal(receipt.rollups, 3)
  t.ok(Object.values(receipt.remaining).every((count) => count === 0))
  const { rows } = await createQueries({ telemetry }).rollups('acme', { as: 'by_payer' })
  t.same(
    rows.map(({ dims, count }) => [dims[0], count]),
    [
      [`usage.billedTo=${receipt.pseudonym}`, 2],
      ['usage.billedTo=user:bob', 1]
    ]
  )
  const all = await db.collection('telemetry_rollups').find().toArray()
  t.notMatch(JSON.stringify(all), /ann@/)
  t.equal(all.find(({ as }) => as === 'by_model')?.['count'], 3)
})

test('a person with very many aliases is erased under all of them', async (t) => {
  const { db, telemetry } = await open(t)
  const anon = (n: number) => `anon:visitor-number-${n}`
  const aliases = Array.from({ length: 600 }, (_, n) => ({
    _id: `acme|${anon(n)}`,
    tenantId: 'acme',
    anonRef: anon(n),
    userRef: 'user:u7700',
    linkedAt: new Date()
  }))
  await db.collection<(typeof aliases)[number]>('telemetry_aliases').insertMany(aliases)
  const registry = { 'page.seen': { kind: 'event', rollups: [{ by: ['field:actor'] }] } } as const
  telemetry.extendRegistry(registry)
  for (const n of [0, 300, 599]) {
    await telemetry.emit('page.seen', { tenantId: 'acme', actor: anon(n) })
  }
  const receipt = await telemetry.forget('acme', 'user:u7700')
  t.match(receipt, { aliases: 600, rollups: 3 })
  t.ok(Object.values(receipt.remaining).every((count) => count === 0))
  const rollups = await db.collection('telemetry_rollups').find({ as: 'page.seen' }).toArray()
  t.notMatch(JSON.stringify(rollups), /visitor/)
})

test('an id that is an ordinary word changes no other subject', async (t) => {
  const { db, telemetry } = await open(t)
  for (const id of ['free', 'u78']) {
    await telemetry.emit('account.signed_up', about(id, { attrs: { plan: 'free' } }))
  }
  await telemetry.flush()
  await telemetry.forget('acme', 'user:free')
  const row = await db.collection('telemetry_rollups').findOne({ as: 'signups_by_plan' })
  t.same([row?.['dims'], row?.['count']], [['plan=free'], 2])
})

test('a rollup that was joined to its pseudonym lives as long as the later of both', async (t) => {
  let at = Date.now()
  const registry = defineRegistry({
    seen: {
      kind: 'event',
      subjects: ['user'],
      rollups: [{ as: 'seen', by: ['subject'], retentionDays: 10 }]
    }
  })
  const { db, telemetry } = await open(t, { registry, clock: { now: () => new Date(at) } })
  for (let round = 0; round < 2; round++) {
    at += 86_400_000
    await telemetry.emit('seen', about('u7700'))
    await telemetry.flush()
    await telemetry.forget('acme', 'user:u7700')
  }
  const row = await db.collection('telemetry_rollups').findOne({ as: 'seen' })
  t.same([row?.['count'], row?.['expiresAt']], [2, new Date(at + 10 * 86_400_000)])
})

test('what this process has taken and not written yet is erased with the rest', async (t) => {
  const { db, telemetry } = await open(t, { gatherMs: 50 })
  t.match(await telemetry.emit('page.viewed', about('u7700')), { outcome: 'queued' })
  t.match(await telemetry.forget('acme', 'user:u7700'), { deleted: 1 })
  await telemetry.flush()
  t.equal(await db.collection('telemetry').countDocuments(), 0)
})

test('refusals that name the subject in any role are reached', async (t) => {
  const { telemetry } = await open(t)
  const ref = 'user:u7700'
  for (const more of [{ actor: ref }, { onBehalfOf: ref }]) {
    await telemetry.emit('no.such', about('u78', more))
  }
  const usage = { meter: 'm', quantity: 1, unit: 'u', billedTo: ref }
  await telemetry.emit('no.such', about('u78', { usage }))
  await telemetry.flush()
  t.match(await telemetry.forget('acme', ref), { rejects: 3 })
  t.same(await telemetry.quarantine('acme'), [])
})

test('who comes back after erasure and is erased again adds to the same pseudonym', async (t) => {
  const { telemetry } = await open(t)
  for (let round = 0; round < 2; round++) {
    await telemetry.emit('account.activated', about('u7700'))
    await telemetry.flush()
    await telemetry.forget('acme', 'user:u7700')
  }
  const { rows } = await createQueries({ telemetry }).rollups('acme', { as: 'activated' })
  t.same(
    rows.map(({ count }) => count),
    [2]
  )
})

test('what a rollup captured of an erased record goes', async (t) => {
  const { db, telemetry } = await open(t)
  const at = Date.now() - 5000
  await telemetry.emit(
    'mail.opened',
    about('u7700', {
      occurredAt: at,
      attrs: { address: 'u7700@example.test' },
      traceId: 'trace-u7700'
    })
  )
  await telemetry.emit(
    'mail.opened',
    about('u78', { occurredAt: at + 1, attrs: { address: 'u78@example.test' } })
  )
  await telemetry.flush()
  await telemetry.forget('acme', 'user:u7700')
  const row = await db.collection('telemetry_rollups').findOne({ as: 'first_mail' })
  t.same([row?.['count'], row?.['firstCapture'], row?.['firstTraceId']], [2, undefined, undefined])
})

test('aliases are followed and removed, and repeating changes nothing', async (t) => {
  const { db, telemetry } = await open(t)
  await telemetry.emit(
    'page.viewed',
    about('x', {
      subjects: [
        { type: 'anon', id: '1' },
        { type: 'user', id: 'nobody' }
      ]
    })
  )
  await telemetry.emit('page.viewed', about('u7700'))
  await telemetry.flush()
  const alias = {
    _id: 'acme|anon:1',
    tenantId: 'acme',
    anonRef: 'anon:1',
    userRef: 'user:u7700',
    linkedAt: new Date()
  }
  await db.collection<typeof alias>('telemetry_aliases').insertOne(alias)
  t.match(await telemetry.forget('acme', 'user:u7700'), { deleted: 1, redacted: 1, aliases: 1 })
  t.match(await telemetry.forget('acme', 'user:u7700'), {
    deleted: 0,
    redacted: 0,
    aliases: 0,
    rollups: 0
  })
  t.equal(await db.collection('telemetry').countDocuments({ subjectKeys: 'anon:1' }), 0)
})

test('quarantine and views of the subject are reached', async (t) => {
  const { db, telemetry } = await open(t)
  await telemetry.emit('no.such', about('u7700'))
  await telemetry.flush()
  const view = (_id: string, shared: boolean, tenantId = 'acme') => ({
    _id,
    tenantId,
    ownerRef: 'user:u7700',
    shared
  })
  const views = db.collection<ReturnType<typeof view>>('telemetry_views')
  await views.insertMany([
    view('private', false),
    view('shared', true),
    view('platform', false, '*')
  ])
  t.match(await telemetry.forget('acme', 'user:u7700'), { rejects: 1, views: 2 })
  t.same(
    (await views.find().sort({ _id: 1 }).toArray()).map(({ _id, ownerRef }) => [
      _id,
      ownerRef.slice(0, 10)
    ]),
    [
      ['platform', 'user:u7700'],
      ['shared', 'user:redac']
    ]
  )
})

test('platform views are reached when refs name the same party everywhere', async (t) => {
  const { db, telemetry } = await open(t, { globalSubjectRefs: true })
  const views = db.collection<{ _id: string; tenantId: string; ownerRef: string }>(
    'telemetry_views'
  )
  await views.insertOne({ _id: 'platform', tenantId: '*', ownerRef: 'user:u7700' })
  t.match(await telemetry.forget('acme', 'user:u7700'), { views: 1 })
  t.equal(await views.countDocuments(), 0)
})

test('erasure is dropped from the caches of reads at once', async (t) => {
  const { telemetry } = await open(t)
  const queries = createQueries({ telemetry })
  await telemetry.emit('account.activated', about('u7700'))
  await telemetry.flush()
  const refs = async () =>
    (await queries.rollups('acme', { as: 'activated' })).rows.flatMap(({ dims }) => dims)
  t.same(await refs(), ['user:u7700'])
  const { pseudonym } = await telemetry.forget('acme', 'user:u7700')
  t.same(await refs(), [pseudonym])
})

test('the platform, bad refs and a missing pepper are refused', async (t) => {
  const { telemetry } = await open(t, { pepper: '' })
  await t.rejects(telemetry.forget('*', 'user:u7700'), { code: 'TEL_SCOPE_RESERVED' })
  await t.rejects(telemetry.forget('acme', 'u7700'), { code: 'TEL_REF_INVALID' })
  await t.rejects(telemetry.forget('acme', 'user:u7700'), { code: 'TEL_PEPPER_MISSING' })
})

test('each erasure is logged on whose order it was, before it begins', async (t) => {
  const { db, telemetry } = await open(t)
  await telemetry.emit('page.viewed', about('u7700'))
  await telemetry.flush()
  const order = { by: 'user:ann', byTenant: 'acme' }
  const { pseudonym } = await telemetry.forget('acme', 'user:u7700', order)
  await telemetry.forget('globex', 'user:u1')
  t.match(await telemetry.erasures('acme'), [
    { tenantId: 'acme', pseudonym, by: 'user:ann', did: { deleted: 1, left: 0 } }
  ])
  t.equal((await telemetry.erasures('*')).length, 2)
  t.match(await telemetry.erasures('globex'), [{ by: null }])
  t.notMatch(JSON.stringify(await db.collection('telemetry_erasures').find().toArray()), /u7700/)
})

test('an erasure that was cut off stays in the log as unfinished', async (t) => {
  const { db, telemetry } = await open(t)
  await db.collection('telemetry_rollups').drop()
  const transaction = async () => {
    throw new Error('killed')
  }
  const { telemetry: broken } = openTelemetry(
    { registry: REGISTRY, pepper: 'p', connection: db },
    { change: (storage) => ({ ...storage, transaction }) }
  )
  await telemetry.emit('page.viewed', about('u7700', { subjects: [{ type: 'user', id: 'u7700' }] }))
  await telemetry.flush()
  await broken.forget('acme', 'user:u7700').catch(() => undefined)
  const [entry] = await telemetry.erasures('acme')
  t.match(entry, { did: null })
  await telemetry.forget('acme', 'user:u7700')
  t.match((await telemetry.erasures('acme'))[0], { did: { left: 0 } })
})

test('who erased others is erased from the log as well', async (t) => {
  const { telemetry } = await open(t)
  const order = { by: 'user:ann', byTenant: 'acme' }
  await telemetry.forget('acme', 'user:u7700', order)
  const { pseudonym, remaining } = await telemetry.forget('acme', 'user:ann', order)
  t.equal(remaining['telemetry_erasures'], 0)
  t.same(new Set((await telemetry.erasures('acme')).map(({ by }) => by)), new Set([pseudonym]))
})
