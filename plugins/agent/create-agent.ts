// createAgent and createAgentRouter: the plugin beside a mailer without the kernel, on any Fastify app.
import type { StandaloneHost } from '@keelson/kernel/standalone'
import { definePlugin, type Host } from '@keelson/sdk'
import type { FastifyPluginAsync } from 'fastify'
import {
  type AgentOptions,
  type AgentSeams,
  createAgentParts,
  seamsOf,
  tokenHostOf
} from './agent-parts.ts'
import { createMcpRoutes, type McpOptions } from './mcp/mcp-routes.ts'
import { declaredOperations } from './operations/all-operations.ts'
import manifest from './plugin.json' with { type: 'json' }
import { createRouter } from './routes/router.ts'
import { type AgentAdminOptions, tokenAdminRoutes } from './routes/token-admin.ts'

/** The part of a mailer that the agent API needs: where it runs. `Mailer.init` makes one. */
export interface AgentMailer {
  readonly host: StandaloneHost
}

/** The agent API in both forms, with what they share. */
export interface Agent {
  /** Routes: register it with a prefix, where the host's sign-in does not reach. */
  readonly router: FastifyPluginAsync
  /** The same operations for MCP clients: register it with the prefix `/mcp`. */
  mcp(options?: McpOptions): FastifyPluginAsync
  /** Tokens that administrators make: register it behind the host's sign-in of administrators. */
  admin(options?: AgentAdminOptions): FastifyPluginAsync
}

/**
 * Makes the agent API. Answers to requests with an Idempotency-Key are in the database of the mailer.
 *
 * @throws AGT_NO_TOKEN, AGT_TOKEN_SHORT, AGT_TOKEN_TAKEN, AGT_ACTOR_BLANK
 */
export function createAgent(mailer: AgentMailer, options: AgentOptions): Agent {
  return createAgentOn(options, seamsBeside(mailer))
}

/** The same, on what a test puts in the place of the host. */
export function createAgentOn(options: AgentOptions, seams: AgentSeams): Agent {
  const parts = createAgentParts(options, seams)
  return {
    router: createRouter(parts),
    mcp: (mcpOptions = {}) => createMcpRoutes(parts, mcpOptions),
    admin: (adminOptions = {}) => tokenAdminRoutes(parts.tokenHost, adminOptions)
  }
}

/**
 * Makes the routes alone: a Fastify plugin, to be registered where the host's sign-in does not reach.
 *
 * @throws AGT_NO_TOKEN, AGT_TOKEN_SHORT, AGT_TOKEN_TAKEN, AGT_ACTOR_BLANK
 */
export function createAgentRouter(mailer: AgentMailer, options: AgentOptions): FastifyPluginAsync {
  return createAgent(mailer, options).router
}

/**
 * Makes the administration of tokens alone: a Fastify plugin with `/admin/tokens`, to be registered behind the host's
 * sign-in of administrators. What they make is taken by `createAgentRouter` of the same mailer.
 */
export const createAgentAdmin = (
  mailer: AgentMailer,
  options: AgentAdminOptions = {}
): FastifyPluginAsync => tokenAdminRoutes(tokenHostOf(seamsBeside(mailer)), options)

/** The plugin beside the mailer; its collection is opened with the first request that needs it. */
export const seamsBeside = ({ host }: AgentMailer): AgentSeams =>
  seamsOf(pluginOn(host), () => host.open())

/** Several APIs of one mailer are one plugin. */
const added = new WeakMap<StandaloneHost, Host>()

function pluginOn(standalone: StandaloneHost): Host {
  const known = added.get(standalone)
  if (known !== undefined) return known
  const host = standalone.add(
    definePlugin({ manifest, operations: declaredOperations, register: () => undefined })
  )
  added.set(standalone, host)
  return host
}
