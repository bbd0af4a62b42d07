// Single query parameters: what is read, and what is refused by name.
import { test } from 'tap'
import {
  paramsOf,
  readChoice,
  readDims,
  readFlag,
  readLimit,
  readList,
  readOne
} from '../routes/parameters.ts'

const params = (query: string) => paramsOf(`/api/records?${query}`)

test('an address without a query has no parameters', async (t) => {
  t.equal(paramsOf('/api/records').size, 0)
})

test('what cannot be decoded is kept and never throws', async (t) => {
  t.same(params('name=%zz').get('name'), ['%zz'])
  t.same(params('name=%ed%a0%80').get('name'), ['\ufffd\ufffd\ufffd'])
})

test('a parameter named as a prototype member is an ordinary one', async (t) => {
  t.same(readOne(params('__proto__=x'), '__proto__'), { ok: true, value: 'x' })
  t.same(readOne(params(''), 'constructor'), { ok: true, value: undefined })
})

test('an empty parameter counts as absent', async (t) => {
  t.same(readOne(params('name='), 'name'), { ok: true, value: undefined })
})

test('a parameter given twice with two values is refused by name', async (t) => {
  t.same(readOne(params('name=a&name=a'), 'name'), { ok: true, value: 'a' })
  t.same(readOne(params('name=a&name=b'), 'name'), {
    ok: false,
    error: 'name must be given once'
  })
})

test('a limit is the cap when absent or above it', async (t) => {
  t.same(readLimit(params(''), 200), { ok: true, value: 200 })
  t.same(readLimit(params('limit=3'), 200), { ok: true, value: 3 })
  t.same(readLimit(params('limit=99999999999999999999999'), 200), { ok: true, value: 200 })
})

test('a limit that is no whole number from 1 on is refused', async (t) => {
  for (const limit of ['many', '0', '-1', '1.5', '1e3', '0x10', ' 5', 'NaN', 'Infinity']) {
    t.match(readLimit(params(`limit=${encodeURIComponent(limit)}`), 200), {
      ok: false,
      error: /^limit /
    })
  }
  t.match(readLimit(params('limit=1&limit=2'), 200), { ok: false, error: /^limit / })
})

test('a choice is one of the list, absent, or refused with the list', async (t) => {
  t.same(readChoice(params('on=lastAt'), 'on', ['firstAt', 'lastAt']), {
    ok: true,
    value: 'lastAt'
  })
  t.same(readChoice(params(''), 'on', ['firstAt']), { ok: true, value: undefined })
  t.same(readChoice(params('on=x'), 'on', ['firstAt', 'lastAt']), {
    ok: false,
    error: 'on must be one of firstAt, lastAt'
  })
})

test('a flag is true or false, in words or digits', async (t) => {
  for (const [text, value] of [
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
    ['', false]
  ]) {
    t.same(readFlag(params(`endInclusive=${text}`), 'endInclusive'), { ok: true, value })
  }
  t.match(readFlag(params('endInclusive=maybe'), 'endInclusive'), { ok: false })
})

test('a list drops empty and repeated parts and refuses too many', async (t) => {
  t.same(readList(params('stages=a,%20b,,a'), 'stages', 2), { ok: true, value: ['a', 'b'] })
  t.match(readList(params('stages=a,b,c'), 'stages', 2), { ok: false, error: /^stages / })
})

test('a hundred dims are read and one more is refused', async (t) => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => `dims=source%3D${i}`).join('&')
  t.match(readDims(params(many(100))), { ok: true, value: { length: 100 } })
  t.match(readDims(params(many(101))), { ok: false, error: /^dims / })
  t.same(readDims(params('')), { ok: true, value: [] })
})

test('a dims value that is no string is refused', async (t) => {
  t.match(readDims(params('dims[$gt]=')), { ok: false, error: /^dims / })
  t.match(readDims(params('dims[a][b]=c')), { ok: false, error: /^dims / })
})
