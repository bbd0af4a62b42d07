// Callback addresses and metadata hosts of well-known clients, to register them with.

export const CLAUDE_CONNECTOR_REDIRECT_URI = 'https://claude.ai/api/mcp/auth_callback'
/** Used beside the one on claude.ai. */
export const CLAUDE_COM_CONNECTOR_REDIRECT_URI = 'https://claude.com/api/mcp/auth_callback'
/** Loopback: the port may differ. */
export const CLAUDE_CODE_REDIRECT_URIS: readonly string[] = Object.freeze([
  'http://localhost/callback',
  'http://127.0.0.1/callback'
])
export const CHATGPT_LEGACY_REDIRECT_URI = 'https://chatgpt.com/connector_platform_oauth_redirect'
/** A shape, not a value to register. */
export const CHATGPT_CONNECTOR_REDIRECT_URI_PATTERN =
  'https://chatgpt.com/connector/oauth/{callback_id}'
export const CURSOR_REDIRECT_URIS: readonly string[] = Object.freeze([
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com/agents/mcp/oauth/callback'
])
export const VSCODE_REDIRECT_URIS: readonly string[] = Object.freeze([
  'https://vscode.dev/redirect',
  'http://127.0.0.1:33418'
])
/** A suggestion for `clientIdMetadata.allowedHosts`; never a default. */
export const CIMD_ALLOWED_HOSTS: readonly string[] = Object.freeze(['claude.ai', 'chatgpt.com'])

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
  { id: 'codex', name: 'Codex', type: 'public', redirectUris: CLAUDE_CODE_REDIRECT_URIS }
])
