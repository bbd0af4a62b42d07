// What is answered when something goes wrong.
import type { Host } from '@keelson/sdk'
import { defineErrors, refuse } from '@keelson/sdk'
import { Type } from '@keelson/sdk/typebox'
import { type BulkWriteResult, MongoBulkWriteError, MongoNetworkError } from 'mongodb'
import { test } from 'tap'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'
import { sampleRoute } from '../testing/sample-manifest.ts'

const own = defineErrors({
  ALP_TAKEN: { message: 'The name {name} is taken.', remedy: 'Choose another.', status: 409 },
  ALP_BROKEN: { message: 'It broke.', remedy: 'Mend it.', status: 500 }
})

const throwing = (error: unknown) =>
  samplePlugin(
    'alpha',
    { routes: [sampleRoute('GET', '/x')] },
    {
      register(host: Host) {
        host.route({
          method: 'GET',
          path: '/x',
          handler: () => {
            throw error
          }
        })
      }
    }
  )

test('what went wrong inside stays inside', async (t) => {
  const failures = [
    new Error('the password is hunter2'),
    own.ALP_BROKEN(),
    'hunter2',
    { statusCode: 200 }
  ]
  for (const error of failures) {
    const { call, logs } = await fakeHost(t, { plugins: [throwing(error)] })
    const { status, json } = await call({ url: '/alpha/x' })
    t.equal(status, 500)
    t.match(json, { error: 'internal', code: 'internal', message: String })
    t.notMatch(JSON.stringify(json), 'hunter2')
    t.ok(logs.some(({ level, msg }) => level === 50 && msg === 'a request failed'))
  }
})

test('an error that the caller caused keeps its message', async (t) => {
  const taken = await fakeHost(t, { plugins: [throwing(own.ALP_TAKEN({ name: 'x' }))] })
  t.match(await taken.call({ url: '/alpha/x' }), {
    status: 409,
    json: {
      error: 'conflict',
      code: 'ALP_TAKEN',
      message: 'The name x is taken.',
      fix: 'Choose another.'
    }
  })
  const teapot = Object.assign(new Error('short and stout'), { statusCode: 418 })
  const other = await fakeHost(t, { plugins: [throwing(teapot)] })
  t.same((await other.call({ url: '/alpha/x' })).json, {
    error: 'bad_request',
    code: 'bad_request',
    message: 'short and stout'
  })
})

test('an unknown address is not found, whatever body is sent to it', async (t) => {
  const { app } = await fakeHost(t, { plugins: [samplePlugin('alpha', { routes: [] })] })
  for (const payload of ['{"broken', 'x'.repeat(2_000_000)]) {
    const headers = { 'content-type': 'application/json' }
    const answer = await app.inject({ method: 'POST', url: '/alpha/none', headers, payload })
    t.match([answer.statusCode, answer.json()], [404, { error: 'not_found' }])
  }
})

test('a database that is away is a reason to come again', async (t) => {
  const away = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7'), {
    name: 'MongoServerSelectionError'
  })
  const { call } = await fakeHost(t, { plugins: [throwing(away)] })
  t.match(await call({ url: '/alpha/x' }), { status: 503, json: { error: 'unavailable' } })
})

test('a bulk write that is lost with its connection is a reason to come again', async (t) => {
  const lost = new MongoNetworkError('connection 1 closed')
  const away = new MongoBulkWriteError(lost as never, {} as BulkWriteResult)
  const { call } = await fakeHost(t, { plugins: [throwing(away)] })
  t.match(await call({ url: '/alpha/x' }), { status: 503, json: { error: 'unavailable' } })
})

test('every refusal has a word, a code and a sentence', async (t) => {
  const plugin = samplePlugin('alpha', {
    routes: [
      sampleRoute('POST', '/mine', { auth: 'viewer' }),
      sampleRoute('GET', '/admin', { auth: 'admin' }),
      sampleRoute('GET', '/few', { rateLimit: { max: 1, windowSeconds: 60 } })
    ]
  })
  const { call } = await fakeHost(t, { plugins: [plugin] })
  await call({ url: '/alpha/few' })
  const viewer = 'acme:viewer'
  const headers = { cookie: 'sid=1', origin: 'https://evil.example' }
  const refusals = {
    unauthenticated: await call({ url: '/alpha/mine', method: 'POST' }),
    forbidden: await call({ url: '/alpha/admin', viewer }),
    too_many_requests: await call({ url: '/alpha/few' }),
    not_found: await call({ url: '/alpha/none' })
  }
  for (const [word, { json }] of Object.entries(refusals)) {
    t.match(json, { error: word, code: word, message: /^[A-Z].+\.$/ })
  }
  const foreign = await call({ url: '/alpha/mine', method: 'POST', viewer, headers })
  t.same(foreign.json, { error: 'bad_origin' }, 'the demo promises this body as it is')
})

