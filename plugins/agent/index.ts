// The public entry of @keelson/agent.
export type { AgentOptions } from './agent-parts.ts'
export type { TestContacts } from './boundary/test-contacts.ts'
export { type Agent, type AgentMailer, createAgent, createAgentRouter } from './create-agent.ts'
export type { McpOptions, McpPeople } from './mcp/mcp-routes.ts'
export { default } from './plugin.ts'
export type { AgentScope, AgentToken } from './tokens/token-register.ts'
