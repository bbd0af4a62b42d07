// The filters of records in an address, read and written.
import { splitTerms } from '@keelson/telemetry'
import { addedParams } from '@keelson/ui'
import fc from 'fast-check'
import { test } from 'tap'
import { filterChanges, filtersOf, normalizeBound, settleFilters, withFilter } from './address.ts'

const params = (query: Record<string, string>) => new URLSearchParams(query)

test('filters are read from the parameters of the API', async (t) => {
  const query = {
    name: 'page.viewed',
    attrs: 'path:/a:b,note:x\\,y',
    metrics: 'load_ms>200,load_ms<900,nonsense',
    excludeActors: 'admin,agent',
    unknown: 'x'
  }
  t.same(filtersOf(params(query)), [
    { field: 'name', value: 'page.viewed' },
    { field: 'attrs.path', value: '/a:b' },
    { field: 'attrs.note', value: 'x,y' },
    { field: 'metrics.load_ms', value: '≥ 200' },
    { field: 'metrics.load_ms', value: '≤ 900' },
    { field: 'actor', value: 'admin', not: true },
    { field: 'actor', value: 'agent', not: true }
  ])
})

test('filters of any values are written so that they read back', async (t) => {
  const value = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '')
  const key = fc.stringMatching(/^[a-z][a-z._]{0,8}$/)
  fc.assert(
    fc.property(
      value,
      key,
      value,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      (name, attr, text, bound) => {
        const filters = [
          { field: 'name', value: name },
          { field: `attrs.${attr}`, value: text },
          { field: 'metrics.load_ms', value: `≥ ${bound === 0 ? 0 : bound}` }
        ]
        const written = new URLSearchParams(addedParams(filterChanges(filters)))
        t.same(filtersOf(new URLSearchParams(written.toString())), filters)
      }
    ),
    { numRuns: 50 }
  )
})

test('lists are written as the API reads them, backslashes and commas in them', async (t) => {
  const value = fc
    .string({ unit: fc.constantFrom('\\', ',', 'a', ':', ' '), minLength: 1, maxLength: 8 })
    .filter((text) => text.trim() !== '')
  fc.assert(
    fc.property(fc.uniqueArray(value, { minLength: 1, maxLength: 3 }), (values) => {
      const filters = values.map((text) => ({ field: 'attrs.path', value: text, not: true }))
      const { exclude = '' } = addedParams(filterChanges(filters))
      t.same(
        splitTerms(exclude),
        values.map((text) => `attrs.path:${text}`)
      )
      t.same(filtersOf(params({ exclude })), filters)
    })
  )
  fc.assert(
    fc.property(value, (text) => {
      const read = splitTerms(text).filter((term) => term.indexOf(':') > 0)
      const shown = filtersOf(params({ exclude: text }))
      t.same(
        shown.map((filter) => `${filter.field}:${filter.value}`),
        read
      )
    })
  )
})

test('no filters remove every parameter that filters', async (t) => {
  const changes = filterChanges([])
  for (const name of ['name', 'kind', 'subject', 'attrs', 'metrics', 'excludeActors', 'exclude']) {
    t.equal(changes[name], null, name)
  }
})

test('a bound is typed in several ways and shown in one', async (t) => {
  for (const typed of ['200', '>200', '>= 200', '≥ 200', ' ≥200.0 ']) {
    t.equal(normalizeBound(typed), '≥ 200', typed)
  }
  t.equal(normalizeBound('<=1.5'), '≤ 1.5')
  for (const typed of ['', 'many', '>', '1.2.3', '200ms'])
    t.equal(normalizeBound(typed), undefined, typed)
})

test('a second value of a field replaces the first, but bounds and actors add up', async (t) => {
  const first = [{ field: 'name', value: 'a' }]
  t.same(withFilter(first, { field: 'name', value: 'b' }), [{ field: 'name', value: 'b' }])
  t.same(withFilter([{ field: 'metrics.x', value: '≥ 1' }], { field: 'metrics.x', value: '≤ 2' }), [
    { field: 'metrics.x', value: '≥ 1' },
    { field: 'metrics.x', value: '≤ 2' }
  ])
  const actors = withFilter([], { field: 'actor', value: 'admin' })
  t.same(actors, [{ field: 'actor', value: 'admin', not: true }])
  t.same(withFilter(actors, { field: 'actor', value: 'admin' }), actors)
})

test('filters from the chips are made such that the API can answer them', async (t) => {
  t.same(
    settleFilters([
      { field: 'name', value: 'a' },
      { field: 'metrics.load_ms', value: 'slow' },
      { field: 'name', value: 'b' }
    ]),
    [{ field: 'name', value: 'b' }]
  )
})

test('the API is asked with the parameters of the filters and no others', async (t) => {
  const filters = filtersOf(params({ name: 'a', range: '7d', record: 'x', metrics: 'a>=5' }))
  const asked = new URLSearchParams(addedParams(filterChanges(filters)))
  t.equal(asked.toString(), 'name=a&metrics=a%3E5')
})

test('values are left out in the address, commas and colons in them', async (t) => {
  const filters = [
    { field: 'service', value: 'web', not: true },
    { field: 'attrs.path', value: '/a:b,c', not: true }
  ]
  t.equal(filterChanges(filters)['exclude'], 'service:web,attrs.path:/a:b\\,c')
  t.same(filtersOf(params({ exclude: 'service:web,attrs.path:/a:b\\,c,:x,odd' })), filters)
})

test('several values of a field can be left out; asking for one takes those away', async (t) => {
  const not = (value: string) => ({ field: 'service', value, not: true })
  const two = withFilter(withFilter([], not('a')), not('b'))
  t.same(two, [not('a'), not('b')])
  t.same(withFilter(two, not('a')), [not('b'), not('a')])
  t.same(withFilter([{ field: 'service', value: 'a' }], not('a')), [not('a')])
  t.same(withFilter(two, { field: 'service', value: 'c' }), [{ field: 'service', value: 'c' }])
})
