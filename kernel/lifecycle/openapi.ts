// /openapi.json and /docs: every declared route, as it was registered.
import {
  type Band,
  type DescribedRoute,
  describedRefusals,
  errorBodySchema,
  type Operation,
  openApiDocument,
  operationOf
} from '@keelson/sdk'
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { OpenApiDocument } from '../http/api-operations.ts'
import { registerDocs } from '../http/docs-routes.ts'
import { HIDDEN } from '../http/hidden.ts'
import { declaredOperation, declaredRoute, isWildcard } from '../http/owner.ts'
import { routeKey } from '../platform/addresses.ts'
import type { PlannedRoute } from '../platform/platform.ts'
import type { OpenKernel } from './kernel.ts'

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

const REFUSAL_WORDS: Readonly<Record<string, string>> = {
  400: 'The request is invalid: `fields` names what is wrong.',
  401: 'Not signed in, or invalid credentials.',
  403: 'The viewer or the token does not have the permission.',
  429: 'Too many requests; see Retry-After.'
}

const outcome = (status: string): string => (/^[45]/.test(status) ? 'Error.' : 'Success.')

interface OwnedRoute {
  readonly plugin: string
  readonly planned: PlannedRoute
}

/** Must come before the routes it is to describe. The document is made at its first request. */
export function registerApiDocument(scope: FastifyInstance, kernel: OpenKernel): void {
  const { openapi, docs } = kernel.addresses
  if (openapi === undefined && docs === undefined) return
  const routes: RouteOptions[] = []
  scope.addHook('onRoute', (route) => {
    // Fastify adds the HEAD of each GET, and the answer to preflights is no operation.
    if (route.method !== 'HEAD' && route.method !== 'OPTIONS') routes.push(route)
  })
  let made: object | undefined
  const document = () => {
    made ??= openApiDocument(
      {
        title: kernel.platform.config.shell?.title ?? 'Keelson',
        version: '1.0.0',
        securitySchemes: SECURITY_SCHEMES
      },
      routes.flatMap((route) => describe(kernel, route))
    )
    return made
  }
  if (openapi !== undefined) {
    scope.get(openapi, HIDDEN, async (_request, reply) => {
      reply.header('cache-control', 'no-cache')
      return document()
    })
  }
  if (docs !== undefined) {
    registerDocs(scope, {
      addresses: { docs, openapi },
      publicOrigin: kernel.originRule.publicOrigin,
      document: document as () => OpenApiDocument
    })
  }
}

/** The declared route itself, else a wildcard above it. */
function findRoute(
  { running }: OpenKernel,
  method: string,
  url: string,
  operation: string | undefined
): OwnedRoute | undefined {
  const key = routeKey(method, url)
  const found = running.flatMap(({ plugin, owner }) => {
    const { declared } = owner
    const planned =
      (operation === undefined ? undefined : declaredOperation(declared, operation)) ??
      declaredRoute(declared, method, url)
    return planned === undefined ? [] : { plugin: plugin.id, planned }
  })
  const isExact = ({ planned }: OwnedRoute) =>
    operation === undefined ? planned.key === key : planned.declared.id === operation
  return found.find(isExact) ?? found[0]
}

interface GivenSchema {
  readonly operationId?: string
  readonly summary?: string
  readonly params?: object
  readonly querystring?: object
  readonly headers?: object
  readonly body?: object
  readonly consumes?: readonly string[]
  readonly response?: Readonly<Record<string, object>>
}

/** None for a route that no plugin declares, and for a mirror of operations: its wildcard describes it. */
function describe(kernel: OpenKernel, route: RouteOptions): readonly DescribedRoute[] {
  const operation = operationOf(route.config)
  const [method = ''] = [route.method].flat()
  const found = findRoute(kernel, method, route.url, operation?.id)
  if (found === undefined || (isWildcard(found.planned) && operation !== undefined)) return []
  const { plugin, planned } = found
  const { auth, permission, scopes = [] } = planned.declared
  const schema = (route.schema ?? {}) as GivenSchema
  const { params, querystring, headers, body, consumes } = schema
  const needs = [
    ...(scopes.length > 0 ? [`Scopes: ${scopes.join(', ')}.`] : []),
    ...(permission === undefined ? [] : [`Permission: ${permission}.`])
  ]
  // A route below a declared wildcard says itself what it does.
  const own = isWildcard(planned) ? schema.summary : undefined
  return [
    {
      operationId: schema.operationId ?? operationIdOf(plugin, method, route.url),
      method,
      path: operation === undefined ? route.url : planned.address,
      summary: own ?? planned.declared.summary,
      ...(needs.length > 0 && { description: needs.join(' ') }),
      tags: [plugin],
      ...(auth !== 'public' && { security: auth === 'admin' ? 'viewer' : auth }),
      ...(params && { params }),
      ...(querystring && { query: querystring }),
      ...(headers && { headers }),
      ...(body && { body }),
      ...(consumes && { bodyTypes: consumes }),
      answers: answersOf(planned, operation, schema)
    }
  ]
}

function answersOf(
  { declared: { auth, rateLimit } }: PlannedRoute,
  operation: Operation<never> | undefined,
  { response = { 200: { type: 'object' } } }: GivenSchema
): DescribedRoute['answers'] {
  const refused = [...REFUSALS[auth], ...(rateLimit === undefined ? [] : [429])]
  return {
    ...Object.fromEntries(
      refused.map((status) => [
        status,
        { description: REFUSAL_WORDS[status] ?? '', schema: errorBodySchema }
      ])
    ),
    ...(operation && describedRefusals(operation.errors, REFUSAL_WORDS)),
    ...Object.fromEntries(
      Object.entries(response).map(([status, schema]) => {
        const { description = outcome(status) } = schema as { readonly description?: string }
        return [status, { description, schema }]
      })
    )
  }
}

/** The id of a route that is not an operation: `agent.get-errors-code` for `GET /agent/errors/:code`. */
function operationIdOf(plugin: string, method: string, address: string): string {
  const words = address.replace('*', 'any').match(/[A-Za-z0-9]+/g) ?? ['root']
  return `${plugin}.${[method.toLowerCase(), ...words].join('-')}`
}
