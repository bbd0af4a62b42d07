// What the log says of requests: patterns of plugins' routes, addresses of the host's.
import { test } from 'tap'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'
import { sampleRoute } from '../testing/sample-manifest.ts'

const PERSON = 'ann%40example.test'
const plugin = samplePlugin('alpha', {
  routes: [
    sampleRoute('GET', '/people/:email'),
    sampleRoute('GET', '/mine', { auth: 'viewer' }),
    sampleRoute('GET', '/fails', { auth: 'viewer' })
  ]
})

type Line = Readonly<Record<string, unknown>>
const urlOf = ({ req }: Line) => (req as { readonly url?: string } | undefined)?.url

async function logged(t: Parameters<typeof fakeHost>[0], options: object = {}) {
  const host = await fakeHost(t, {
    plugins: [plugin],
    before(app) {
      app.get(
        '/of-the-host/:name',
        async (request) => void request.log.info({ req: request }, 'own')
      )
    },
    ...options
  })
  return {
    ...host,
    /** The addresses in the lines of a request. */
    async addresses(url: string, method: 'GET' | 'POST' = 'GET') {
      host.logs.splice(0)
      await host.call({ url, method })
      return host.logs.flatMap((line) => urlOf(line) ?? [])
    }
  }
}

test('requests of plugins are logged by the pattern of their route, those of the host by their address', async (t) => {
  const { addresses } = await logged(t)
  t.same(await addresses(`/alpha/people/${PERSON}`), ['/alpha/people/:email'])
  t.same(await addresses(`/alpha/mine?email=${PERSON}&key=s3cret`), ['/alpha/mine'])
  const own = `/of-the-host/${PERSON}?key=1`
  t.same(await addresses(own), [own, own])
})

test('an address below a plugin without a route is logged without what follows the mount', async (t) => {
  const { addresses } = await logged(t)
  for (const method of ['GET', 'POST'] as const) {
    t.same(await addresses(`/alpha/person/${PERSON}?key=s3cret`, method), ['/alpha/*'])
  }
  t.same(await addresses(`/alpha/people/${PERSON}`, 'POST'), ['/alpha/*'])
  t.same(await addresses('/nowhere?key=1'), ['/nowhere?key=1'], 'the host\u2019s')
})

test('the rest of a line is that of the host’s own serializer', async (t) => {
  const serializers = { req: () => ({ method: 'given', url: 'given', more: 'given' }) }
  const lines: Line[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const { call } = await logged(t, { fastify: { logger: { level: 'info', stream, serializers } } })
  await call({ url: `/alpha/people/${PERSON}` })
  const { req } = lines.find((line) => urlOf(line) !== undefined) ?? {}
  t.same(req, { method: 'given', url: '/alpha/people/:email', more: 'given' })
})
