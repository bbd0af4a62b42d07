// Query parameters: what a handler gets, and what is refused by name.
import { Type } from '@keelson/sdk'
import { test } from 'tap'
import {
  capped,
  choice,
  dimsParameter,
  fieldParameter,
  hasBracketedDims,
  limitParameter,
  measureParameter,
  optionalText,
  rangeParameters,
  readList,
  required
} from '../operations/parameters.ts'
import { readQuery } from './given-query.ts'

const name = { name: optionalText('A name.') }

test('parameters that the operation does not name change nothing', async (t) => {
  t.notOk('name' in (readQuery(name, 'tenantId=globex&scope=*&name[$ne]=x') as object))
})

test('what cannot be decoded is kept', async (t) => {
  t.same(readQuery(name, 'name=%zz'), { name: '%zz' })
})

test('an empty parameter counts as absent', async (t) => {
  t.same(readQuery(name, 'name='), {})
})

test('a parameter given twice is refused by name', async (t) => {
  t.match(readQuery(name, 'name=a&name=b'), /^name must be of type string/)
  t.same(readQuery(rangeParameters, 'from=2025-01-01&from=2025-01-02'), 'invalid time range')
})

test('a parameter that must be given is named, or answered in the words of the document', async (t) => {
  t.same(readQuery({ by: required('A field.') }, ''), 'by is missing.')
  t.same(readQuery({ by: required('A field.') }, 'by='), 'by is missing.')
  t.same(readQuery({ stages: required('Families.', 'stages please') }, ''), 'stages please')
})

test('a limit is the cap when absent or above it', async (t) => {
  const limit = (text: string) =>
    capped((readQuery(limitParameter, text) as { limit?: number }).limit, 200)
  t.equal(limit(''), 200)
  t.equal(limit('limit=3'), 3)
  t.equal(limit('limit=999999999999999'), 200)
})

test('a limit that is not a whole number from 1 on is refused', async (t) => {
  for (const limit of ['many', '0', '-1', '1.5', '1e3', '0x10', ' 5', 'NaN', 'Infinity']) {
    t.match(readQuery(limitParameter, `limit=${encodeURIComponent(limit)}`), /^limit /, limit)
  }
  t.match(readQuery(limitParameter, 'limit=1&limit=2'), /^limit /)
})

test('a choice is one of the list, absent, or refused with the list', async (t) => {
  const parameters = { on: choice(['firstAt', 'lastAt']) }
  t.same(readQuery(parameters, 'on=lastAt'), { on: 'lastAt' })
  t.same(readQuery(parameters, ''), {})
  t.same(readQuery(parameters, 'on=x'), 'on must be one of "firstAt", "lastAt", but is "x".')
})

test('a flag is true or false', async (t) => {
  const parameters = { all: Type.Optional(Type.Boolean()) }
  for (const [text, value] of [
    ['true', true],
    ['false', false]
  ] as const) {
    t.same(readQuery(parameters, `all=${text}`), { all: value })
  }
  t.match(readQuery(parameters, 'all=maybe'), /^all /)
})

test('a list drops empty and repeated parts and refuses too many', async (t) => {
  t.same(readList('a, b,,a', 'stages', 2), ['a', 'b'])
  t.same(readList(undefined, 'stages', 2), [])
  t.match(readList('a,b,c', 'stages', 2), { ok: false, message: /^stages / })
})

test('a hundred dims are read and one more is refused', async (t) => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => `dims=source%3D${i}`).join('&')
  t.match(readQuery(dimsParameter, many(100)), { dims: { length: 100 } })
  t.match(readQuery(dimsParameter, many(101)), /^dims /)
  t.same(readQuery(dimsParameter, ''), {})
})

test('a dims value that is not plain text is refused', async (t) => {
  for (const text of ['dims[$gt]=1', 'dims[a][b]=c']) {
    t.ok(hasBracketedDims(readQuery(dimsParameter, text) as object), text)
  }
  t.notOk(hasBracketedDims({ dims: ['a=b'] }))
})

test('a measure is count, a sum or an average', async (t) => {
  const measure = (text: string) =>
    readQuery(measureParameter, `measure=${encodeURIComponent(text)}`)
  for (const text of ['count', 'sum:a:b', 'avg:load_ms']) t.same(measure(text), { measure: text })
  for (const text of ['median:load_ms', 'sum:', 'avg', 'COUNT', 'sum:$x', 'sum:a\0']) {
    t.match(measure(text), /^measure /, text)
  }
  t.match(readQuery(measureParameter, 'measure=count&measure=sum:a'), /^measure /)
})

test('the field of a distribution is the duration or a metric', async (t) => {
  t.same(readQuery(fieldParameter, 'measure=load_ms'), { measure: 'load_ms' })
  for (const text of ['%00', '$where', 'x'.repeat(201)]) {
    t.match(readQuery(fieldParameter, `measure=${text}`), /^measure /)
  }
})
