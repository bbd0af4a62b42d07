// The MCP server of the demo: lists and calls its tools, and says which scopes a request needs.

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError
} from '@modelcontextprotocol/sdk/types.js'
import type { Caller, ServedTool } from './served-tool.ts'

/** Tools by name. */
export type Tools = ReadonlyMap<string, ServedTool>

/** The scopes that a request's messages need. A tool that is unknown needs a token only. */
export function scopesOfMessages(body: unknown, tools: Tools): readonly string[] {
  const messages = Array.isArray(body) ? body : [body]
  const needed = messages.flatMap((message) => {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } }
    const name = method === 'tools/call' ? params?.name : undefined
    return typeof name === 'string' ? (tools.get(name)?.scopes ?? []) : []
  })
  return [...new Set(needed)]
}

/** A server for one request: it keeps nothing between them. */
export function createServer(tools: Tools, caller: Caller): Server {
  const info = { name: 'keelson-demo', version: '0.1.0' }
  const server = new Server(info, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: [...tools.values()].map(({ run: _, scopes: __, ...listed }) => listed)
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.get(params.name)
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, 'The tool is unknown.')
    return tool.run(params.arguments ?? {}, caller)
  })
  return server
}