test('what the kernel answers is not held to the response schemas of a route', async (t) => {
  const described = Type.Object({ own: Type.String() })
  const plugin = samplePlugin(
    'alpha',
    {
      routes: [
        sampleRoute('POST', '/mine', { auth: 'viewer' }),
        sampleRoute('POST', '/hook', { auth: 'machine' })
      ]
    },
    {
      register(host) {
        const schema = { body: described, response: { '4xx': described } }
        const handler = async () => ({})
        const verify = () => refuse({ status: 418, body: { brews: 'tea' } })
        host.route({ method: 'POST', path: '/mine', schema, handler })
        host.route({ method: 'POST', path: '/hook', schema, verify, handler })
      }
    }
  )
  const { call } = await fakeHost(t, { plugins: [plugin] })
  const post = (url: string, rest = {}) => call({ url, method: 'POST', payload: {}, ...rest })
  t.match(await post('/alpha/mine'), { status: 401, json: { error: 'unauthenticated' } })
  const cookie = { cookie: 'sid=1' }
  t.match(await post('/alpha/mine', { headers: cookie }), {
    status: 403,
    json: { error: 'bad_origin' }
  })
  t.match(await post('/alpha/mine', { viewer: 'acme:viewer' }), {
    status: 400,
    json: { error: 'bad_request', fields: [{ path: 'own' }] }
  })
  t.match(await post('/alpha/hook'), {
    status: 418,
    json: { brews: 'tea' },
    headers: { 'content-type': 'application/json; charset=utf-8' }
  })
})

const taking = samplePlugin(
  'alpha',
  {
    routes: [
      sampleRoute('POST', '/small', { bodyLimit: 100 }),
      sampleRoute('GET', '/checked'),
      sampleRoute('POST', '/file', { multipart: true, bodyLimit: 2_000 })
    ]
  },
  {
    register(host) {
      host.route({
        method: 'POST',
        path: '/small',
        schema: { body: Type.Object({ name: Type.String() }) },
        handler: async () => ({})
      })
      host.route({
        method: 'GET',
        path: '/checked',
        schema: { querystring: Type.Object({ limit: Type.Integer() }) },
        handler: async () => ({})
      })
      host.route({
        method: 'POST',
        path: '/file',
        handler: async (request) => {
          const file = await (
            request as never as { file(): Promise<{ toBuffer(): Promise<Buffer> }> }
          ).file()
          return { size: (await file.toBuffer()).length }
        }
      })
    }
  }
)

test('bodies are limited and checked, and counted also when no handler ran', async (t) => {
  const { call } = await fakeHost(t, { plugins: [taking] })
  const post = (payload: object) => call({ url: '/alpha/small', method: 'POST', payload })
  t.match(await post({ name: 'x'.repeat(200) }), {
    status: 413,
    json: { error: 'payload_too_large' }
  })
  t.match(await post({ name: { not: 'text' } }), {
    status: 400,
    json: { error: 'bad_request', message: /name/, fields: [{ path: 'name', message: String }] }
  })
  t.match((await post({})).json, { fields: [{ path: 'name' }] })
  t.match(await call({ url: '/alpha/checked?limit=x' }), {
    status: 400,
    json: { message: /limit/ }
  })
  const { text } = await call({ url: '/metrics' })
  t.match(
    text,
    'keelson_http_requests_total{plugin="alpha",method="POST",route="/alpha/small",status="4xx"} 3'
  )
  t.match(
    text,
    'keelson_http_requests_total{plugin="alpha",method="GET",route="/alpha/checked",status="4xx"} 1'
  )
})

function multipart(content: string) {
  const payload = `--x\r\ncontent-disposition: form-data; name="a"; filename="a.txt"\r\n\r\n${content}\r\n--x--\r\n`
  return {
    method: 'POST' as const,
    payload,
    headers: { 'content-type': 'multipart/form-data; boundary=x' }
  }
}

test('multipart bodies are taken where they are declared, and nowhere else', async (t) => {
  const { call } = await fakeHost(t, { plugins: [taking] })
  t.match(await call({ url: '/alpha/file', ...multipart('hello') }), {
    status: 200,
    json: { size: 5 }
  })
  t.equal((await call({ url: '/alpha/file', ...multipart('x'.repeat(3_000)) })).status, 413)
  t.match(await call({ url: '/alpha/small', ...multipart('hello') }), {
    status: 415,
    json: { error: 'unsupported_media_type' }
  })
})

test('a host that takes multipart itself keeps its own way', async (t) => {
  const { call } = await fakeHost(t, {
    plugins: [
      samplePlugin('alpha', { routes: [sampleRoute('POST', '/file', { multipart: true })] })
    ],
    before: (app) =>
      void app.addContentTypeParser('multipart/form-data', (_request, payload, done) => {
        payload.resume()
        done(null, {})
      })
  })
  t.equal((await call({ url: '/alpha/file', ...multipart('hello') })).status, 200)
})
