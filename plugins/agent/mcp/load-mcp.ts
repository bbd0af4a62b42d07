// The SDK of MCP, loaded by the first message: it is a fifth of what the platform would keep in memory.
import { atFirstUse } from '@keelson/sdk'

/** What speaks the protocol. */
export const loadMcp: () => Promise<typeof import('@modelcontextprotocol/server')> = atFirstUse(
  () => import('@modelcontextprotocol/server')
)
