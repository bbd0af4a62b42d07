// What GET / answers: every address, what it does, and which tool it is.
import type { AgentContext, Operation } from './operations/operation.ts'
import type { Caller } from './tokens/token-register.ts'

/** The discovery document. Pure. */
export function discoveryOf(
  operations: readonly Operation[],
  { version, boundary }: Pick<AgentContext, 'version' | 'boundary'>,
  { actor }: Pick<Caller, 'actor'>
) {
  const own = operations.map(({ method, path, summary, tool, testContactsOnly }) => ({
    method,
    path,
    summary,
    tool,
    ...(testContactsOnly && { testContactsOnly })
  }))
  return {
    service: 'keelson-agent',
    version,
    actor,
    testContactsConfigured: boundary.isConfigured,
    docs: 'Send Authorization: Bearer with each request. Every refusal says how to go on in `fix`.',
    endpoints: [
      { method: 'GET', path: '/', summary: 'This document' },
      { method: 'GET', path: '/openapi.json', summary: 'The OpenAPI document of these addresses' },
      { method: 'GET', path: '/errors', summary: 'Every error: its meaning and what to do' },
      { method: 'GET', path: '/errors/:code', summary: 'One error; `docs` of answers leads here' },
      ...own,
      { method: 'ANY', path: '/api/*', summary: 'The admin API, in the name of the token' }
    ]
  }
}
