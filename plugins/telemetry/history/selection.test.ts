// What a request says is never text of a statement: keys and values are parameters, whatever they hold.
import fc from 'fast-check'
import type { Document } from 'mongodb'
import { test } from 'tap'
import { breakdownPipeline } from '../queries/breakdown.ts'
import { distributionPipeline } from '../queries/distribution.ts'
import { durationsPipeline } from '../queries/durations.ts'
import { issuesPipeline, seenPipeline } from '../queries/issues.ts'
import { metricsPipeline } from '../queries/metrics.ts'
import { stepsPipeline } from '../queries/person-steps.ts'
import { rowFilter } from '../queries/row-filter.ts'
import { seriesPipeline } from '../queries/series.ts'
import { usagePipeline } from '../queries/usage-totals.ts'
import { conditionOf } from './filter-sql.ts'
import { filterOf, mayHave } from './key-filter.ts'
import { countsOf, selectionOf } from './pipeline-sql.ts'
import { planMerges, type Sized } from './plan-segments.ts'
import { relationOf } from './relation.ts'
import { mayFit } from './segment-index.ts'
import { NotInColumns, Statement } from './statement.ts'

const range = { from: new Date(0), to: new Date(86_400_000) }
const odd = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40 }).filter((text) => text !== '*'),
  fc.constantFrom("' OR 1=1 --", '"; DROP TABLE hot; --', "x'y", '$1', '\\', "'); COPY")
)

/** What a request says. */
interface Said {
  readonly key: string
  readonly value: string
  readonly metric: string
  readonly name: string
}

/** Every pipeline of the reads, of one request. */
function pipelinesOf({ key, value, metric, name }: Said): readonly Document[][] {
  const filters = {
    name,
    subject: value,
    q: `"${value.replaceAll(/["\\]/g, '')}x"`,
    attrs: new Map([[key, value]]),
    metrics: [{ key: metric, op: 'gte' as const, value: 1 }],
    exclude: [{ field: `attrs.${key}`, value: name }],
    excludeActors: [value],
    persons: [{ refs: [value, name] }]
  }
  const asked = { ...range, filters }
  const by = `attr:${key}`
  const measures = ['count', 'unique', 'error_rate', `p95:${metric}`, `sum:${metric}`]
  return [
    ...measures.flatMap((measure) => [
      seriesPipeline(value, { ...asked, measure }, { buckets: 9, rows: 9 }),
      breakdownPipeline(value, { ...asked, by, alsoBy: 'attr:other', measure }, 9),
      breakdownPipeline(value, { ...asked, by: 'service', alsoBy: by, measure }, 9),
      breakdownPipeline(value, { ...asked, by: 'subject', measure, interval: 'day' }, 9)
    ]),
    distributionPipeline(value, { ...asked, measure: metric }, 9),
    durationsPipeline(value, { ...asked, by }, 9),
    issuesPipeline(value, { ...asked, interval: 'week', timeZone: 'Asia/Kathmandu' }, 9),
    seenPipeline(value, asked, [{ fingerprint: name }]),
    usagePipeline(value, { ...asked, by, sums: [metric] }, 9),
    metricsPipeline(rowFilter(value, range, filters), 9),
    stepsPipeline(value, { ...asked, names: [name, value], by }, 9)
  ]
}

const cut = { from: 1_000, tied: { at: 999, rest: 3 }, oldest: 999 }

const textsOf = (said: Said): readonly string[] =>
  pipelinesOf(said).flatMap((pipeline) => [
    selectionOf(pipeline).sql,
    selectionOf(pipeline, cut).sql,
    countsOf(pipeline, 'hour', { from: 0 }).sql,
    countsOf(pipeline, 'millisecond', {}).sql
  ])

test('keys and values of a request are parameters in every read', (t) => {
  const plain = textsOf({ key: 'a', value: 'b', metric: 'm', name: 'c' }).join('\n')
  fc.assert(
    fc.property(odd, odd, odd, odd, (key, value, metric, name) => {
      const texts = textsOf({ key, value, metric, name }).join('\n')
      if (texts !== plain) throw new Error(texts)
    }),
    { numRuns: 100 }
  )
  t.end()
})

