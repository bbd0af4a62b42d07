// createAgent and createAgentRouter: the agent API on any Fastify app.
import type { AdminMailer } from '@keelson/mailer'
import type { FastifyPluginAsync } from 'fastify'
import { type AgentOptions, createAgentParts } from './agent-parts.ts'
import { createMcpRoutes, type McpOptions } from './mcp/mcp-routes.ts'
import { createRouter } from './routes/router.ts'

/** The agent API in both forms, with what they share. */
export interface Agent {
  /** Routes: register it with a prefix, where the host's sign-in does not reach. */
  readonly router: FastifyPluginAsync
  /** The same operations for MCP clients: register it with the prefix `/mcp`. */
  mcp(options?: McpOptions): FastifyPluginAsync
}

/**
 * Makes the agent API.
 *
 * @throws AGT_NO_TOKEN, AGT_TOKEN_SHORT, AGT_TOKEN_TAKEN, AGT_ACTOR_BLANK
 */
export function createAgent(mailer: AdminMailer, options: AgentOptions): Agent {
  const parts = createAgentParts(mailer, options)
  return {
    router: createRouter(parts),
    mcp: (mcpOptions = {}) => createMcpRoutes(parts, mcpOptions)
  }
}

/**
 * Makes the routes alone: a Fastify plugin, to be registered where the host's sign-in does not reach.
 *
 * @throws AGT_NO_TOKEN, AGT_TOKEN_SHORT, AGT_TOKEN_TAKEN, AGT_ACTOR_BLANK
 */
export function createAgentRouter(mailer: AdminMailer, options: AgentOptions): FastifyPluginAsync {
  return createAgent(mailer, options).router
}
