// /openapi.json and /docs: every declared route, as it was registered.
import swagger from '@fastify/swagger'
import type { Band } from '@keelson/sdk'
import type { FastifyInstance } from 'fastify'
import type { OpenKernel } from '../kernel.ts'
import { routeKey } from '../platform/addresses.ts'
import { below } from '../platform/kernel-addresses.ts'
import type { PlannedRoute } from '../platform/platform.ts'
import { DOCS_STYLES, type DocsAddresses, docsPage, type OpenApiDocument } from './docs-page.ts'

const SECURITY_SCHEMES = {
  viewer: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description: 'A session of this host. Changes also need an Origin of this host.'
  },
  machine: {
    type: 'http',
    scheme: 'bearer',
    description: "The plugin's own credentials: a token or a signature, as the plugin says."
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'An OAuth access token.' }
} as const

/** What a route that failed its guard answers, by band. */
const REFUSALS: Readonly<Record<Band, readonly number[]>> = {
  public: [],
  viewer: [401],
  admin: [401, 403],
  machine: [401],
  bearer: [401, 403]
}

const REFUSAL_WORDS: Readonly<Record<number, string>> = {
  401: 'Not signed in, or invalid credentials.',
  403: 'The viewer or the token does not have the permission.',
  429: 'Too many requests; see Retry-After.'
}

const WORKED = 'Success.'

interface DescribedRoute {
  readonly plugin: string
  readonly planned: PlannedRoute
}

/** Must come before the routes it is to describe. */
export function registerApiDocument(scope: FastifyInstance, kernel: OpenKernel): void {
  const { openapi, docs } = kernel.addresses
  if (openapi === undefined && docs === undefined) return
  const title = kernel.platform.config.shell?.title ?? 'Keelson'
  let described: ReadonlyMap<string, DescribedRoute> | undefined
  scope.register(swagger, {
    openapi: {
      openapi: '3.0.3',
      info: { title, version: '1.0.0' },
      components: { securitySchemes: SECURITY_SCHEMES }
    },
    transform: ({ schema, url, route }) => {
      described ??= describeRoutes(kernel)
      const found = [route.method]
        .flat()
        .flatMap((each) => described?.get(routeKey(each, url)) ?? [])
      const [first] = found
      if (first === undefined) return { schema: { ...schema, hide: true }, url }
      return { schema: describe(schema as object | undefined, first), url }
    }
  })
  if (openapi !== undefined) {
    scope.get(openapi, { schema: { hide: true } }, async (_request, reply) => {
      reply.header('cache-control', 'no-cache')
      return scope.swagger()
    })
  }
  if (docs !== undefined) registerDocs(scope, { docs, openapi })
}

function describeRoutes(kernel: OpenKernel): Map<string, DescribedRoute> {
  return new Map(
    kernel.running.flatMap(({ plugin }) =>
      plugin.routes.map((planned) => [planned.key, { plugin: plugin.id, planned }] as const)
    )
  )
}

function describe(schema: object | undefined, { plugin, planned }: DescribedRoute) {
  const { summary, auth, scopes = [], rateLimit } = planned.declared
  const given = (schema as { response?: Readonly<Record<string, object>> } | undefined)?.response
  const limited = rateLimit === undefined ? [] : [429]
  const refusals = [...REFUSALS[auth], ...limited].map((status) => [
    status,
    { description: REFUSAL_WORDS[status], type: 'object' }
  ])
  const answers = Object.entries(given ?? { 200: { type: 'object' } }).map(([status, each]) => [
    status,
    { description: WORKED, ...each }
  ])
  return {
    ...schema,
    summary,
    tags: [plugin],
    ...(scopes.length > 0 && { description: `Scopes: ${scopes.join(', ')}.` }),
    ...(auth !== 'public' && { security: [{ [auth === 'admin' ? 'viewer' : auth]: [] }] }),
    response: { ...Object.fromEntries(refusals), ...Object.fromEntries(answers) }
  }
}

function registerDocs(scope: FastifyInstance, addresses: DocsAddresses): void {
  const hidden = { schema: { hide: true } } as const
  scope.get(addresses.docs, hidden, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'self'; base-uri 'none'; frame-ancestors 'none'"
      )
      .send(docsPage(scope.swagger() as unknown as OpenApiDocument, addresses))
  )
  scope.get(below(addresses.docs, '/docs.css'), hidden, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(DOCS_STYLES)
  )
}
