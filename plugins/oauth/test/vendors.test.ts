// The presets: the callbacks that vendors send today are registered by them.
import { test } from 'tap'
import { isRegistered, redirectUriProblem } from '../clients/redirect-uris.ts'
import { CLIENT_PRESETS, codexRedirectUri, presetsFor } from '../vendors.ts'

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

test('the constants cannot be changed, and hold no address of a server', (t) => {
  t.throws(() => (CLIENT_PRESETS as unknown[]).push({}), TypeError)
  t.match(codexRedirectUri(SERVER), /^http:\/\/127\.0\.0\.1\/callback\/[\w-]{12}$/)
  t.not(codexRedirectUri(SERVER), codexRedirectUri(`${SERVER}/`))
  t.end()
})
