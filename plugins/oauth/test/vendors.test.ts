// What vendors send today: their callbacks are registered by the presets, their metadata documents are read.
import { test } from 'tap'
import { isRegistered, redirectUriProblem } from '../clients/redirect-uris.ts'
import { mayFetch } from '../metadata-clients/allowed-hosts.ts'
import { readDocument } from '../metadata-clients/read-document.ts'
import { CIMD_ALLOWED_HOSTS, CLIENT_PRESETS, codexRedirectUri, presetsFor } from '../vendors.ts'

const SERVER = 'https://id.example.test/mcp'

test('each preset registers the callbacks that its vendor sends', (t) => {
  const sent: Readonly<Record<string, readonly string[]>> = {
    claude: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
    'claude-code': ['http://localhost:53218/callback'],
    chatgpt: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    cursor: [
      'http://localhost:8787/callback',
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback'
    ],
    vscode: [
      'http://127.0.0.1:33418/',
      'http://127.0.0.1:59656/',
      'https://vscode.dev/redirect',
      'https://insiders.vscode.dev/redirect'
    ],
    codex: ['http://127.0.0.1:33418/callback', 'http://127.0.0.1:4000/callback/q_tmvzIq1e8V']
  }
  const presets = presetsFor([SERVER])
  t.same(presets.map(({ id }) => id).sort(), Object.keys(sent).sort())
  for (const { id, type, redirectUris } of presets) {
    for (const uri of redirectUris) t.equal(redirectUriProblem(uri, type), undefined, uri)
    for (const uri of sent[id] ?? []) t.ok(isRegistered(redirectUris, uri), `${id} ${uri}`)
  }
  t.notOk(
    isRegistered(presets.at(-2)?.redirectUris ?? [], 'http://127.0.0.1:33418'),
    'not without its slash'
  )
  t.end()
})

const ASSISTANT = ['authorization_code', 'refresh_token']
const LOOPBACK = ['http://127.0.0.1/callback', 'http://localhost/callback']

/** The document of a client, and a callback that the client sends. */
const DOCUMENTS: Readonly<Record<string, readonly [object, string]>> = {
  'https://claude.ai/oauth/mcp-oauth-client-metadata': [
    {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      grant_types: [...ASSISTANT, 'urn:ietf:params:oauth:grant-type:jwt-bearer']
    },
    'https://claude.ai/api/mcp/auth_callback'
  ],
  'https://claude.ai/oauth/claude-code-client-metadata': [
    { client_name: 'Claude Code', redirect_uris: LOOPBACK, grant_types: ASSISTANT },
    'http://localhost:53218/callback'
  ],
  'https://chatgpt.com/oauth/client.json': [
    {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json'
    },
    'https://chatgpt.com/connector_platform_oauth_redirect'
  ],
  'https://chatgpt.com/oauth/codex/client.json': [
    { client_name: 'Codex', redirect_uris: LOOPBACK },
    'http://127.0.0.1:41239/callback'
  ],
  'https://vscode.dev/oauth/client-metadata.json': [
    {
      client_name: 'Visual Studio Code',
      logo_uri: 'https://code.visualstudio.com/assets/branding/code-stable.png',
      redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
      grant_types: [...ASSISTANT, 'urn:ietf:params:oauth:grant-type:device_code'],
      application_type: 'native'
    },
    'http://127.0.0.1:59656/'
  ],
  'https://insiders.vscode.dev/oauth/client-metadata.json': [
    {
      client_name: 'Visual Studio Code - Insiders',
      redirect_uris: ['http://127.0.0.1:33418/', 'https://insiders.vscode.dev/redirect']
    },
    'http://127.0.0.1:33418/'
  ],
  'https://zed.dev/oauth/client-metadata.json': [
    { client_name: 'Zed', redirect_uris: ['http://127.0.0.1/callback'], scope: 'mcp:*' },
    'http://127.0.0.1:50112/callback'
  ],
  'https://opencode.ai/oauth/opencode/client.json': [
    {
      client_name: 'opencode',
      logo_uri: 'https://opencode.ai/web-app-manifest-512x512.png',
      redirect_uris: LOOPBACK,
      application_type: 'native',
      token_endpoint_auth_methods_supported: ['none']
    },
    'http://127.0.0.1:51675/callback'
  ],
  'https://goose-docs.ai/oauth/client-metadata.json': [
    {
      client_name: 'Goose',
      redirect_uris: ['http://localhost/oauth_callback'],
      scope: 'openid profile email',
      code_challenge_methods_supported: ['S256']
    },
    'http://localhost:40123/oauth_callback'
  ]
}

test('documents of the hosts that are suggested are read, and let their client ask for scopes of this server', (t) => {
  const hosts = { isAny: false, names: CIMD_ALLOWED_HOSTS }
  const allowedScopes = ['openid', 'offline_access', 'read']
  for (const [id, [fields, callback]] of Object.entries(DOCUMENTS)) {
    t.ok(mayFetch(new URL(id), hosts), id)
    const document = { client_id: id, token_endpoint_auth_method: 'none', ...fields }
    const read = readDocument(document, id, { allowedScopes, ownScopes: ['read'], hosts })
    t.match(read, { ok: true, client: { allowedScopes } }, id)
    t.ok(read.ok && isRegistered(read.client.redirectUris, callback), `${id} ${callback}`)
  }
  t.end()
})

test('the constants cannot be changed, and hold no address of a server', (t) => {
  t.throws(() => (CLIENT_PRESETS as unknown[]).push({}), TypeError)
  t.match(codexRedirectUri(SERVER), /^http:\/\/127\.0\.0\.1\/callback\/[\w-]{12}$/)
  t.not(codexRedirectUri(SERVER), codexRedirectUri(`${SERVER}/`))
  t.end()
})
