// The public entry of @keelson/agent.
export type { TestContacts } from './boundary/test-contacts.ts'
export { default } from './plugin.ts'
export { type AgentOptions, createAgentRouter } from './router.ts'
export type { AgentScope, AgentToken } from './tokens/token-register.ts'
