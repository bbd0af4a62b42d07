// createAgent and createAgentRouter: the plugin beside a mailer without the kernel, on any Fastify app.
import type { Mailer } from '@keelson/mailer'
import { mailerBreaker } from '@keelson/mailer/contracts'
import { definePlugin } from '@keelson/sdk'
import type { FastifyPluginAsync } from 'fastify'
import { type AgentOptions, type AgentSeams, createAgentParts } from './agent-parts.ts'
import type { AnswerRow } from './idempotency/answer-row.ts'
import { createMcpRoutes, type McpOptions } from './mcp/mcp-routes.ts'
import { agentOperations } from './operations/all-operations.ts'
import manifest from './plugin.json' with { type: 'json' }
import { createRouter } from './routes/router.ts'

/** The part of a mailer that the agent API needs. */
export type AgentMailer = Pick<Mailer, 'events' | 'getRunnerContext' | 'host'>

/** The agent API in both forms, with what they share. */
export interface Agent {
  /** Routes: register it with a prefix, where the host's sign-in does not reach. */
  readonly router: FastifyPluginAsync
  /** The same operations for MCP clients: register it with the prefix `/mcp`. */
  mcp(options?: McpOptions): FastifyPluginAsync
}

/**
 * Makes the agent API. Answers to requests with an Idempotency-Key are in the database of the mailer.
 *
 * @throws AGT_NO_TOKEN, AGT_TOKEN_SHORT, AGT_TOKEN_TAKEN, AGT_ACTOR_BLANK
 */
export function createAgent(mailer: AgentMailer, options: AgentOptions): Agent {
  return createAgentOn(mailer, options, seamsOf(mailer))
}

/** The same, on what a test puts in the place of the host. */
export function createAgentOn(
  mailer: AgentMailer,
  options: AgentOptions,
  seams: AgentSeams
): Agent {
  const parts = createAgentParts(mailer, options, seams)
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
export function createAgentRouter(mailer: AgentMailer, options: AgentOptions): FastifyPluginAsync {
  return createAgent(mailer, options).router
}

/** Several APIs of one mailer are one plugin. */
const plainPlugin = definePlugin({
  manifest,
  operations: agentOperations,
  register: () => undefined
})

/** The plugin beside the mailer, opened with the first request that needs it. */
export function seamsOf({ host: standalone }: AgentMailer): AgentSeams {
  const host = standalone.add(plainPlugin)
  return {
    async answers() {
      await standalone.open()
      return host.collection<AnswerRow>('agent_answers')
    },
    health: async () => (await host.use(mailerBreaker, { optional: true })?.health()) ?? null
  }
}
