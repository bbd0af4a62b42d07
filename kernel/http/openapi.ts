// /openapi.json and /docs: every declared route, as it was registered.
import swagger from '@fastify/swagger'
import type { Band } from '@keelson/sdk'
import type { FastifyInstance } from 'fastify'
import { declaredRoute } from '../guards/owner.ts'
import type { OpenKernel } from '../kernel.ts'
import { routeKey } from '../platform/addresses.ts'
import type { PlannedRoute } from '../platform/platform.ts'
import { registerDocs } from './docs-routes.ts'

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

const outcome = (status: string): string => (/^[45]/.test(status) ? 'Error.' : 'Success.')

interface DescribedRoute {
  readonly plugin: string
  readonly planned: PlannedRoute
}

/** Must come before the routes it is to describe. */
export function registerApiDocument(scope: FastifyInstance, kernel: OpenKernel): void {
  const { openapi, docs } = kernel.addresses
  if (openapi === undefined && docs === undefined) return
  const title = kernel.platform.config.shell?.title ?? 'Keelson'
  scope.register(swagger, {
    openapi: {
      openapi: '3.0.3',
      info: { title, version: '1.0.0' },
      components: { securitySchemes: SECURITY_SCHEMES }
    },
    transform: ({ schema, url, route }) => {
      const [found] = [route.method]
        .flat()
        .flatMap((method) => findRoute(kernel, method, url) ?? [])
      if (found === undefined) return { schema: { ...schema, hide: true }, url }
      return { schema: describe(schema as GivenSchema | undefined, found), url }
    }
  })
  if (openapi !== undefined) {
    scope.get(openapi, { schema: { hide: true } }, async (_request, reply) => {
      reply.header('cache-control', 'no-cache')
      return scope.swagger()
    })
  }
  if (docs !== undefined) {
    registerDocs(scope, {
      addresses: { docs, openapi },
      publicOrigin: kernel.originRule.publicOrigin
    })
  }
}

/** The declared route itself, else a wildcard above it. */
function findRoute(
  { running }: OpenKernel,
  method: string,
  url: string
): DescribedRoute | undefined {
  const key = routeKey(method, url)
  const found = running.flatMap(({ plugin, owner }) => {
    const planned = declaredRoute(owner.declared, method, url)
    return planned === undefined ? [] : { plugin: plugin.id, planned }
  })
  return found.find(({ planned }) => planned.key === key) ?? found[0]
}

interface GivenSchema {
  readonly summary?: string
  readonly response?: Readonly<Record<string, object>>
}

function describe(schema: GivenSchema | undefined, { plugin, planned }: DescribedRoute) {
  const { auth, scopes = [], rateLimit } = planned.declared
  // A route below a declared wildcard says itself what it does.
  const isBelow = planned.key.endsWith('/*') && schema?.summary !== undefined
  const summary = isBelow ? schema.summary : planned.declared.summary
  const given = schema?.response
  const limited = rateLimit === undefined ? [] : [429]
  const refusals = [...REFUSALS[auth], ...limited].map((status) => [
    status,
    { description: REFUSAL_WORDS[status], type: 'object' }
  ])
  const answers = Object.entries(given ?? { 200: { type: 'object' } }).map(([status, each]) => [
    status,
    { description: outcome(status), ...each }
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
