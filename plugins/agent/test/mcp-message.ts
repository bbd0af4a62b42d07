// Messages of MCP as they are on the wire, for both revisions.
import { TOKEN } from './agent-app.ts'

export const CURRENT = '2026-07-28'
export const BEFORE = '2025-11-25'
export const META = 'io.modelcontextprotocol'

type Headers = Readonly<Record<string, string>>

/** A message of 2026-07-28, with the headers that belong to it. */
export function message(
  method: string,
  params: object = {},
  headers: Headers = {},
  capabilities: object = {}
) {
  const { name, taskId = name } = params as { readonly name?: string; readonly taskId?: string }
  return {
    method: 'POST',
    url: '/mcp',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': CURRENT,
      'mcp-method': method,
      ...(taskId !== undefined && { 'mcp-name': taskId }),
      ...headers
    },
    payload: {
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          [`${META}/protocolVersion`]: headers['mcp-protocol-version'] ?? CURRENT,
          [`${META}/clientInfo`]: { name: 'wire', version: '1' },
          [`${META}/clientCapabilities`]: capabilities
        }
      }
    }
  } as const
}

/** A message of 2025-11-25. */
export const earlierMessage = (method: string, params: object = {}, headers: Headers = {}) =>
  ({
    method: 'POST',
    url: '/mcp',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': BEFORE,
      ...headers
    },
    payload: { jsonrpc: '2.0', id: 1, method, params }
  }) as const
