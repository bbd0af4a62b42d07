// A running OAuth host in a plain Fastify app, and a browser and a client that talk to it.
import { createHash, randomBytes } from 'node:crypto'
import { accessOf } from '@keelson/sdk/contracts/oauth-protect'
import { type Teardown, testDatabase } from '@keelson/sdk/testing'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Db } from 'mongodb'
import type { ClientFields } from '../clients/client-fields.ts'
import type { CreatedClient } from '../clients/client-store.ts'
import type { OAuthEvent } from '../config/host-code.ts'
import type { OAuthHostConfig } from '../config/schema.ts'
import { createOAuthParts } from '../create-oauth-host.ts'
import type { OAuthParts } from '../oauth-host.ts'

export const ISSUER = 'https://id.example.test'
export const API = `${ISSUER}/api`
export const OTHER = `${ISSUER}/other`
export const CALLBACK = 'https://app.example.test/cb'

export const random = (): string => randomBytes(32).toString('base64url')
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')
export const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`
})
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape, looked at by assertions
  readonly json: any
}

export interface TestClock {
  now(): Date
  advance(seconds: number): void
}

export interface Running {
  readonly app: FastifyInstance
  readonly parts: OAuthParts
  readonly host: OAuthParts['host']
  readonly db: Db
  readonly clock: TestClock
  readonly events: OAuthEvent[]
  readonly warnings: object[]
  commands(): string[]
  client(more?: Partial<ClientFields>): Promise<CreatedClient>
  call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS',
    url: string,
    options?: {
      readonly headers?: Record<string, string>
      readonly form?: Form
      readonly json?: unknown
      readonly raw?: string
      readonly ip?: string
    }
  ): Promise<Answer>
}

export type Form = Readonly<Record<string, string | readonly string[] | undefined>>

export function formOf(fields: Form): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value ?? []].flat()) params.append(name, one)
  }
  return params.toString()
}

const SCOPES = ['openid', 'profile', 'email', 'offline_access', 'read', 'write']

/** The host's app, with three guarded routes beside the protocol. */
function appOf(parts: OAuthParts): FastifyInstance {
  const app = Fastify({ routerOptions: { maxParamLength: 1024 } })
  app.register(parts.host.routes.discovery)
  app.register(parts.host.routes.oauth, { prefix: '/oauth' })
  const answer = async (request: Parameters<typeof accessOf>[0]) => accessOf(request)
  const { resources } = parts.services.settings
  if (resources.has(OTHER)) {
    app.get('/other', { preHandler: parts.host.protect(['read'], { resource: OTHER }) }, answer)
  }
  app.get('/api/read', { preHandler: parts.host.protect(['read']) }, answer)
  app.get('/api/write', { preHandler: parts.host.protect(['read', 'write']) }, answer)
  return app
}

const callOf =
  (app: FastifyInstance): Running['call'] =>
  async (method, url, { headers = {}, form, json, raw, ip } = {}) => {
    const payload = raw ?? (form === undefined ? json : formOf(form))
    const isForm = form !== undefined || (raw !== undefined && !('content-type' in headers))
    const type = isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
    const response = await app.inject({
      method,
      url,
      headers: { host: 'id.example.test', ...type, ...headers },
      ...(payload !== undefined && { payload: payload as string | object }),
      ...(ip !== undefined && { remoteAddress: ip })
    })
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.payload,
      json: readJson(response.payload)
    }
  }

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function movableClock(): TestClock {
  let now = Date.now()
  return {
    now: () => new Date(now),
    advance: (seconds) => {
      now += seconds * 1000
    }
  }
}

/** People are named by a header, and signed in since the host started unless another says when. */
const peopleFrom = (signedInAt: Date): Pick<OAuthHostConfig, 'resolveUser' | 'loadUser'> => ({
  resolveUser: ({ headers }) => {
    const id = headers['x-user']
    const at = headers['x-auth-time']
    if (typeof id !== 'string') return null
    const authTime = typeof at === 'string' ? new Date(Number(at)) : signedInAt
    return { id, email: `${id}@example.test`, displayName: `User ${id}`, authTime }
  },
  loadUser: (id) => ({ id, email: `${id}@example.test`, displayName: `User ${id}` })
})

export async function startHost(
  t: Teardown,
  more: Partial<OAuthHostConfig> = {}
): Promise<Running> {
  const { db, commands } = await testDatabase(t)
  const clock = movableClock()
  const events: OAuthEvent[] = []
  const warnings: object[] = []
  const warn = (fields: object) => void warnings.push(fields)
  const parts = createOAuthParts({
    issuer: ISSUER,
    connection: db,
    resources: [
      { id: API, label: 'API', scopes: ['read', 'write'] },
      { id: OTHER, label: 'Other', scopes: ['read'] }
    ],
    scopes: SCOPES.map((id) => ({ id, label: id, sensitive: id === 'write' })),
    consentUrl: '/consent',
    loginUrl: '/login',
    ...peopleFrom(clock.now()),
    // One kind of key alone: an RSA key takes long to make.
    signing: { autoGenerate: true, algorithms: ['ES256'] },
    rateLimits: { token: false, authorize: false, consent: false },
    track: (event) => void events.push(event),
    logger: { warn, error: warn },
    clock,
    ...more
  })
  const app = appOf(parts)
  await parts.host.syncIndexes()
  await app.ready()
  t.teardown(() => app.close())
  const { host } = parts
  const usual = { name: 'Test client', redirectUris: [CALLBACK], allowedScopes: SCOPES }
  return {
    app,
    parts,
    host,
    db,
    clock,
    events,
    warnings,
    commands,
    client: (fields = {}) => host.clients.create({ ...usual, ...fields }),
    call: callOf(app)
  }
}

export interface Actor {
  /** Query of a right authorization request; `undefined` takes a parameter out. */
  query(more?: Form): { readonly query: string; readonly verifier: string }
  authorize(more?: Form, headers?: Record<string, string>): Promise<Answer>
  toConsent(more?: Form): Promise<{ readonly requestId: string; readonly verifier: string }>
  consent(requestId: string, headers?: Record<string, string>): Promise<Answer>
  decide(requestId: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  toCode(
    more?: Form,
    decision?: object
  ): Promise<{ readonly code: string; readonly verifier: string }>
  redeem(
    pair: { readonly code: string; readonly verifier: string },
    more?: Form,
    headers?: Record<string, string>
  ): Promise<Answer>
  refresh(token: string, more?: Form, headers?: Record<string, string>): Promise<Answer>
  /** A client route with the client's own credentials. */
  post(path: string, form: Form, headers?: Record<string, string>): Promise<Answer>
  // biome-ignore lint/suspicious/noExplicitAny: the token response, looked at by assertions
  tokens(more?: Form, decision?: object): Promise<any>
  userinfo(token: string): Promise<Answer>
  /** Headers of this person's browser, cookies included. */
  browser(): Record<string, string>
}

interface Jar {
  headers(): Record<string, string>
  readonly browse: Running['call']
}

/** A browser of one person that keeps its cookie. */
function browserOf(running: Running, user: string): Jar {
  let cookie = ''
  const headers = () => ({ 'x-user': user, ...(cookie !== '' && { cookie }) })
  return {
    headers,
    async browse(method, url, options = {}) {
      const answer = await running.call(method, url, {
        ...options,
        headers: { ...headers(), origin: ISSUER, ...options.headers }
      })
      const [set] = [answer.headers['set-cookie'] ?? []].flat()
      if (typeof set === 'string') cookie = set.split(';')[0] ?? ''
      return answer
    }
  }
}

/** One person in one browser, with one client. */
export function actor(
  running: Running,
  client: CreatedClient,
  user = 'u1',
  callback = CALLBACK
): Actor {
  const self: Actor = {
    ...askingActor(browserOf(running, user), client, callback),
    ...clientActor(running, client, callback),
    async tokens(more, decision) {
      const { status, json, text } = await self.redeem(await self.toCode(more, decision))
      if (status !== 200) throw new Error(`no tokens: ${status} ${text}`)
      return json
    }
  }
  return self
}

type Asking = 'query' | 'authorize' | 'toConsent' | 'consent' | 'decide' | 'toCode' | 'browser'

/** The person's half: asks, looks, decides. */
function askingActor(
  { browse, headers: browser }: Jar,
  { clientId }: CreatedClient,
  callback: string
): Pick<Actor, Asking> {
  const self: Pick<Actor, Asking> = {
    browser,
    query(more = {}) {
      const verifier = random()
      const query = formOf({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: callback,
        scope: 'openid',
        state: 'a state',
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
        ...more
      })
      return { query, verifier }
    },
    authorize: (more, headers = {}) =>
      browse('GET', `/oauth/authorize?${self.query(more).query}`, { headers }),
    async toConsent(more) {
      const { query, verifier } = self.query(more)
      const { headers, text, status } = await browse('GET', `/oauth/authorize?${query}`)
      const requestId = new URL(String(headers['location']), ISSUER).searchParams.get('request_id')
      if (requestId === null) throw new Error(`no consent: ${status} ${text}`)
      return { requestId, verifier }
    },
    consent: (requestId, headers = {}) => browse('GET', `/oauth/consent/${requestId}`, { headers }),
    decide: (requestId, json, headers = {}) =>
      browse('POST', `/oauth/consent/${requestId}`, { json, headers }),
    async toCode(more, decision = { approve: true }) {
      const { requestId, verifier } = await self.toConsent(more)
      const { json, text } = await self.decide(requestId, decision)
      const code = new URL(json.redirectTo).searchParams.get('code')
      if (code === null) throw new Error(`no code: ${text}`)
      return { code, verifier }
    }
  }
  return self
}

/** The client's half: talks to the client routes with its own credentials. */
function clientActor(
  running: Running,
  { clientId, clientSecret }: CreatedClient,
  callback: string
): Pick<Actor, 'post' | 'redeem' | 'refresh' | 'userinfo'> {
  const own = (form: Form) => (clientSecret === undefined ? { client_id: clientId, ...form } : form)
  const auth = () => (clientSecret === undefined ? {} : basic(clientId, clientSecret))
  const post: Actor['post'] = (path, form, headers = {}) =>
    running.call('POST', `/oauth${path}`, { form: own(form), headers: { ...auth(), ...headers } })
  return {
    post,
    redeem({ code, verifier }, more = {}, headers) {
      const grant = { grant_type: 'authorization_code', redirect_uri: callback }
      return post('/token', { ...grant, code, code_verifier: verifier, ...more }, headers)
    },
    refresh: (token, more = {}, headers) =>
      post('/token', { grant_type: 'refresh_token', refresh_token: token, ...more }, headers),
    userinfo: (token) => running.call('GET', '/oauth/userinfo', { headers: bearer(token) })
  }
}

/** The parameters of a redirect back to the client. */
export const back = (answer: Answer): Readonly<Record<string, string>> =>
  Object.fromEntries(new URL(String(answer.headers['location']), ISSUER).searchParams)
