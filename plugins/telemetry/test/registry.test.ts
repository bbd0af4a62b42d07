// What a registry takes and refuses.
import { Type } from '@keelson/sdk'
import { test } from 'tap'
import type { EventSpec, RegistrySpec, RollupSpec } from '../contracts/telemetry-registry.ts'
import { defineRegistry } from '../registry/registry.ts'
import { payloadIndexesOf } from '../storage/payload-indexes.ts'
import { sampleRegistry } from './sample-registry.ts'

const one = (spec: object, name = 'a.b') =>
  defineRegistry({ [name]: { kind: 'event', ...spec } as EventSpec })
const rolled = (rollup: object, spec: object = {}) =>
  one({ subjects: ['user'], attrs: ['plan'], rollups: [rollup as RollupSpec], ...spec })

test('every wrong declaration is refused with the event and the setting in the message', async (t) => {
  const wrong: readonly [object, RegExp][] = [
    [{ kind: 'thing' }, /a\.b\.kind/],
    [{ origin: 'browser' }, /a\.b\.origin/],
    [{ subjects: 'user' }, /a\.b\.subjects/],
    [{ subjects: ['us:er'] }, /a\.b\.subjects/],
    [{ colour: 'red' }, /a\.b\.colour/],
    [{ sampleRate: 0 }, /a\.b\.sampleRate/],
    [{ sampleRate: 1.1 }, /a\.b\.sampleRate/],
    [{ sampleRate: Number.NaN }, /a\.b\.sampleRate/],
    [{ burst: { maxPerMinute: 0 } }, /a\.b\.burst/],
    [{ burst: { maxPerMinute: 5, key: 'colour' } }, /a\.b\.burst\.key/],
    [{ retentionDays: 0 }, /a\.b\.retentionDays/],
    [{ retentionDays: -1 }, /a\.b\.retentionDays/],
    [{ indexedAttrs: ['plan'] }, /a\.b\.indexedAttrs/],
    [{ indexedMetrics: ['cost'] }, /a\.b\.indexedMetrics/],
    [{ attrs: ['a:b'] }, /a\.b\.attrs/],
    [{ attrs: ['__proto__'] }, /a\.b\.attrs/],
    [{ attrs: { plan: 'text' } }, /a\.b\.attrs\.plan/],
    [{ attrs: { plan: { maxLength: 9999 } } }, /a\.b\.attrs\.plan\.maxLength/],
    [{ attrs: { plan: { values: [1] } } }, /a\.b\.attrs\.plan\.values/],
    [{ data: 'anything' }, /a\.b\.data/],
    [{ rollups: {} }, /a\.b\.rollups/]
  ]
  for (const [spec, message] of wrong) {
    t.throws(() => one(spec), { code: 'TEL_REGISTRY_INVALID', message }, JSON.stringify(spec))
  }
})

test('every wrong rollup is refused with the event and the setting in the message', async (t) => {
  const wrong: readonly [object, RegExp][] = [
    [{ by: [] }, /a\.b\.rollups\.0\.by/],
    [{ by: 'subject' }, /a\.b\.rollups\.0\.by/],
    [{ by: ['attr:colour'] }, /attr:colour, which attrs does not declare/],
    [{ by: ['plan'] }, /which is no dimension/],
    [{ by: ['field:nonsense'] }, /which is no dimension/],
    [{ by: ['subject', 'subject'] }, /subject once/],
    [{ by: ['subject'], bucket: 'minute' }, /a\.b\.rollups\.0\.bucket/],
    [{ by: ['subject'], actors: [] }, /a\.b\.rollups\.0\.actors/],
    [{ by: ['subject'], subjects: [] }, /a\.b\.rollups\.0\.subjects/],
    [{ by: ['attr:plan'], dimDefault: '' }, /dimDefault/],
    [{ by: ['attr:plan'], dimDefault: 'a|b' }, /dimDefault/],
    [{ by: ['attr:plan'], dimDefault: 'a=b' }, /dimDefault/],
    [{ by: ['attr:plan'], sum: ['cost'] }, /a\.b\.rollups\.0\.sum/],
    [{ by: ['attr:plan'], capture: ['subject'] }, /cannot hold subject/],
    [{ by: ['attr:plan'], retentionDays: -1 }, /retentionDays/],
    [{ by: ['attr:plan'], as: '$hidden' }, /a\.b\.rollups\.0\.as/],
    [{ by: ['attr:plan'], colour: 1 }, /a\.b\.rollups\.0\.colour/]
  ]
  for (const [rollup, message] of wrong) {
    t.throws(
      () => rolled(rollup),
      { code: 'TEL_REGISTRY_INVALID', message },
      JSON.stringify(rollup)
    )
  }
})

