// The MCP server of the demo: two tools, and the scopes that each of them needs.

import type { OAuthAccess } from '@keelson/sdk/contracts/oauth-protect'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError
} from '@modelcontextprotocol/sdk/types.js'

export interface SampleMail {
  readonly to: string
  readonly userId: string
  readonly clientId: string
  readonly at: Date
}

/** Scopes by tool. A tool that is not listed needs a token only. */
export const TOOL_SCOPES: Readonly<Record<string, readonly string[]>> = {
  whoami: ['telemetry:read'],
  send_sample: ['mail:write']
}

/** The scopes that a request's messages need. */
export function scopesOfMessages(body: unknown): readonly string[] {
  const messages = Array.isArray(body) ? body : [body]
  const needed = messages.flatMap((message) => {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } }
    const name = method === 'tools/call' ? params?.name : undefined
    return typeof name === 'string' && Object.hasOwn(TOOL_SCOPES, name) ? TOOL_SCOPES[name] : []
  })
  return [...new Set(needed.filter((scope) => scope !== undefined))]
}

interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown }
}

const TOOLS: readonly Tool[] = [
  {
    name: 'whoami',
    description: 'Who the access token speaks for, and what it may do.',
    inputSchema: { type: 'object', properties: {} }
  },
  {
    name: 'send_sample',
    description: 'Keeps a sample mail for a day, in the name of the person who granted access.',
    inputSchema: {
      type: 'object',
      properties: { to: { type: 'string', format: 'email', maxLength: 254 } },
      required: ['to']
    }
  }
]

/** A server for one request: it keeps nothing between them. */
export function createServer(
  access: OAuthAccess,
  keepSample: (to: string) => Promise<SampleMail>
): Server {
  const info = { name: 'keelson-demo', version: '0.1.0' }
  const server = new Server(info, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [...TOOLS] }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    switch (params.name) {
      case 'whoami':
        return whoami(access)
      case 'send_sample':
        return sendSample(params.arguments?.['to'], keepSample)
      default:
        throw new McpError(ErrorCode.InvalidParams, 'The tool is unknown.')
    }
  })
  return server
}

function whoami({ userId, clientId, scopes }: OAuthAccess) {
  const about = { userId, clientId, scopes: [...scopes] }
  return { content: [{ type: 'text', text: JSON.stringify(about) }], structuredContent: about }
}

async function sendSample(to: unknown, keepSample: (to: string) => Promise<SampleMail>) {
  if (typeof to !== 'string' || to.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(to)) {
    throw new McpError(ErrorCode.InvalidParams, '`to` must be an email address.')
  }
  const sample = await keepSample(to)
  return { content: [{ type: 'text', text: `Kept for ${sample.to}.` }] }
}
