// The forms of the page of the API, and the addresses that they make.
import fc from 'fast-check'
import { test } from 'tap'
import { type ApiOperation, readApi } from './api-operations.ts'
import { isSentByLink, tryAddress, tryForm } from './docs-forms.ts'

function operation(path: string, parameters: readonly object[], more: object = {}): ApiOperation {
  const api = readApi({
    info: { title: 'A', version: '1' },
    components: { securitySchemes: { bearer: { type: 'http' } } },
    paths: { [path]: { get: { parameters, ...more } } }
  })
  const [first] = api.operations.values()
  if (first === undefined) throw new Error(path)
  return first
}

const id = { name: 'id', in: 'path', required: true }
const rest = { name: '*', in: 'path', required: true }
const query = (name: string, schema: object = {}, required = false) => ({
  name,
  in: 'query',
  required,
  schema
})

test('a field shows what the schema says of its parameter', async (t) => {
  const html = tryForm(
    operation('/x/{id}', [
      id,
      query('limit', { type: 'integer', minimum: 1, maximum: 9, default: 5 }),
      query('kind', { enum: ['a', '"b"'] }, true),
      query('isOpen', { type: 'boolean' }),
      query('name', { type: 'string', minLength: 2, maxLength: 8, pattern: '^[a-z]+$' }),
      query('at', { type: 'string', format: 'date-time' }),
      query('odd', { type: 'string', pattern: '[a-z0-9-]' })
    ]),
    '/docs/try'
  )
  t.match(html, '<input type="hidden" name="op" value="get /x/{id}">')
  t.match(html, '<code>id</code> <span class="dim">path, required</span>')
  t.match(html, '<input name="path:id" required type="text"')
  t.match(html, '<input name="query:limit" type="number" min="1" max="9" placeholder="5"')
  t.match(html, '<select name="query:kind" required><option value=""></option><option>a</option>')
  t.match(html, '<option>&quot;b&quot;</option>')
  t.match(html, '<option>true</option><option>false</option>')
  t.match(
    html,
    /name="query:name" type="text" minlength="2" maxlength="8" pattern=".*\^\[a-z\]\+\$/
  )
  t.match(html, /name="query:at" type="text" placeholder="2026-/)
  t.notMatch(html, /name="query:odd"[^>]*pattern/, 'browsers refuse this pattern')
  t.match(html, 'target="_blank" rel="noopener"')
})

test('the address has the filled fields alone, encoded', async (t) => {
  const read = operation('/p/{id}/x', [id, query('q'), query('limit'), query('id')])
  const fields = { 'path:id': 'a/b ?', 'query:q': '', 'query:limit': '5', other: 'x' }
  t.same(tryAddress(read, fields), { ok: true, location: '/p/a%2Fb%20%3F/x?limit=5' })
  t.same(tryAddress(read, { 'path:id': '1', 'query:id': ['2', '3'] }), {
    ok: true,
    location: '/p/1/x?id=2&id=3'
  })
})

test('a path parameter must be there and must not change the path', async (t) => {
  const read = operation('/p/{id}', [id])
  for (const value of [undefined, '', '.', '..', {}, []]) {
    t.same(tryAddress(read, { 'path:id': value }), { ok: false, fault: 'missing', name: 'id' })
  }
  const below = operation('/{*}', [rest])
  t.same(tryAddress(below, { 'path:*': 'a/b' }), { ok: true, location: '/a/b' })
  for (const value of ['/evil.example', 'a//b', 'a/../b', '..']) {
    t.same(tryAddress(below, { 'path:*': value }), { ok: false, fault: 'missing', name: '*' })
  }
})

test('an address that is too long is refused', async (t) => {
  const read = operation('/p', [query('q')])
  t.same(tryAddress(read, { 'query:q': 'x'.repeat(9000) }), { ok: false, fault: 'long' })
})

test('no value leads to another host or another path', async (t) => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'./\\%2eE5cf:@?#\t\nx') })
  )
  const operations = [operation('/{id}', [id]), operation('/{*}', [rest])]
  fc.assert(
    fc.property(value, fc.constantFrom(...operations), (text, read) => {
      const verdict = tryAddress(read, { 'path:id': text, 'path:*': text })
      if (!verdict.ok) return
      const { origin, pathname, search, hash } = new URL(verdict.location, 'https://a.example')
      if (origin !== 'https://a.example' || pathname !== verdict.location || search + hash !== '') {
        throw new Error(`${JSON.stringify(text)}: ${verdict.location}`)
      }
    }),
    { numRuns: 500 }
  )
  t.end()
})

test('only reads that need no header are sent by a link', async (t) => {
  t.equal(isSentByLink(operation('/x', [query('q')])), true)
  t.equal(isSentByLink(operation('/x', [{ name: 'h', in: 'header', required: true }])), false)
  t.equal(isSentByLink(operation('/x', [], { security: [{ bearer: [] }] })), false)
})
