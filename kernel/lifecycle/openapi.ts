// /openapi.json and /docs: every declared route, as it was registered.
import swagger from '@fastify/swagger'
import {
  type Band,
  errorBodySchema,
  type Operation,
  operationOf,
  sharedSchemas
} from '@keelson/sdk'
import type { FastifyInstance } from 'fastify'
import { registerDocs } from '../http/docs-routes.ts'
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
      const operation = operationOf(route.config)
      const [method = ''] = [route.method].flat()
      const found = findRoute(kernel, method, url, operation?.id)
      // A mirror of operations is described by its wildcard.
      const isMirror = found !== undefined && isWildcard(found.planned) && operation !== undefined
      if (found === undefined || isMirror) return { schema: { ...schema, hide: true }, url }
      const { address } = found.planned
      return {
        schema: describe(schema as GivenSchema | undefined, found, { operation, method, url }),
        url: operation === undefined ? url : address
      }
    }
  })
  let document: object | undefined
  if (openapi !== undefined) {
    scope.get(openapi, { schema: { hide: true } }, async (_request, reply) => {
      reply.header('cache-control', 'no-cache')
      document ??= sharedSchemas(scope.swagger())
      return document
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
  url: string,
  operation: string | undefined
): DescribedRoute | undefined {
  const key = routeKey(method, url)
  const found = running.flatMap(({ plugin, owner }) => {
    const { declared } = owner
    const planned =
      (operation === undefined ? undefined : declaredOperation(declared, operation)) ??
      declaredRoute(declared, method, url)
    return planned === undefined ? [] : { plugin: plugin.id, planned }
  })
  const isExact = ({ planned }: DescribedRoute) =>
    operation === undefined ? planned.key === key : planned.declared.id === operation
  return found.find(isExact) ?? found[0]
}

interface GivenSchema {
  readonly operationId?: string
  readonly summary?: string
  readonly response?: Readonly<Record<string, object>>
}

interface DescribedCall {
  readonly operation: Operation<never> | undefined
  readonly method: string
  readonly url: string
}

function describe(
  schema: GivenSchema | undefined,
  { plugin, planned }: DescribedRoute,
  { operation, method, url }: DescribedCall
) {
  const { auth, scopes = [], permission, rateLimit } = planned.declared
  // A route below a declared wildcard says itself what it does.
  const isBelow = isWildcard(planned) && schema?.summary !== undefined
  const summary = isBelow ? schema.summary : planned.declared.summary
  const limited = rateLimit === undefined ? [] : [429]
  const refusals = [...REFUSALS[auth], ...limited].map((status) => [
    status,
    { description: REFUSAL_WORDS[status], ...errorBodySchema }
  ])
  const answers = Object.entries(schema?.response ?? { 200: { type: 'object' } }).map(
    ([status, each]) => [status, { description: outcome(status), ...each }]
  )
  const needs = [
    ...(scopes.length > 0 ? [`Scopes: ${scopes.join(', ')}.`] : []),
    ...(permission === undefined ? [] : [`Permission: ${permission}.`])
  ]
  return {
    ...schema,
    operationId: schema?.operationId ?? operationIdOf(plugin, method, url),
    summary,
    tags: [plugin],
    ...(needs.length > 0 && { description: needs.join(' ') }),
    ...(auth !== 'public' && { security: [{ [auth === 'admin' ? 'viewer' : auth]: [] }] }),
    response: {
      ...Object.fromEntries(refusals),
      ...(operation && refusalsOf(operation)),
      ...Object.fromEntries(answers)
    }
  }
}

/** The refusals of an operation by status, each with its words. */
function refusalsOf(operation: Operation<never>): Readonly<Record<string, object>> {
  const byStatus = new Map<number, string[]>([[400, []]])
  for (const [word, { status, message }] of Object.entries(operation.errors)) {
    byStatus.set(status, [...(byStatus.get(status) ?? []), `${word}: ${message}`])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, words]) => {
      const usual = REFUSAL_WORDS[status]
      const description = [...(usual === undefined ? [] : [usual]), ...words].join(' ')
      return [status, { ...errorBodySchema, description }]
    })
  )
}

/** The id of a route that is not an operation: `agent.get-errors-code` for `GET /agent/errors/:code`. */
function operationIdOf(plugin: string, method: string, address: string): string {
  const words = address.replace('*', 'any').match(/[A-Za-z0-9]+/g) ?? ['root']
  return `${plugin}.${[method.toLowerCase(), ...words].join('-')}`
}
