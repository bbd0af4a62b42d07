// Callback addresses and metadata hosts of well-known clients, to register them with; each with the vendor's own word.
import { createHash } from 'node:crypto'

/** Claude on the web, on phones and on desktops. Source: support.claude.com, "Building custom connectors". */
export const CLAUDE_CONNECTOR_REDIRECT_URI = 'https://claude.ai/api/mcp/auth_callback'
/** Used beside the one on claude.ai. Source: the same page. */
export const CLAUDE_COM_CONNECTOR_REDIRECT_URI = 'https://claude.com/api/mcp/auth_callback'
/** Loopback: the port may differ. Source: code.claude.com/docs/en/mcp, `http://localhost:PORT/callback`. */
export const CLAUDE_CODE_REDIRECT_URIS: readonly string[] = Object.freeze([
  'http://localhost/callback',
  'http://127.0.0.1/callback'
])
/** Of connectors from before each had its own address. */
export const CHATGPT_LEGACY_REDIRECT_URI = 'https://chatgpt.com/connector_platform_oauth_redirect'
/**
 * A shape, not a value to register: ChatGPT shows the address of a connector when it is made. Source:
 * developers.openai.com/apps-sdk, "Authentication".
 */
export const CHATGPT_CONNECTOR_REDIRECT_URI_PATTERN =
  'https://chatgpt.com/connector/oauth/{callback_id}'
/**
 * The desktop's loopback address, that of older desktops, and the one of the web. Source:
 * cursor.com/docs/mcp, "Static redirect URL".
 */
export const CURSOR_REDIRECT_URIS: readonly string[] = Object.freeze([
  'http://localhost:8787/callback',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com/agents/mcp/oauth/callback'
])
/**
 * With a slash at the end, on port 33418 or, where that is taken, on any. Source:
 * github.com/microsoft/vscode pull request 260446 and issue 278512.
 */
export const VSCODE_REDIRECT_URIS: readonly string[] = Object.freeze([
  'https://vscode.dev/redirect',
  'https://insiders.vscode.dev/redirect',
  'http://127.0.0.1/'
])
/**
 * A suggestion for `clientIdMetadata.hosts`; never a default. Clients that have a document use it wherever documents are
 * on, and few of them register where it is refused. Sources: support.claude.com, "Building custom connectors";
 * developers.openai.com/apps-sdk, "Authentication"; github.com/microsoft/vscode pull request 271403;
 * github.com/zed-industries/zed, crates/context_server/src/oauth.rs; github.com/anomalyco/opencode pull request 47737;
 * github.com/aaif-goose/goose pull request 8550; github.com/modelcontextprotocol/inspector,
 * docs/inspector-client-todo.md.
 */
export const CIMD_ALLOWED_HOSTS: readonly string[] = Object.freeze([
  'claude.ai',
  'chatgpt.com',
  'vscode.dev',
  'insiders.vscode.dev',
  'zed.dev',
  'opencode.ai',
  'goose-docs.ai',
  'www.mcpjam.com'
])

/**
 * The callback of Codex for an MCP server, on any port: its path ends with an id that Codex derives from the
 * address of the server. Source: github.com/openai/codex issue 30460 and pull request 28585.
 */
export function codexRedirectUri(server: string): string {
  const id = createHash('sha256').update(server).digest().subarray(0, 9).toString('base64url')
  return `http://127.0.0.1/callback/${id}`
}

/** A client that the admin page can fill in. */
export interface ClientPreset {
  readonly id: string
  readonly name: string
  readonly type: 'confidential' | 'public'
  readonly redirectUris: readonly string[]
}

export const CLIENT_PRESETS: readonly ClientPreset[] = Object.freeze([
  {
    id: 'claude',
    name: 'Claude',
    type: 'confidential',
    redirectUris: [CLAUDE_CONNECTOR_REDIRECT_URI, CLAUDE_COM_CONNECTOR_REDIRECT_URI]
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    type: 'public',
    redirectUris: CLAUDE_CODE_REDIRECT_URIS
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    type: 'confidential',
    redirectUris: [CHATGPT_LEGACY_REDIRECT_URI]
  },
  { id: 'cursor', name: 'Cursor', type: 'public', redirectUris: CURSOR_REDIRECT_URIS },
  { id: 'vscode', name: 'Visual Studio Code', type: 'public', redirectUris: VSCODE_REDIRECT_URIS },
  { id: 'codex', name: 'Codex', type: 'public', redirectUris: ['http://127.0.0.1/callback'] }
])

/** The presets for the resources of a server: callbacks that depend on its address are filled in. */
export const presetsFor = (resources: readonly string[]): readonly ClientPreset[] =>
  CLIENT_PRESETS.map((preset) =>
    preset.id === 'codex'
      ? { ...preset, redirectUris: [...preset.redirectUris, ...resources.map(codexRedirectUri)] }
      : preset
  )