test('numbers, times and flags are written out as what they are, and nothing else comes through', (t) => {
  const statement = new Statement()
  fc.assert(
    fc.property(fc.double(), (value) => {
      const [, digits = ''] = /^\(?'?([^':)]+)'?\)?::DOUBLE$/.exec(statement.number(value)) ?? []
      return (
        /^(-?\d(\.\d+)?e[+-]\d+|-?Infinity|NaN)$/.test(digits) &&
        Object.is(Number(digits), value + 0)
      )
    })
  )
  t.equal(statement.whole(-5), '(-5)::BIGINT')
  t.equal(statement.flag(true), 'TRUE')
  for (const text of ['1; DROP TABLE rows', "1' OR '1"]) {
    t.throws(() => statement.whole(text as never))
    t.equal(statement.number(text as never), "'NaN'::DOUBLE")
    t.equal(statement.flag(text as never), 'TRUE')
  }
  t.same(statement.given.values, [])
  t.end()
})

test('a list of which only the size is asked for is counted, not told', (t) => {
  const of = (interval?: 'day') =>
    selectionOf(
      breakdownPipeline(
        'acme',
        { ...range, by: 'service', measure: 'unique', ...(interval && { interval }) },
        9
      )
    )
  t.match(of().sql, 'count(DISTINCT ')
  t.match(of('day').sql, 'list(DISTINCT ', 'the days of a service are put together')
  t.same(of().decode(['s1', 4, 4, 1, 3]), {
    _id: { v: 's1' },
    rows: 4,
    records: 4,
    rate: 1,
    distinct: 3
  })
  t.end()
})

test('days of a zone come from an addition for each row, and from the library of zones without a range', (t) => {
  const asked = { interval: 'day', timeZone: 'Asia/Kolkata' } as const
  const [match, ...others] = seriesPipeline('acme', { ...range, ...asked }, { buckets: 9 })
  const known = selectionOf([match ?? {}, ...others])
  t.notMatch(known.sql, 'timezone(')
  t.match(known.sql, '("occurredAt" + (19800000)::BIGINT)', 'five and a half hours')
  t.match(selectionOf([{ $match: {} }, ...others]).sql, 'timezone(')
  t.end()
})

test('a filter or pipeline that columns cannot tell is refused', (t) => {
  const refused = [
    () => conditionOf({ unknown: 1 }, new Statement()),
    () => conditionOf({ name: { $mod: [2, 0] } }, new Statement()),
    () => conditionOf({ durationMs: { $regex: 'a' } }, new Statement()),
    () => conditionOf({ $expr: { $eq: ['$name', 'a'] } }, new Statement()),
    () => conditionOf({ $where: 'true' }, new Statement()),
    () => selectionOf([{ $match: {} }]),
    () => selectionOf([{ $match: {} }, { $project: { name: 1 } }, { $group: { _id: null } }]),
    () =>
      selectionOf([{ $match: {} }, { $group: { _id: null, n: { $stdDevPop: '$durationMs' } } }]),
    () => selectionOf([{ $match: {} }, { $group: { _id: { $toLower: '$name' } } }])
  ]
  for (const build of refused) t.throws(build, NotInColumns)
  t.end()
})

test('a filter of keys has what it was made of, and little else', (t) => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 300 }), (keys) => {
      const filter = filterOf(new Set(keys))
      return keys.every((key) => mayHave(filter, key))
    })
  )
  const filter = filterOf(new Set(Array.from({ length: 5000 }, (_, n) => `key ${n}`)))
  const wrong = Array.from({ length: 5000 }, (_, n) => `other ${n}`).filter((key) =>
    mayHave(filter, key)
  )
  t.ok(wrong.length < 150, `${wrong.length} of 5,000`)
  t.end()
})

