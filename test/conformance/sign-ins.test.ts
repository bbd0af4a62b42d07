// Sign-ins of Fastify apps, unmodified: API and shell agree about each of them. The recipes of docs/sign-in.md.
import { fastifyCookie } from '@fastify/cookie'
import jwt from '@fastify/jwt'
import { Authenticator } from '@fastify/passport'
import session from '@fastify/session'
import keelson, { type ResolveViewer } from '@keelson/kernel'
import { startLocalMongo } from '@keelson/local-mongo'
import { definePlugin, type Manifest } from '@keelson/sdk'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { type Test, test } from 'tap'

const ANN = { id: 'u1', tenant: 'acme', role: 'admin' }
const SECRET = 'a secret of at least thirty-two characters'

const manifest = {
  manifestVersion: 1,
  id: 'things',
  name: 'Things',
  version: '1.0.0',
  kernel: '*',
  description: 'A sample.',
  license: 'MIT',
  routes: [
    { method: 'GET', path: '/api/things', auth: 'viewer', summary: 'Lists things.' },
    { method: 'POST', path: '/api/things', auth: 'admin', summary: 'Adds a thing.' }
  ]
} satisfies Manifest

const things = definePlugin({
  manifest,
  register(host) {
    const handler = async () => ({ ok: true })
    host.route({ method: 'GET', path: '/api/things', handler })
    host.route({ method: 'POST', path: '/api/things', handler })
  }
})

interface SignIn {
  readonly prepare: (app: FastifyInstance) => Promise<void>
  readonly resolveViewer: ResolveViewer
  /** Signs in, and returns the headers of later requests. */
  readonly enter: (app: FastifyInstance) => Promise<Record<string, string>>
}

interface Person {
  readonly id: string
  readonly tenant: string
  readonly role: string
}
const viewerOf = (person: Person) => ({
  tenantId: person.tenant,
  role: person.role,
  viewerRef: `user:${person.id}`
})

async function sessions(app: FastifyInstance): Promise<void> {
  await app.register(fastifyCookie)
  await app.register(session, { secret: SECRET, cookie: { secure: false } })
}

const cookieOf = async (app: FastifyInstance) => {
  const { headers } = await app.inject({ method: 'POST', url: '/enter' })
  return { cookie: String(headers['set-cookie']).split(';', 1)[0] ?? '' }
}

function passport(): SignIn {
  const authenticator = new Authenticator()
  authenticator.registerUserSerializer(async (person: Person) => person.id)
  authenticator.registerUserDeserializer(async (id: string) => (id === ANN.id ? ANN : null))
  return {
    async prepare(app) {
      await sessions(app)
      await app.register(authenticator.initialize())
      await app.register(authenticator.secureSession())
      app.post('/enter', async (request) => request.logIn(ANN as never))
    },
    resolveViewer: (request) => {
      const { user } = request as FastifyRequest & { user?: Person | null }
      return user ? viewerOf(user) : null
    },
    enter: cookieOf
  }
}

const SIGN_INS: Readonly<Record<string, () => SignIn>> = {
  '@fastify/passport': passport,
  '@fastify/session': () => ({
    async prepare(app) {
      await sessions(app)
      app.post('/enter', async (request) => {
        Object.assign(request.session, { person: ANN })
      })
    },
    resolveViewer: (request) => {
      const { person } = request.session as { person?: Person }
      return person ? viewerOf(person) : null
    },
    enter: cookieOf
  }),
  '@fastify/jwt': () => ({
    async prepare(app) {
      await app.register(jwt, { secret: SECRET })
    },
    resolveViewer: (request) => request.jwtVerify<Person>().then(viewerOf, () => null),
    enter: async (app) => ({ authorization: `Bearer ${app.jwt.sign(ANN)}` })
  }),
  // Both read a session from the headers of the request, and ask their own store.
  'better-auth and Auth.js': () => {
    const auth = {
      async getSession({ headers }: { headers: Headers }) {
        return headers.get('cookie') === 'token=1' ? { user: ANN } : null
      }
    }
    return {
      async prepare() {},
      resolveViewer: async ({ headers }) => {
        const found = await auth.getSession({
          headers: new Headers(headers as Record<string, string>)
        })
        return found && viewerOf(found.user)
      },
      enter: async () => ({ cookie: 'token=1' })
    }
  }
}

async function open(t: Test, { prepare, resolveViewer, enter }: SignIn) {
  const app = Fastify()
  t.teardown(() => app.close())
  await prepare(app)
  const engine = await startLocalMongo({ dataDir: t.testdir() })
  t.teardown(() => engine.close())
  const config = { storage: { uri: engine.uri, database: 'sign_ins' } }
  await app.register(keelson, { config, plugins: [things], resolveViewer, role: 'web' })
  await app.ready()
  return { app, signed: await enter(app) }
}

for (const [name, make] of Object.entries(SIGN_INS)) {
  test(`${name}: one request is signed in for the API and for the shell`, async (t) => {
    const { app, signed } = await open(t, make())
    const origin = 'http://localhost'
    const status = async (method: 'GET' | 'POST', headers: Record<string, string>) =>
      (await app.inject({ method, url: '/things/api/things', headers: { ...headers, origin } }))
        .statusCode
    t.same([await status('GET', signed), await status('POST', signed)], [200, 200])
    t.same([await status('GET', {}), await status('POST', {})], [401, 401])
    const nav = async (headers: Record<string, string>) =>
      (await app.inject({ url: '/shell/nav', headers })).json().viewer
    t.match(await nav(signed), { tenantId: 'acme', role: 'admin' })
    t.equal(await nav({}), null)
  })
}
