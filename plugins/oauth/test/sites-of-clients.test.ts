// From which sites pages may use the tokens of a client: those where it has a callback.
import Fastify from 'fastify'
import { test } from 'tap'
import { isSiteOf } from '../clients/redirect-uris.ts'
import { API, actor, bearer, startHost } from './flow.ts'

const WEB = ['https://app.example.test/cb', 'https://app.example.test:8443/cb']
const LOCAL = ['http://127.0.0.1/callback']
const APP = ['com.example.app:/cb', 'cursor://anysphere.cursor-mcp/oauth/callback']

for (const [callbacks, origin, expected] of [
  [WEB, 'https://app.example.test', true],
  [WEB, 'https://app.example.test:8443', true],
  [WEB, 'https://app.example.test:443', false],
  [WEB, 'https://app.example.test/', false],
  [WEB, 'https://app.example.test.evil.test', false],
  [WEB, 'https://evil.test', false],
  [WEB, 'http://app.example.test', false],
  [WEB, 'http://localhost:6274', false],
  [LOCAL, 'http://127.0.0.1:6274', true],
  [LOCAL, 'http://localhost:6274', true],
  [LOCAL, 'http://[::1]:6274', true],
  [LOCAL, 'http://localhost.evil.test', false],
  [LOCAL, 'https://localhost:6274', false],
  [APP, 'null', false],
  [APP, 'com.example.app://', false],
  [APP, 'cursor://anysphere.cursor-mcp', false],
  [APP, '', false],
  [[], 'https://app.example.test', false]
] as const) {
  test(`"${origin}" is ${expected ? '' : 'not '}a site of ${callbacks.join(', ') || 'a client without callbacks'}`, async (t) => {
    t.equal(isSiteOf(callbacks, origin), expected)
  })
}

test('a protection knows the sites of the client whose token it let in', async (t) => {
  const running = await startHost(t)
  const { protect } = running.parts.host
  const protection = protect(['read'], { resource: API })
  const seen: unknown[] = []
  const app = Fastify()
  t.teardown(() => app.close())
  app.get('/', async (request, reply) => {
    await protection(request, reply)
    for (const origin of ['https://app.example.test', 'https://evil.test'])
      seen.push(await protection.isSiteOfClient?.(request, origin))
    return reply.sent ? reply : {}
  })
  const { access_token } = await actor(running, await running.client()).tokens({ scope: 'read' })
  await app.inject({ url: '/', headers: bearer(access_token) })
  t.same(seen.splice(0), [true, false])
  await app.inject({ url: '/', headers: bearer('dead') })
  t.same(seen, [false, false], 'without a token there is no client')
})