const sized = (n: number, rows: number, more: Partial<Sized> = {}): Sized => ({
  _id: `s${n}`,
  tenantId: 'acme',
  day: new Date(0),
  keepDays: 90,
  rows,
  bytes: rows * 50,
  ...more
})

test('merges keep to one tenant, block of days and time of keeping, and to the size of a segment', (t) => {
  t.same(planMerges([1, 2, 3].map((n) => sized(n, 10))), [], 'few are left alone')
  t.equal(planMerges([1, 2, 3, 4].map((n) => sized(n, 10)))[0]?.length, 4)
  const day = (days: number) => ({ day: new Date(days * 86_400_000) })
  t.equal(planMerges([0, 2, 5, 8].map((at) => sized(at, 10, day(at))))[0]?.length, 4)
  const later = [0, 2, 5, 9].map((at) => sized(at, 10, day(at)))
  t.same(planMerges(later), [], 'a tenth of 90 days')
  const others = [sized(4, 10, { tenantId: 'globex' }), sized(5, 10, { keepDays: null })]
  t.same(planMerges([...[1, 2, 3].map((n) => sized(n, 10)), ...others]), [])
  fc.assert(
    fc.property(fc.array(fc.nat(60_000), { maxLength: 40 }), (rows) => {
      const plans = planMerges(rows.map((count, n) => sized(n, count)))
      const ids = plans.flat().map(({ _id }) => _id)
      return (
        new Set(ids).size === ids.length &&
        plans.every((plan) => plan.reduce((sum, one) => sum + one.rows, 0) <= 50_000)
      )
    })
  )
  t.end()
})

test('a segment is left out by tenant, name and time alone', (t) => {
  const segment = {
    ...sized(1, 1),
    from: new Date(100),
    to: new Date(200),
    parts: 1,
    names: ['a'],
    sealedAt: new Date(0)
  }
  const cases: readonly [object, boolean][] = [
    [{}, true],
    [{ tenantId: 'acme', name: 'a' }, true],
    [{ tenantId: 'globex' }, false],
    [{ name: 'b' }, false],
    [{ occurredAt: { $gte: new Date(200) } }, true],
    [{ occurredAt: { $gt: new Date(200) } }, false],
    [{ occurredAt: { $lt: new Date(100) } }, false],
    [{ occurredAt: { $lte: new Date(100) } }, true]
  ]
  const [yes, no] = [{ tenantId: 'acme' }, { tenantId: 'none' }]
  t.equal(mayFit(segment, { $or: [no, yes] }), true)
  t.equal(mayFit(segment, { $or: [no, no] }), false)
  for (const [filter, fits] of cases) t.equal(mayFit(segment, filter), fits, JSON.stringify(filter))
  t.end()
})

const value = (key: string, map: 'attrs' | 'metrics' = 'attrs') => ({
  column: '"value0"',
  map,
  key: { text: key, sql: '$1::VARCHAR' }
})
const fileOf = (path: string, keys: readonly string[] | undefined, isAll = true) => ({
  path,
  segment: keys === undefined ? {} : { attrs: { keys, isAll } }
})

test('a value of a map is read from its column, from the map, or not at all', (t) => {
  const files = [
    fileOf('/one', ['path', "o'clock"]),
    fileOf('/two', ['path', "o'clock"]),
    fileOf('/three', ['source', 'path']),
    fileOf('/four', ['path'], true),
    fileOf('/five', ['path'], false),
    fileOf('/six', undefined)
  ]
  const sql = relationOf({ files }, { columns: ['name'], mapValues: [value("o'clock")] })
  const found = [...sql.matchAll(/, ([^,]*) AS "value0" FROM read_parquet\(([^)]*)\)/g)]
  t.same(
    found.map(([, by, paths]) => [by, paths]),
    [
      ['"a1"', "['/one', '/two']"],
      ['NULL::VARCHAR', "['/three', '/four']"],
      ['"attrs"[$1::VARCHAR]', "['/five', '/six']"]
    ]
  )
  t.end()
})
