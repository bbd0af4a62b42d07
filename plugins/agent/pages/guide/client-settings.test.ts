// Settings of the known assistants: valid JSON, the address, and no token of a person.
import { test } from 'tap'
import { CLIENTS, isLocal, settingsOf } from './client-settings.ts'

const url = 'https://mail.example.test/mcp'

test('every assistant has settings with the address, for both ways to sign in', async (t) => {
  for (const client of CLIENTS) {
    for (const signIn of ['oauth', 'token'] as const) {
      for (const needsClientId of [true, false]) {
        const blocks = settingsOf(client, { url, signIn, needsClientId })
        t.ok(blocks.length > 0, client)
        for (const { text } of blocks) {
          t.match(text, url, client)
          if (text.startsWith('{')) t.ok(JSON.parse(text), client)
        }
        const all = blocks.map(({ text }) => text).join('\n')
        const hasToken = /AGENT_TOKEN|input:agent-token/.test(all)
        t.equal(hasToken, signIn === 'token', `${client} ${signIn}`)
      }
    }
  }
})

test('the shapes are those that each assistant reads', async (t) => {
  const first = (client: (typeof CLIENTS)[number], signIn: 'oauth' | 'token') => {
    const [block] = settingsOf(client, { url, signIn, needsClientId: false })
    return block?.text ?? ''
  }
  t.equal(first('claude-code', 'oauth'), `claude mcp add --transport http mailer ${url}`)
  t.match(first('claude-code', 'token'), /--header "Authorization: Bearer \$AGENT_TOKEN"$/)
  t.equal(first('claude-desktop', 'oauth'), url)
  t.same(JSON.parse(first('cursor', 'oauth')), { mcpServers: { mailer: { url } } })
  t.same(JSON.parse(first('vscode', 'oauth')), { servers: { mailer: { type: 'http', url } } })
  t.match(JSON.parse(first('vscode', 'token')), {
    inputs: [{ type: 'promptString', password: true }],
    servers: { mailer: { headers: { Authorization: 'Bearer ${input:agent-token}' } } }
  })
})

test('Claude Desktop reaches a local address through mcp-remote', async (t) => {
  const local = 'http://127.0.0.1:3000/mcp'
  t.ok(isLocal(local) && isLocal('http://localhost:3000/mcp') && !isLocal(url))
  const [block] = settingsOf('claude-desktop', {
    url: local,
    signIn: 'oauth',
    needsClientId: false
  })
  const { mcpServers } = JSON.parse(block?.text ?? '')
  t.same(mcpServers.mailer, { command: 'npx', args: ['-y', 'mcp-remote', local] })
})
