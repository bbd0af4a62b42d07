// The page of the API of a running host, and the address that its forms are sent to.
import { Type } from '@keelson/sdk/typebox'
import { test } from 'tap'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'
import { sampleRoute } from '../testing/sample-manifest.ts'

const plugin = samplePlugin(
  'alpha',
  { routes: [sampleRoute('GET', '/items/:id'), sampleRoute('POST', '/items')] },
  {
    register(host) {
      const params = Type.Object({ id: Type.String() })
      const querystring = Type.Object({ limit: Type.Optional(Type.Integer()) })
      const handler = async ({ url }: { url: string }) => ({ url })
      host.route({ method: 'GET', path: '/items/:id', schema: { params, querystring }, handler })
      const body = Type.Object({ name: Type.String() })
      host.route({ method: 'POST', path: '/items', schema: { body }, handler })
    }
  }
)

const READ = 'get /alpha/items/{id}'
const queryOf = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString()
const tryUrl = (fields: Readonly<Record<string, string>>) => `/docs/try?${queryOf(fields)}`

test('a form leads to the operation with its filled fields', async (t) => {
  const { call } = await fakeHost(t, { plugins: [plugin] })
  const fields = { op: READ, 'path:id': 'a b', 'query:limit': '' }
  const { status, headers } = await call({ url: tryUrl(fields) })
  t.equal(status, 303)
  t.match(headers, { location: '/alpha/items/a%20b', 'cache-control': 'no-store' })
  t.match(await call({ url: String(headers['location']) }), { status: 200 })
})

test('only reads of the document are led to', async (t) => {
  const { call } = await fakeHost(t, { plugins: [plugin] })
  for (const op of ['', 'get /', 'get //evil.example', 'post /alpha/items', '/alpha/items/{id}']) {
    const answer = await call({ url: tryUrl({ op, 'path:id': '1' }) })
    t.match(answer, { status: 404, json: { error: 'not_found' } }, op)
  }
  t.match(await call({ url: tryUrl({ op: READ }) }), {
    status: 400,
    json: { error: 'bad_request', code: 'KRN_TRY_PATH', message: /"id" is missing/ }
  })
  t.match(await call({ url: tryUrl({ op: READ, 'path:id': 'x'.repeat(9000) }) }), {
    status: 414,
    json: { error: 'uri_too_long' }
  })
})

test('forms and commands are for the address and the prefix of the host', async (t) => {
  const { call } = await fakeHost(t, { plugins: [plugin], prefix: '/p' })
  const op = 'get /p/alpha/items/{id}'
  const { text } = await call({ url: `/p/docs?${queryOf({ op })}`, headers: { host: 'b.example' } })
  t.match(text, 'action="/p/docs/try"')
  t.match(text, 'curl &#39;http://b.example/p/alpha/items/{id}&#39;')
  const { headers } = await call({ url: `/p${tryUrl({ op, 'path:id': '1' })}` })
  t.equal(headers['location'], '/p/alpha/items/1')
})

test('commands name the public address where the config has one', async (t) => {
  const config = { auth: { publicUrl: 'https://c.example' } }
  const { call } = await fakeHost(t, { plugins: [plugin], config })
  const { text } = await call({ url: `/docs?${queryOf({ op: 'post /alpha/items' })}` })
  t.match(text, 'curl &#39;https://c.example/alpha/items&#39;')
  t.match(text, '&quot;name&quot;: &quot;example&quot;')
})
