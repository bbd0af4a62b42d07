// What records add to rollups, without a database.
import { test } from 'tap'
import type { RollupSpec } from '../contracts/telemetry-registry.ts'
import { storedId } from '../envelope/stored-id.ts'
import type { StoredRow } from '../envelope/stored-row.ts'
import { defineRegistry } from '../registry/registry.ts'
import type { CompiledEvent } from '../registry/types.ts'
import { bucketStart, coarser, nextBucket } from '../rollups/bucket.ts'
import { rollupId } from '../rollups/dimension.ts'
import { type Increment, mayBeFirst } from '../rollups/increment.ts'
import { Ledger } from '../rollups/ledger.ts'
import { placeRecord, rollupIdsOf } from '../rollups/place.ts'
import { additionOf, correctionOf } from '../rollups/update.ts'

const AT = Date.UTC(2026, 5, 17, 13, 30) // a Wednesday

const rowOf = (more: Partial<StoredRow> = {}): StoredRow => ({
  _id: storedId('acme', 'record-1'),
  tenantId: 'acme',
  kind: 'event',
  name: 'e',
  occurredAt: new Date(AT),
  receivedAt: new Date(AT),
  severity: 'info',
  env: 'prod',
  service: 'web',
  release: 'r',
  subjectKeys: ['user:1', 'org:9'],
  ...more
})

const eventOf = (rollup: RollupSpec): CompiledEvent => {
  const event = defineRegistry({
    e: { kind: 'event', subjects: [], attrs: ['plan'], metrics: ['cost'], rollups: [rollup] }
  }).event('e')
  if (event === undefined) throw new Error('no event')
  return event
}

/** Increments of records, the family's own and all; and how many records the family could not place. */
function place(rollup: RollupSpec, ...rows: StoredRow[]) {
  const ledger = new Ledger()
  const event = eventOf(rollup)
  const placed = rows.length === 0 ? [rowOf()] : rows
  const skipped = placed.reduce((sum, row) => sum + placeRecord(ledger, event, row), 0)
  const all = [...ledger.touched]
  return { own: all.filter((one) => !one.key.as.startsWith('$')), all, skipped }
}

function incrementOf(rollup: RollupSpec, ...rows: StoredRow[]): Increment {
  const [increment] = place(rollup, ...rows).own
  if (increment === undefined) throw new Error('no increment')
  return increment
}

test('buckets start at UTC hours, days, Mondays and months', async (t) => {
  const starts = (['hour', 'day', 'week', 'month'] as const).map((bucket) =>
    new Date(bucketStart(AT, bucket)).toISOString()
  )
  t.same(starts, [
    '2026-06-17T13:00:00.000Z',
    '2026-06-17T00:00:00.000Z',
    '2026-06-15T00:00:00.000Z',
    '2026-06-01T00:00:00.000Z'
  ])
  for (const bucket of ['hour', 'day', 'week', 'month'] as const) {
    const start = bucketStart(AT, bucket)
    t.equal(bucketStart(nextBucket(start, bucket) - 1, bucket), start)
    t.equal(bucketStart(nextBucket(start, bucket), bucket), nextBucket(start, bucket))
  }
  t.equal(coarser('day', 'month'), 'month')
})

test('a subject dimension makes one contribution for each subject of its types', async (t) => {
  const { own } = place({ as: 'f', by: ['subject'], subjects: ['user', 'org'] })
  t.same(
    own.map((one) => [one.key.dims, one.key.subjectType]),
    [
      [['user:1'], 'user'],
      [['org:9'], 'org']
    ]
  )
  t.same(place({ as: 'f', by: ['subject'], subjects: ['org'] }).own.length, 1)
  const none = place({ as: 'f', by: ['subject'], subjects: ['team'] })
  t.same([none.own, none.skipped], [[], 0])
})

test('dimensions keep the order declared and drop the attr prefix', async (t) => {
  const { own } = place(
    { as: 'f', by: ['attr:plan', 'subject', 'field:service'], subjects: ['user'], bucket: 'day' },
    rowOf({ attrs: { plan: 'a|b=c%' } })
  )
  t.same(own[0]?.key.dims, ['plan=a|b=c%', 'user:1', 'service=web'])
  t.equal(own[0]?.key._id, 'acme|f|plan=a%7Cb%3Dc%25|user:1|service=web|2026-06-17T00:00:00.000Z')
})

