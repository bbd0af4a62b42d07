// What GET / answers: every address, what it does, and which tool it is.
import { type Operation, Type } from '@keelson/sdk'
import type { AgentHost } from '../agent-host.ts'
import { TEST_CONTACTS_ONLY } from '../boundary/test-contacts-only.ts'
import type { Caller } from '../tokens/token-register.ts'

/** What `GET /` answers. */
export const discoverySchema = Type.Object(
  {
    service: Type.String(),
    version: Type.String(),
    actor: Type.String(),
    testContactsConfigured: Type.Boolean(),
    docs: Type.String(),
    endpoints: Type.Array(
      Type.Object({
        method: Type.String(),
        path: Type.String(),
        summary: Type.String(),
        tool: Type.Optional(Type.String()),
        testContactsOnly: Type.Optional(Type.Boolean())
      })
    )
  },
  { title: 'AgentDiscovery' }
)

/** The discovery document. Pure. */
export function discoveryOf(
  operations: readonly Operation<AgentHost>[],
  { version, boundary }: Pick<AgentHost, 'version' | 'boundary'>,
  { actor }: Pick<Caller, 'actor'>
) {
  const own = operations.map(({ id, method, path, summary, tool }) => ({
    method,
    path,
    summary,
    tool,
    ...(TEST_CONTACTS_ONLY.has(id) && { testContactsOnly: true })
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