test('a subject dimension without subject types is refused', async (t) => {
  t.throws(() => one({ rollups: [{ by: ['subject'] }] }), { message: /subject types/ })
})

test('one family may be declared by two events of one shape, and not of two', async (t) => {
  const two = (second: Partial<RollupSpec>): RegistrySpec => ({
    a: { kind: 'event', subjects: ['user'], rollups: [{ as: 'f', by: ['subject'] }] },
    b: { kind: 'event', subjects: ['user'], rollups: [{ as: 'f', by: ['subject'], ...second }] }
  })
  t.same(defineRegistry(two({ dimDefault: 'none' })).family('f')?.events, ['a', 'b'])
  t.throws(() => defineRegistry(two({ bucket: 'day' })), { message: /"f" is declared elsewhere/ })
  t.throws(() => defineRegistry(two({ subjects: ['org'] })), { message: /another shape/ })
})

test('names of OTLP are built in and reserved', async (t) => {
  t.equal(defineRegistry({}).event('otlp.span')?.kind, 'span')
  t.throws(() => one({}, 'otlp.mine'), { message: /built in/ })
  t.throws(() => one({}, '$identify'), { code: 'TEL_REGISTRY_INVALID' })
})

test('retention defaults by kind, and null keeps rows for ever', async (t) => {
  const registry = sampleRegistry()
  const days = (name: string) => registry.event(name)?.retentionDays
  t.same(['page.viewed', 'ticket.status', 'app.error', 'http.request', 'llm.tokens'].map(days), [
    730,
    730,
    90,
    90,
    undefined
  ])
  t.equal(days('order.placed'), undefined)
})

test('the projection shows names and shapes only', async (t) => {
  t.same(sampleRegistry().project()['account.signed_up'], {
    kind: 'event',
    origin: 'any',
    subjects: ['user'],
    description: '',
    attrKeys: ['plan', 'source'],
    metricKeys: [],
    indexedAttrs: [],
    indexedMetrics: [],
    rollups: [
      {
        as: 'signed_up',
        by: ['subject'],
        bucket: null,
        sum: [],
        subjects: ['user'],
        label: 'signed_up',
        capture: ['attr:source', 'attr:plan']
      },
      {
        as: 'signups_by_plan',
        by: ['attr:plan'],
        bucket: 'week',
        sum: [],
        subjects: [],
        label: 'signups_by_plan'
      }
    ]
  })
})

test('data may be any schema', async (t) => {
  const registry = one({ data: Type.Object({ tries: Type.Integer() }) })
  const fits = registry.event('a.b')?.dataFits
  t.equal(fits?.({ tries: 3 }), true)
  t.equal(fits?.({ tries: 'x' }), false)
})

test('payload indexes are named after event and key, partial on the event', async (t) => {
  t.same(payloadIndexesOf(sampleRegistry()), [
    {
      name: 'attr_page_viewed_source',
      keys: { tenantId: 1, 'attrs.source': 1, occurredAt: -1, _id: -1 },
      partial: { name: 'page.viewed' }
    },
    {
      name: 'metric_order_placed_amount_usd',
      keys: { tenantId: 1, 'metrics.amount_usd': 1, occurredAt: -1, _id: -1 },
      partial: { name: 'order.placed' }
    }
  ])
})

test('two keys whose index names would be equal get two indexes', async (t) => {
  const registry = defineRegistry({
    'a.b': { kind: 'event', attrs: ['c'], indexedAttrs: ['c'] },
    a_b: { kind: 'event', attrs: ['c'], indexedAttrs: ['c'] }
  })
  t.equal(new Set(payloadIndexesOf(registry).map((index) => index.name)).size, 2)
})

test('more than 24 payload indexes exceed the budget', async (t) => {
  const keys = Array.from({ length: 25 }, (_, n) => `k${n}`)
  const indexed = (count: number) => one({ attrs: keys, indexedAttrs: keys.slice(0, count) })
  t.equal(payloadIndexesOf(indexed(24)).length, 24)
  t.throws(() => payloadIndexesOf(indexed(25)), { message: /exceeds budget 24/ })
})

test('a registry that is not an object, or declares too many names, is refused', async (t) => {
  for (const bad of [null, [], 'x']) {
    t.throws(() => defineRegistry(bad as never), { message: /registry/ })
  }
  const many = Object.fromEntries(
    Array.from({ length: 1001 }, (_, n) => [`n${n}`, { kind: 'event' }])
  )
  t.throws(() => defineRegistry(many as RegistrySpec), { message: /more than 1000/ })
})
