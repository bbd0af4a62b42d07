// The public entry of @keelson/agent.
export type { AgentOptions } from './agent-parts.ts'
export type { TestContacts } from './boundary/test-contacts.ts'
export {
  type Agent,
  type AgentMailer,
  createAgent,
  createAgentAdmin,
  createAgentRouter
} from './create-agent.ts'
export type { McpOptions, McpPeople } from './mcp/mcp-routes.ts'
export { default } from './plugin.ts'
export type { AgentAdminOptions } from './routes/token-admin.ts'
export type { AgentScope } from './tokens/reach.ts'
export type { AgentToken } from './tokens/token-register.ts'
