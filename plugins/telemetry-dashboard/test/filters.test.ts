// The filters of records, series and distribution.
import { parseMetricTerm, splitTerms } from '@keelson/telemetry'
import { test } from 'tap'
import { type FilterQuery, readFilters } from '../operations/filters.ts'
import { filterParameters } from '../operations/parameters.ts'
import { readQuery } from './given-query.ts'

const filters = (query: Record<string, string>) => {
  const read = readQuery(filterParameters, String(new URLSearchParams(query)))
  return typeof read === 'string' ? { ok: false, message: read } : readFilters(read as FilterQuery)
}

test('without parameters there is no filter', async (t) => {
  t.same(filters({}), {})
})

test('a scope in the address is an unknown filter and changes nothing', async (t) => {
  t.same(filters({ tenantId: 'globex', scope: '*', 'name[$ne]': 'x' }), {})
})

test('exact filters are kept as they are', async (t) => {
  const exact = { kind: 'event', name: 'a.b', subject: 'user:x:y', traceId: '$$ROOT' }
  t.same(filters(exact), exact)
})

test('root spans are asked for with a flag, and anything else in it is refused', async (t) => {
  t.same(filters({ isRoot: 'true' }), { isRoot: true })
  t.same(filters({ isRoot: 'false' }), {})
  t.same(filters({ isRoot: 'yes' }), {
    ok: false,
    message: 'isRoot must be of type boolean, but is "yes".'
  })
})

test('the first colon of an attribute splits', async (t) => {
  t.same(filters({ attrs: 'path:/a:b,source:one' }), {
    attrs: new Map([
      ['path', '/a:b'],
      ['source', 'one']
    ])
  })
})

test('a value may hold an escaped comma', async (t) => {
  t.same(splitTerms('a:1\\,2,b:\\x,'), ['a:1,2', 'b:\\x'])
})

test('an attribute without a key or a colon, or with two values, is refused', async (t) => {
  for (const attrs of ['source', ':one', 'a:b,c', 'a\0b:c', 'a:b,a:c']) {
    t.match(filters({ attrs }), { ok: false, message: /^attrs / }, attrs)
  }
})

test('more than twenty attributes are refused', async (t) => {
  const attrs = Array.from({ length: 21 }, (_, i) => `k${i}:v`).join()
  t.match(filters({ attrs }), { ok: false, message: /^attrs / })
})

test('two bounds on one metric are both kept', async (t) => {
  t.match(filters({ metrics: 'load_ms>150,load_ms<250.5' }), {
    metrics: [
      { key: 'load_ms', op: 'gte', value: 150 },
      { key: 'load_ms', op: 'lte', value: 250.5 }
    ]
  })
})

test('anything but a metric term is ignored', async (t) => {
  const bad = 'load ms>1,$where>1,load_ms>=5,load_ms,1.2.3,load_ms>1.2.3,load_ms>abc,a>Infinity,a>'
  t.same(filters({ metrics: bad }), {})
  t.equal(parseMetricTerm('a>1e999'), undefined)
  t.same(parseMetricTerm(' a.b<-1.5e3 '), { key: 'a.b', op: 'lte', value: -1500 })
})

test('more than twenty metric terms or actors are refused', async (t) => {
  const many = (part: (i: number) => string) => Array.from({ length: 21 }, (_, i) => part(i)).join()
  t.match(filters({ metrics: many((i) => `k>${i}`) }), { ok: false, message: /^metrics / })
  t.match(filters({ excludeActors: many((i) => `t${i}`) }), {
    ok: false,
    message: /^excludeActors /
  })
})

test('excluded actors are a list of types', async (t) => {
  t.match(filters({ excludeActors: 'admin, agent,' }), {
    excludeActors: ['admin', 'agent']
  })
})

test('a filter given twice is refused by name', async (t) => {
  t.match(readQuery(filterParameters, 'kind=event&kind=error'), /^kind /)
  for (const name of ['attrs', 'metrics', 'excludeActors']) {
    t.match(readQuery(filterParameters, `${name}=a:1&${name}=b:2`), name)
  }
})

test('values are excluded by field, the first colon splits', async (t) => {
  t.same(filters({ exclude: 'service:web,attrs.path:/a:b,attrs.note:one\\,two' }), {
    exclude: [
      { field: 'service', value: 'web' },
      { field: 'attrs.path', value: '/a:b' },
      { field: 'attrs.note', value: 'one,two' }
    ]
  })
})

test('what cannot be excluded is refused', async (t) => {
  const many = Array.from({ length: 21 }, (_, i) => `attrs.k:${i}`).join()
  for (const exclude of ['service', ':web', 'tenantId:acme', 'attrs.:x', '$where:1', many]) {
    t.match(filters({ exclude }), { ok: false, message: /^exclude / }, exclude)
  }
})

test('a search is read as it is written, and one that cannot be read is refused', async (t) => {
  t.match(readFilters({ q: 'a -b "c d" /e+/' }), { q: 'a -b "c d" /e+/' })
  t.same(readFilters({ q: '  ' }), {})
  t.match(readFilters({ q: '/(a+)+/' }), {
    ok: false,
    code: 'validation_failed',
    message: /a group cannot be repeated/
  })
})