test('ids of different dimensions never meet', async (t) => {
  t.not(rollupId('t', 'f', ['a=1|b=2'], undefined), rollupId('t', 'f', ['a=1', 'b=2'], undefined))
  t.not(rollupId('t|f', 'g', ['a=1'], undefined), rollupId('t', 'f|g', ['a=1'], undefined))
})

test('a missing dimension skips the record, or counts under dimDefault', async (t) => {
  t.same(place({ as: 'f', by: ['attr:plan'] }).skipped, 1)
  t.same(place({ as: 'f', by: ['attr:plan'], dimDefault: 'none' }).own[0]?.key.dims, ['plan=none'])
})

test('actors that are not listed are left out, and a record without actor counts', async (t) => {
  const rollup: RollupSpec = { as: 'f', by: ['field:service'], actors: ['user'] }
  t.equal(place(rollup, rowOf({ actor: 'admin:1', actorType: 'admin' })).own.length, 0)
  t.equal(place(rollup, rowOf({ actor: 'user:1', actorType: 'user' })).own.length, 1)
  t.equal(place(rollup).own.length, 1)
})

test('a very long dimension stays short and distinct', async (t) => {
  const dim = (end: string) =>
    place({ as: 'f', by: ['attr:plan'] }, rowOf({ attrs: { plan: 'x'.repeat(3000) + end } })).own[0]
      ?.key.dims[0]
  t.ok((dim('a')?.length ?? 0) < 420)
  t.not(dim('a'), dim('b'))
})

test('the system counts every record by kind, name and service, by hour and by day', async (t) => {
  const { all } = place(
    { as: 'f', by: ['attr:plan'] },
    rowOf({ durationMs: 5, metrics: { cost: 2 } })
  )
  const system = all.filter((one) => one.key.as.startsWith('$'))
  t.same(
    system.map((one) => [one.key.as, one.key.dims, one.sums]),
    [
      ['$hourly', ['kind=event', 'name=e', 'service=web'], { durationMs: 5, cost: 2 }],
      ['$daily', ['kind=event', 'name=e', 'service=web'], { durationMs: 5, cost: 2 }]
    ]
  )
})

test('records of one document are merged into one upsert with the earliest one as its first', async (t) => {
  const rollup: RollupSpec = {
    as: 'f',
    by: ['field:service'],
    sum: ['cost'],
    capture: ['attr:plan']
  }
  const row = (id: string, at: number, plan: string, cost: number) =>
    rowOf({
      _id: storedId('acme', id),
      occurredAt: new Date(at),
      attrs: { plan },
      metrics: { cost }
    })
  const increment = incrementOf(
    rollup,
    row('b', AT, 'second', 1),
    row('a', AT - 5, 'first', 2),
    row('c', AT + 5, 'third', 4)
  )
  t.match(increment, { count: 3, firstAt: AT - 5, lastAt: AT + 5, sums: { cost: 7 } })
  t.match(additionOf(increment), {
    update: {
      $inc: { count: 3, 'sums.cost': 7 },
      $setOnInsert: { firstId: storedId('acme', 'a'), firstCapture: { 'attr:plan': 'first' } }
    }
  })
})

test('of two records of the same time the smaller id is the first, in whatever order they come', async (t) => {
  const rollup: RollupSpec = { as: 'f', by: ['field:service'], capture: ['attr:plan'] }
  const row = (id: string) => rowOf({ _id: storedId('acme', id), attrs: { plan: id } })
  t.same(incrementOf(rollup, row('a'), row('b')).first?._id, storedId('acme', 'a'))
  t.same(incrementOf(rollup, row('b'), row('a')).first?._id, storedId('acme', 'a'))
})

test('a record names every document it is part of', async (t) => {
  const ids = rollupIdsOf(eventOf({ as: 'f', by: ['field:service'] }), rowOf())
  t.equal(ids.length, 3)
  t.ok(ids.includes('acme|f|service=web|'))
})

test('what clients send enters upserts as plain values, never as operators or expressions', async (t) => {
  const rollup: RollupSpec = { as: 'f', by: ['attr:plan'], capture: ['attr:plan'], sum: ['cost'] }
  const row = rowOf({
    _id: storedId('acme', '$$ROOT'),
    traceId: '$$ROOT',
    attrs: { plan: '$tenantId' }
  })
  const increment = incrementOf(rollup, row)
  const operators = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || value instanceof Date) return
    for (const [key, inner] of Object.entries(value)) {
      if (key.startsWith('$')) operators.add(key)
      walk(inner)
    }
  }
  for (const operation of [additionOf(increment), correctionOf(increment)]) {
    t.notOk(JSON.stringify(operation).includes('"update":['), 'no pipeline')
    walk(operation)
  }
  t.same([...operators].sort(), ['$gt', '$inc', '$max', '$or', '$set', '$setOnInsert'])
})

