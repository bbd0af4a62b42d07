// The cookie that tells browsers apart, alone and in a host that has a cookie parser.
import fastifyCookie from '@fastify/cookie'
import Fastify from 'fastify'
import { test } from 'tap'
import { actor, type Running, startHost } from './flow.ts'

const COOKIE = /^oauth_browser=[\w-]{43}; Path=\/oauth; HttpOnly; Secure; SameSite=Lax$/

async function authorizeQuery(running: Running): Promise<string> {
  return `/oauth/authorize?${actor(running, await running.client()).query().query}`
}

const cookiesOf = (header: unknown): string[] => [header ?? []].flat().map(String)

test('a browser gets one cookie, for the protocol routes and hidden from scripts', async (t) => {
  const running = await startHost(t)
  const url = await authorizeQuery(running)
  const headers = { 'x-user': 'u1' }
  const [cookie = '', ...others] = cookiesOf(
    (await running.call('GET', url, { headers })).headers['set-cookie']
  )
  t.match(cookie, COOKIE)
  t.same(others, [])
  const known = `first=1; ${cookie.split(';')[0]}; last=2`
  const again = await running.call('GET', url, { headers: { ...headers, cookie: known } })
  t.match(again, { status: 302, headers: { 'set-cookie': undefined } })
  const invalid = await running.call('GET', url, {
    headers: { ...headers, cookie: 'oauth_browser=guessed' }
  })
  t.match(cookiesOf(invalid.headers['set-cookie'])[0], COOKIE)
})

test('a host with its own cookie parser sends its cookies beside ours', async (t) => {
  const running = await startHost(t)
  const url = await authorizeQuery(running)
  const host = Fastify()
  await host.register(fastifyCookie, { secret: 'a secret of the host' })
  host.addHook('onRequest', async (_request, reply) => {
    reply.setCookie('host', 'signed', { signed: true, path: '/' })
  })
  await host.register(running.host.routes.oauth, { prefix: '/oauth' })
  t.teardown(() => host.close())
  const ask = async (cookie?: string) => {
    const headers = { 'x-user': 'u1', ...(cookie !== undefined && { cookie }) }
    return cookiesOf((await host.inject({ url, headers })).headers['set-cookie']).sort()
  }
  const [hosts, ours = '', ...others] = await ask()
  t.match(hosts, /^host=signed\./)
  t.match(ours, COOKIE)
  t.same(others, [])
  t.match(await ask(ours.split(';')[0]), [/^host=/])
})
