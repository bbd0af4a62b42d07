// Resources in normal form: the same URI in another spelling is the same resource, another URI is not.
import fc from 'fast-check'
import { test } from 'tap'
import { normalUri } from '../config/normal-uri.ts'
import { API, actor, back, ISSUER, startHost } from './flow.ts'

const SAME: readonly (readonly [string, string])[] = [
  ['https://api.example.com', 'https://api.example.com/'],
  ['https://api.example.com/mcp', 'https://api.example.com/mcp/'],
  ['https://api.example.com/mcp', 'HTTPS://API.example.com:443/mcp'],
  ['https://api.example.com/mcp', 'https://api.example.com/a/../mcp'],
  ['https://api.example.com/mcp', 'https://api.example.com/a/%2e%2e/mcp'],
  ['https://api.example.com/~me', 'https://api.example.com/%7Eme'],
  ['https://api.example.com/a%2Fb', 'https://api.example.com/a%2fb'],
  ['https://api.example.com/a b', 'https://api.example.com/a%20b'],
  ['http://127.0.0.1:3000/mcp', 'http://127.0.0.1:3000/mcp/'],
  ['https://api.example.com/mcp?tenant=a', 'https://api.example.com/mcp/?tenant=a'],
  ['urn:example:api', 'URN:example:api']
]
const OTHER_URIS: readonly (readonly [string, string])[] = [
  ['https://api.example.com/mcp', 'http://api.example.com/mcp'],
  ['https://api.example.com/mcp', 'https://api.example.com/MCP'],
  ['https://api.example.com/mcp', 'https://api.example.com:8443/mcp'],
  ['https://api.example.com/a/b', 'https://api.example.com/a%2Fb'],
  ['https://api.example.com/mcp', 'https://api.example.com/mcp/x'],
  ['https://api.example.com/mcp', 'https://api.example.com/mcp?'],
  ['https://api.example.com/mcp', 'https://api.example.com.evil.test/mcp'],
  ['https://api.example.com/mcp?a=1', 'https://api.example.com/mcp?a=2']
]

test('URIs that RFC 3986 calls equal, or that differ by a slash at the end, have one normal form', async (t) => {
  for (const [one, other] of SAME) t.equal(normalUri(other), normalUri(one), other)
  for (const [one, other] of OTHER_URIS) t.not(normalUri(other), normalUri(one), other)
  t.equal(normalUri('/mcp'), undefined)
})

test('the normal form of a normal form is itself', async () => {
  const piece = fc.constantFrom('/', 'a', '%2e', '%2F', '..', '%7e', '?', 'b=1', ' ', '%20', ':443')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const normal = normalUri(`https://Example.com${pieces.join('')}`)
      return normal === undefined || normalUri(normal) === normal
    })
  )
})

test('a resource is found in every spelling, at authorize and at the token endpoint', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const spelling = `${API.replace('https', 'HTTPS')}/`
  const code = await app.toCode({ scope: 'read', resource: spelling })
  const { json } = await app.redeem(code, { resource: `${ISSUER}:443/x/../api` })
  const about = await app.post('/introspect', { token: json.access_token })
  t.equal(about.json.aud, API)
  const answer = await app.authorize({ resource: `${ISSUER}/ap` })
  t.match(back(answer), {
    error: 'invalid_target',
    error_description: `A requested resource is unknown. It was: ${ISSUER}/ap`
  })
})

test('a resource at the root of its host is found with and without a slash', async (t) => {
  const root = 'https://api.example.test'
  const running = await startHost(t, { resources: [{ id: root }, { id: API }] })
  const app = actor(running, await running.client())
  for (const resource of [root, `${root}/`]) {
    const tokens = await app.tokens({ scope: 'read', resource })
    const about = await app.post('/introspect', { token: tokens.access_token })
    t.equal(about.json.aud, root, resource)
  }
})
