// The administration of agent tokens on an app without the kernel, behind the sign-in of its host.
import { bindOperations, operationRoutes, originOf } from '@keelson/sdk'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { type TokenHost, tokenOperations } from '../operations/token-operations.ts'

/** Options of `createAgentAdmin`. */
export interface AgentAdminOptions {
  /** The actor for the audit log. Default: `human:` and the email of `request.user`, or `anonymous`. */
  readonly getActor?: (request: FastifyRequest) => string
  /** Whether the caller has a permission of the mailer, as `mailer.publish`. Default: each. */
  readonly may?: (request: FastifyRequest, permission: string) => boolean | Promise<boolean>
}

/** The routes, as a Fastify plugin: `/admin/tokens` below its prefix. */
export function tokenAdminRoutes(
  host: TokenHost,
  { getActor = signedIn, may = () => true }: AgentAdminOptions
): FastifyPluginAsync {
  return async (app) => {
    const closing = new AbortController()
    app.addHook('preClose', async () => closing.abort())
    const routes = operationRoutes(bindOperations(tokenOperations, host), ({ path }) => ({
      url: path,
      closing: closing.signal,
      actorOf: (request) => ({
        tenantId: '*',
        name: getActor(request),
        via: 'host',
        ...originOf(request)
      }),
      may
    }))
    await app.register(routes)
  }
}

function signedIn(request: FastifyRequest): string {
  const { user } = request as { readonly user?: { readonly email?: unknown } }
  return `human:${typeof user?.email === 'string' ? user.email : 'anonymous'}`
}
