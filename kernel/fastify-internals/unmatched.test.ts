// What the kernel relies on in Fastify: where the hooks of not-found handlers are.
import Fastify, { type FastifyInstance } from 'fastify'
import { test } from 'tap'
import { onUnmatched } from './unmatched.ts'

const answerIt = (app: FastifyInstance, seen: string[]) =>
  onUnmatched(app, (request, reply, _payload, done) => {
    seen.push(request.url)
    if (request.url.endsWith('/answered')) reply.code(404).send('by the hook')
    else done()
  })

test('runs for requests that no route matches, and for no other', async (t) => {
  const app = Fastify()
  const seen: string[] = []
  answerIt(app, seen)
  app.get('/known', async () => 'known')
  t.equal((await app.inject('/known')).body, 'known')
  t.match((await app.inject('/unknown')).json(), { message: 'Route GET:/unknown not found' })
  t.equal((await app.inject('/answered')).body, 'by the hook')
  t.same(seen, ['/unknown', '/answered'])
})

test('runs before the not-found handlers of all scopes, those of earlier ones too', async (t) => {
  const app = Fastify()
  const seen: string[] = []
  const scope = (name: string) =>
    app.register(async (inner) => inner.setNotFoundHandler(async () => name), {
      prefix: `/${name}`
    })
  scope('earlier')
  answerIt(app, seen)
  scope('later')
  app.setNotFoundHandler(async () => 'root')
  for (const [url, body] of [
    ['/earlier/x', 'earlier'],
    ['/later/x', 'later'],
    ['/x', 'root'],
    ['/earlier/answered', 'by the hook'],
    ['/later/answered', 'by the hook'],
    ['/answered', 'by the hook']
  ] as const) {
    t.equal((await app.inject(url)).body, body)
  }
  t.equal(seen.length, 6)
})

test('answers before a body is parsed', async (t) => {
  const app = Fastify()
  answerIt(app, [])
  const headers = { 'content-type': 'application/json' }
  const answer = await app.inject({ method: 'POST', url: '/answered', headers, body: '{' })
  t.equal(answer.body, 'by the hook')
})

test("keeps the host's own hooks", async (t) => {
  const app = Fastify()
  const seen: string[] = []
  answerIt(app, seen)
  app.addHook('preParsing', async (request) => void seen.push(`host ${request.url}`))
  app.get('/known', async () => 'known')
  await app.inject('/known')
  await app.inject('/unknown')
  t.same(seen, ['host /known', '/unknown', 'host /unknown'])
})

test('uses a hook of all requests where Fastify has no such symbols', async (t) => {
  const added: string[] = []
  const other = { addHook: (name: string) => void added.push(name) }
  answerIt(other as unknown as FastifyInstance, [])
  t.same(added, ['preParsing'])
})
