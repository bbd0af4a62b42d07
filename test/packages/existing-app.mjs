// An app as many are, before the platform came: its own sign-in, policy, API document, metrics, pages and handlers.
import { fastifyCookie } from '@fastify/cookie'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import { Authenticator } from '@fastify/passport'
import session from '@fastify/session'
import swagger from '@fastify/swagger'
import keelson from '@keelson/kernel'
import Fastify from 'fastify'
import metrics from 'fastify-metrics'

const ANN = { id: 'u1', tenant: 'acme', role: 'admin' }
const app = Fastify()

await app.register(helmet)
await app.register(cors, { origin: ['https://partner.example'] })
await app.register(swagger, {
  openapi: { openapi: '3.0.3', info: { title: 'Shop', version: '1.0.0' } },
  // The platform has a document of its own.
  hiddenTag: 'keelson'
})
await app.register(metrics, { endpoint: '/metrics' })
await app.register(fastifyCookie)
await app.register(session, {
  secret: 'a secret of at least thirty-two characters',
  cookie: { secure: false }
})
const people = new Authenticator()
people.registerUserSerializer(async ({ id }) => id)
people.registerUserDeserializer(async (id) => (id === ANN.id ? ANN : null))
await app.register(people.initialize())
await app.register(people.secureSession())

app.setNotFoundHandler((_request, reply) => reply.code(404).send('no such page of the shop'))
app.setErrorHandler((_error, _request, reply) => reply.code(500).send('the shop is sorry'))
app.get('/', () => 'the shop')
app.get('/health', () => 'of the shop')
app.get('/docs.json', () => app.swagger())
app.get('/fails', () => {
  throw new Error('out of stock')
})
app.post('/orders', () => 'ordered')
app.post('/enter', async (request) => {
  await request.logIn(ANN)
  return 'welcome'
})

await app.register(keelson, {
  prefix: '/platform',
  config: {
    storage: { dataDir: 'data' },
    auth: { embedOrigins: ['https://admin.example'] },
    plugins: { telemetry: {}, 'telemetry-dashboard': { mount: '/telemetry' } }
  },
  resolveViewer: ({ user }) =>
    user ? { tenantId: user.tenant, role: user.role, viewerRef: `user:${user.id}` } : null
})

process.stdout.write(await app.listen({ host: '127.0.0.1', port: 0 }))
process.stdin.resume().once('end', () => app.close())