/** A ledger that counts records of one family in rounds, and what they added to. */
function rounds(rollup: RollupSpec) {
  const ledger = new Ledger()
  const event = eventOf(rollup)
  return {
    ledger,
    count(now: number, ...rows: StoredRow[]): readonly Increment[] {
      ledger.begin(now)
      for (const row of rows) placeRecord(ledger, event, row)
      return ledger.touched.filter((one) => !one.key.as.startsWith('$'))
    }
  }
}
const BY_SERVICE: RollupSpec = { as: 'f', by: ['field:service'], capture: ['attr:plan'] }
const rowAt = (ms: number) => rowOf({ occurredAt: new Date(ms) })

test('only a record that could be the first asks whether it is', async (t) => {
  const { ledger, count } = rounds(BY_SERVICE)
  const asks = (ms: number, now = 0) => count(now, rowAt(ms)).map(mayBeFirst)
  t.same(asks(AT), [true])
  ledger.learn()
  t.same(
    [AT - 1, AT, AT + 1].flatMap((ms) => asks(ms)),
    [true, true, false]
  )
  t.same(asks(AT + 1, 600_001), [true], 'what is known is believed for ten minutes')
  ledger.learn()
  ledger.forget()
  t.same(asks(AT + 1, 600_001), [true])
})

test('a document that was written is not described again, one whose round failed is', async (t) => {
  const { ledger, count } = rounds(BY_SERVICE)
  const [first] = count(0, rowAt(AT))
  t.equal(first === undefined ? '' : additionOf(first).upsert, true)
  const [again] = count(0, rowAt(AT), rowAt(AT + 1))
  t.equal(again, first, 'a document is remembered by its values')
  t.same([again?.count, again?.lastAt], [2, AT + 1])
  t.equal(again === undefined ? '' : additionOf(again).upsert, true)
  ledger.learn()
  t.equal(again?.first, undefined, 'no row lives on with its document')
  const [known] = count(0, rowAt(AT + 2))
  t.same(known === undefined ? '' : additionOf(known), {
    filter: { _id: 'acme|f|service=web|' },
    update: { $inc: { count: 1 }, $max: { lastAt: new Date(AT + 2) } }
  })
})

test('what is captured is what the event of the earliest record declares', async (t) => {
  const rollup = (capture: readonly string[]): RollupSpec => ({ ...BY_SERVICE, capture })
  const ledger = new Ledger()
  placeRecord(ledger, eventOf(rollup(['attr:plan'])), rowOf({ attrs: { plan: 'late' } }))
  const early = { occurredAt: new Date(AT - 1), attrs: { plan: 'early' } }
  placeRecord(ledger, eventOf(rollup(['field:release'])), rowOf(early))
  const family = ledger.touched.find(({ key }) => key.as === 'f')
  t.match(family === undefined ? {} : additionOf(family).update, {
    $setOnInsert: { firstCapture: { 'field:release': 'r' } }
  })
})

test('documents are separate by tenant, bucket and every value', async (t) => {
  const rollup: RollupSpec = { as: 'f', by: ['attr:plan', 'field:service'], bucket: 'hour' }
  const { count } = rounds(rollup)
  const hour = 3_600_000
  const rows = [
    rowOf({ attrs: { plan: 'a' } }),
    rowOf({ attrs: { plan: 'a' }, service: '1 x' }),
    rowOf({ attrs: { plan: 'a1 ' }, service: 'x' }),
    rowOf({ attrs: { plan: 'a' }, tenantId: 'globex' }),
    rowOf({ attrs: { plan: 'a' }, occurredAt: new Date(AT - hour) }),
    rowOf({ attrs: { plan: 'a' } })
  ]
  const counted = count(0, ...rows)
  t.same(
    counted.map((one) => one.count),
    [2, 1, 1, 1, 1]
  )
  t.equal(new Set(counted.map(({ key }) => key._id)).size, 5)
})

test('a ledger that has grown large begins anew', async (t) => {
  const { count } = rounds({ as: 'f', by: ['subject'], subjects: ['user'] })
  const user = (n: number) => rowOf({ subjectKeys: [`user:${n}`] })
  const [first] = count(0, ...Array.from({ length: 50_001 }, (_, n) => user(n)))
  const [again] = count(0, user(0))
  t.not(again, first)
  t.same(again?.key, first?.key)
})
