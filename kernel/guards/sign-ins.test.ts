// Sign-ins that restore who asks in different hooks: guards and shell agree about each request.
import { pathToFileURL } from 'node:url'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { type Test, test } from 'tap'
import { createKernel } from '../index.ts'
import { registerShell } from '../shell/shell.ts'
import { fakeSeams, samplePlugin } from '../testing/fake-host.ts'
import { sampleRoute } from '../testing/sample-manifest.ts'

const USERS = new Map([['sid=ann', { tenantId: 'acme', role: 'admin' }]])
type Signed = FastifyRequest & { user?: { tenantId: string; role: string } }
const read = (request: FastifyRequest) => USERS.get(request.headers.cookie ?? '')
const restore = async (request: FastifyRequest) => {
  const user = read(request)
  if (user !== undefined) (request as Signed).user = user
}

const routes = [
  sampleRoute('GET', '/items', { auth: 'viewer' }),
  sampleRoute('POST', '/items', { auth: 'admin' })
]

const page = { id: 'list', element: 'alpha-list', module: './list.js', title: 'List' }
const pages = [{ ...page, role: 'viewer' }]

async function open(t: Test, prepare: (app: FastifyInstance) => void, order = 'before') {
  let asked = 0
  const folder = pathToFileURL(`${t.testdir({ 'list.js': '' })}/`)
  const logs: { code?: string }[] = []
  const app = Fastify({ logger: { stream: { write: (line) => void logs.push(JSON.parse(line)) } } })
  t.teardown(() => app.close())
  if (order === 'before') prepare(app)
  const options = {
    config: {},
    plugins: [samplePlugin('alpha', { routes, pages }, { folder })],
    resolveViewer: (request: FastifyRequest) => {
      asked++
      return (request as Signed).user
    }
  }
  app.register(createKernel(options, { ...fakeSeams(), registerShell, env: {} }))
  if (order === 'after') prepare(app)
  const status = async (method: 'GET' | 'POST', cookie?: string, payload?: string) => {
    asked = 0
    const headers = {
      origin: payload === '{' ? 'https://evil.example' : 'http://localhost',
      ...(cookie !== undefined && { cookie }),
      ...(payload !== undefined && { 'content-type': 'application/json' })
    }
    const answer = await app.inject({
      method,
      url: '/alpha/items',
      headers,
      payload: payload ?? ''
    })
    return [answer.statusCode, asked]
  }
  const nav = async (cookie?: string) => {
    asked = 0
    const { statusCode: status } = await app.inject({
      url: '/alpha/list',
      headers: { accept: 'text/html', ...(cookie && { cookie }) }
    })
    return [status === 200 ? 'shown' : status, asked]
  }
  const warnings = () => logs.filter(({ code }) => code === 'KRN_VIEWER_LATE').length
  return { status, nav, warnings }
}

for (const hook of ['onRequest', 'preParsing', 'preValidation'] as const) {
  test(`a session restored in ${hook} signs in for the API and for the shell, asked once`, async (t) => {
    const { status, nav, warnings } = await open(t, (app) => {
      app.addHook(hook as 'onRequest', restore)
    })
    t.same(await status('GET', 'sid=ann'), [200, 1])
    t.same(await status('POST', 'sid=ann', '{}'), [200, 1])
    t.same(await status('GET'), [401, 1])
    t.same(await nav('sid=ann'), ['shown', 1])
    t.match(await nav(), [401, 1])
    t.equal(warnings(), 0)
  })
}

test('before late hooks a foreign origin with a cookie is refused without asking', async (t) => {
  const { status } = await open(t, (app) => void app.addHook('preValidation', restore))
  t.same(await status('POST', 'sid=ann', '{'), [403, 0], 'and before the body is read')
})

for (const [what, hook, order] of [
  ['in preHandler', 'preHandler', 'before'],
  ['by a sign-in that is registered after the kernel', 'preValidation', 'after']
] as const)
  test(`a session restored ${what} is not signed in, with one warning that names the cause`, async (t) => {
    const { status, nav, warnings } = await open(
      t,
      (app) => void app.addHook(hook as 'preHandler', restore),
      order
    )
    t.same(await status('GET', 'sid=ann'), [401, 1])
    for (const _again of [1, 2]) t.not((await nav('sid=ann'))[0], 'shown')
    t.equal(warnings(), 1)
  })
