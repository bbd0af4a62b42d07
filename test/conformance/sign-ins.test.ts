// Sign-ins of Fastify apps, unmodified: API and shell agree about each of them. The recipes of docs/sign-in.md.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Auth, type AuthConfig, createActionURL } from '@auth/core'
import credentials from '@auth/core/providers/credentials'
import { fastifyCookie } from '@fastify/cookie'
import jwt from '@fastify/jwt'
import { Authenticator } from '@fastify/passport'
import session from '@fastify/session'
import keelson, { type ResolveViewer } from '@keelson/kernel'
import { startLocalMongo } from '@keelson/local-mongo'
import { definePlugin, type Manifest } from '@keelson/sdk'
import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { fromNodeHeaders } from 'better-auth/node'
import Fastify, { type FastifyInstance } from 'fastify'
import { fastifyPlugin } from 'fastify-plugin'
import { type Test, test } from 'tap'
import { ROOT } from '../hosts/processes.ts'

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

async function sessions(app: FastifyInstance): Promise<void> {
  await app.register(fastifyCookie)
  await app.register(session, { secret: SECRET, cookie: { secure: false } })
}

const cookieOf = async (app: FastifyInstance) => {
  const { headers } = await app.inject({ method: 'POST', url: '/enter' })
  return { cookie: String(headers['set-cookie']).split(';', 1)[0] ?? '' }
}

/** The whole set-up of the documentation; what it gives the kernel is taken when it registers it. */
function passport(): SignIn {
  const authenticator = new Authenticator()
  authenticator.registerUserSerializer(async (person: Person) => person.id)
  authenticator.registerUserDeserializer(async (id: string) => (id === ANN.id ? ANN : null))
  let resolveViewer: ResolveViewer = () => null
  return {
    async prepare(app) {
      const names = {
        app,
        fastifyCookie,
        // Its cookies are for https alone, which these requests are not.
        fastifySession: fastifyPlugin(async (scope, options: { readonly secret: string }) => {
          await scope.register(session, { ...options, cookie: { secure: false } })
        }),
        passport: authenticator,
        process: { env: { SESSION_SECRET: SECRET } },
        keelson: async (_: FastifyInstance, options: { resolveViewer: ResolveViewer }) => {
          resolveViewer = options.resolveViewer
        }
      }
      const setUp = `return (async () => {${codeOf('@fastify/passport')}})()`
      await new Function(...Object.keys(names), setUp)(...Object.values(names))
      app.post('/enter', async (request) => request.logIn(ANN as never))
    },
    resolveViewer: (request) => resolveViewer(request),
    enter: cookieOf
  }
}

/** The example of a section of the documentation. */
function codeOf(section: string): string {
  const text = readFileSync(join(ROOT, 'docs', 'sign-in.md'), 'utf8')
  const [, code = ''] = text.split(`## ${section}\n`)[1]?.match(/```js\n(.*?)```/s) ?? []
  return code
}

/** The recipe of a section of the documentation, run with the names that it uses. */
function recipe(section: string, names: Readonly<Record<string, unknown>> = {}): ResolveViewer {
  const { resolveViewer } = new Function(...Object.keys(names), `return {${codeOf(section)}}`)(
    ...Object.values(names)
  ) as { resolveViewer: ResolveViewer }
  return resolveViewer
}

/** A route for a library that answers web requests. */
function serveWeb(
  app: FastifyInstance,
  path: string,
  answer: (asked: Request) => Promise<Response>
) {
  app.register(async (scope) => {
    // As the body came: forms and JSON are for the library to read.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body)
    )
    scope.route({
      method: ['GET', 'POST'],
      url: `${path}/*`,
      async handler(request, reply) {
        const { method, url, host, protocol, body } = request
        const headers = fromNodeHeaders(request.headers)
        const init = { method, headers, ...(typeof body === 'string' && { body }) }
        const found = await answer(new Request(`${protocol}://${host}${url}`, init))
        reply.code(found.status)
        for (const [name, value] of found.headers) reply.header(name, value)
        return reply.send(await found.text())
      }
    })
  })
}

/** The cookies of an answer, as a browser sends them back. */
const cookiesOf = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((line) => String(line).split(';', 1)[0])
    .join('; ')

function betterAuthSignIn(): SignIn {
  const auth = betterAuth({
    baseURL: 'http://localhost',
    basePath: '/api/auth',
    secret: SECRET,
    telemetry: { enabled: false },
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    emailAndPassword: { enabled: true },
    user: {
      additionalFields: {
        tenant: { type: 'string', defaultValue: ANN.tenant, input: false },
        role: { type: 'string', defaultValue: ANN.role, input: false }
      }
    }
  })
  return {
    prepare: async (app) => serveWeb(app, '/api/auth', (asked) => auth.handler(asked)),
    resolveViewer: recipe('better-auth', { auth, fromNodeHeaders }),
    async enter(app) {
      const person = { email: 'ann@acme.test', password: SECRET, name: 'Ann' }
      const ask = (act: string) =>
        app.inject({
          method: 'POST',
          url: `/api/auth/${act}/email`,
          headers: { origin: 'http://localhost' },
          payload: person
        })
      await ask('sign-up')
      return { cookie: cookiesOf(await ask('sign-in')) }
    }
  }
}

function authJsSignIn(): SignIn {
  const authConfig: AuthConfig = {
    basePath: '/auth',
    secret: SECRET,
    trustHost: true,
    providers: [
      credentials({
        credentials: { email: {}, password: {} },
        authorize: ({ password }) => (password === SECRET ? ANN : null)
      })
    ],
    callbacks: {
      jwt: ({ token, user }) => ({ ...token, ...user }),
      session({ session: given, token: { id, tenant, role } }) {
        return { ...given, user: { ...given.user, id, tenant, role } } as never
      }
    }
  }
  return {
    prepare: async (app) => serveWeb(app, '/auth', (asked) => Auth(asked, authConfig)),
    resolveViewer: recipe('Auth.js', { Auth, createActionURL, authConfig }),
    async enter(app) {
      const asked = await app.inject('/auth/csrf')
      const { csrfToken } = asked.json<{ csrfToken: string }>()
      const entered = await app.inject({
        method: 'POST',
        url: '/auth/callback/credentials',
        headers: {
          cookie: cookiesOf(asked),
          'content-type': 'application/x-www-form-urlencoded'
        },
        payload: new URLSearchParams({ csrfToken, password: SECRET }).toString()
      })
      return { cookie: cookiesOf(entered) }
    }
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
    resolveViewer: recipe('@fastify/session'),
    enter: cookieOf
  }),
  '@fastify/jwt': () => ({
    async prepare(app) {
      await app.register(jwt, { secret: SECRET })
    },
    resolveViewer: recipe('@fastify/jwt'),
    enter: async (app) => ({ authorization: `Bearer ${app.jwt.sign(ANN)}` })
  }),
  'better-auth': betterAuthSignIn,
  'Auth.js': authJsSignIn
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
