// Ready requests and settings with a new secret. Pure.

/** Where the agent API and its MCP endpoint are, as programs reach them. */
export interface Endpoints {
  readonly api: string
  readonly mcp: string
}

/** Asks what the token may call; any token may. */
export const curlLine = (secret: string, { api }: Pick<Endpoints, 'api'>): string =>
  `curl ${api} \\\n  -H "Authorization: Bearer ${secret}"`

/** The entry that clients of MCP take in their `mcp.json`. */
export const mcpConfig = (secret: string, { mcp: url }: Pick<Endpoints, 'mcp'>): string => {
  const headers = { Authorization: `Bearer ${secret}` }
  return JSON.stringify({ mcpServers: { mailer: { type: 'http', url, headers } } }, null, 2)
}
