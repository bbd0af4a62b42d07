// Settings of the known assistants for one MCP address, ready to copy. Pure.

/** The assistants that the guide knows, in the order of their tabs. */
export const CLIENTS = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'other'] as const

/** An assistant. */
export type Client = (typeof CLIENTS)[number]

/** How an assistant signs in: a person in a browser, or an agent token. */
export type SignIn = 'oauth' | 'token'

/** A text to copy. */
export interface Block {
  /** Where it belongs: a file or a place; a key of the texts. */
  readonly where:
    | 'terminal'
    | 'mcpJson'
    | 'connector'
    | 'desktopJson'
    | 'cursorJson'
    | 'vscodeJson'
    | 'withClientId'
  readonly text: string
}

/** What the settings depend on. */
export interface SettingsFor {
  readonly url: string
  readonly signIn: SignIn
  /** Whether an administrator must make a client first: the host registers none by itself. */
  readonly needsClientId: boolean
}

/** The name that the settings give the server. */
const NAME = 'mailer'
const CLIENT_ID = 'YOUR_CLIENT_ID'
const json = (value: object): string => JSON.stringify(value, null, 2)
const servers = (entry: object): string => json({ mcpServers: { [NAME]: entry } })

/** Whether an assistant on other machines cannot reach the address. */
export const isLocal = (url: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

/** The texts to copy, in their order. */
export function settingsOf(client: Client, asked: SettingsFor): readonly Block[] {
  switch (client) {
    case 'claude-code':
      return claudeCode(asked)
    case 'claude-desktop':
      return claudeDesktop(asked)
    case 'cursor':
      return cursor(asked)
    case 'vscode':
      return vscode(asked)
    case 'other':
      return [{ where: 'terminal', text: initializeRequest(asked) }]
  }
}

/** Its option `--header` takes several values, so it comes last. */
function claudeCode({ url, signIn, needsClientId }: SettingsFor): readonly Block[] {
  const add = 'claude mcp add --transport http'
  if (signIn === 'token') {
    const headers = { Authorization: 'Bearer ${AGENT_TOKEN}' }
    return [
      {
        where: 'terminal',
        text: `${add} ${NAME} ${url} \\\n  --header "Authorization: Bearer $AGENT_TOKEN"`
      },
      { where: 'mcpJson', text: servers({ type: 'http', url, headers }) }
    ]
  }
  const withId: Block = {
    where: 'withClientId',
    text: `${add} --client-id ${CLIENT_ID} ${NAME} ${url}`
  }
  return [{ where: 'terminal', text: `${add} ${NAME} ${url}` }, ...(needsClientId ? [withId] : [])]
}

/** Connectors are called from the internet and take no header; `mcp-remote` runs on the own machine. */
function claudeDesktop({ url, signIn }: SettingsFor): readonly Block[] {
  const command = { command: 'npx', args: ['-y', 'mcp-remote', url] }
  if (signIn === 'token') {
    const args = [...command.args, '--header', 'Authorization:${AUTH_HEADER}']
    const env = { AUTH_HEADER: 'Bearer YOUR_AGENT_TOKEN' }
    return [{ where: 'desktopJson', text: servers({ ...command, args, env }) }]
  }
  const connector: Block = { where: 'connector', text: url }
  return isLocal(url) ? [{ where: 'desktopJson', text: servers(command) }] : [connector]
}

function cursor({ url, signIn, needsClientId }: SettingsFor): readonly Block[] {
  if (signIn === 'token') {
    const headers = { Authorization: 'Bearer ${env:AGENT_TOKEN}' }
    return [{ where: 'cursorJson', text: servers({ url, headers }) }]
  }
  const withId: Block = {
    where: 'withClientId',
    text: servers({ url, auth: { CLIENT_ID } })
  }
  return [{ where: 'cursorJson', text: servers({ url }) }, ...(needsClientId ? [withId] : [])]
}

function vscode({ url, signIn, needsClientId }: SettingsFor): readonly Block[] {
  const entry = { type: 'http', url }
  if (signIn === 'token') {
    const id = 'agent-token'
    const inputs = [{ type: 'promptString', id, description: 'Agent token', password: true }]
    const headers = { Authorization: `Bearer \${input:${id}}` }
    return [
      { where: 'vscodeJson', text: json({ inputs, servers: { [NAME]: { ...entry, headers } } }) }
    ]
  }
  const withId = json({ servers: { [NAME]: { ...entry, oauth: { clientId: CLIENT_ID } } } })
  return [
    { where: 'vscodeJson', text: json({ servers: { [NAME]: entry } }) },
    ...(needsClientId ? [{ where: 'withClientId', text: withId } as const] : [])
  ]
}

/** The first message of the protocol, for any client of Streamable HTTP. */
export const initializeMessage = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'check', version: '1.0.0' }
  }
} as const

function initializeRequest({ url, signIn }: SettingsFor): string {
  const token = signIn === 'token' ? '$AGENT_TOKEN' : '$ACCESS_TOKEN'
  return [
    `curl ${url} \\`,
    `  -H "Authorization: Bearer ${token}" \\`,
    '  -H "Content-Type: application/json" \\',
    '  -H "Accept: application/json, text/event-stream" \\',
    `  -d '${JSON.stringify(initializeMessage)}'`
  ].join('\n')
}
