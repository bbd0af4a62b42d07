// The application that the sign-in page names during an authorization.
import { definePlugin } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import oauthPlugin from '../plugin.ts'
import { actor, ISSUER, startHost } from './flow.ts'

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(40)])

/** Serves `POST /login`, so that the platform shows its sign-in page. */
const signIn = definePlugin({
  manifest: {
    manifestVersion: 1,
    id: 'door',
    name: 'Door',
    version: '1.0.0',
    kernel: '^1.0.0',
    description: 'Signs people in.',
    license: 'MIT',
    main: './index.js',
    mount: '/door',
    routes: [{ method: 'POST', at: '/login', auth: 'public', summary: 'Signs in.' }]
  },
  register: (host) => {
    host.route({ method: 'POST', path: '/login', handler: async () => ({}) })
  }
})

/** The plugin beside a sign-in page, with an administrator signed in. */
async function platform(t: Test) {
  const host = await createTestHost({
    plugin: oauthPlugin,
    plugins: [signIn],
    config: { issuer: 'http://localhost', resources: ['/tools'], scopes: ['openid'] },
    viewer: { tenantId: '*', role: 'admin', viewerRef: 'user:p' }
  })
  t.teardown(() => host.close())
  return host
}

/** The authorization request of a client. */
const requestOf = ({ clientId }: { readonly clientId: string }) => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: 'https://app.test/cb',
  scope: 'openid',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256'
})

/** Sends a signed-out person to the sign-in page; the address that it leads back to. */
const wayBack = (location: unknown): string =>
  new URL(String(location), ISSUER).searchParams.get('next') ?? ''

test('the sign-in page names the client, the host of its callback, and its logo', async (t) => {
  const host = await platform(t)
  const cdn = host.outbound.get('https://cdn.example.test')
  cdn.intercept({ path: '/logo.png' }).reply(200, PNG)
  const made = await host.app.inject({
    method: 'POST',
    url: '/oauth/admin/clients',
    payload: {
      name: 'Example App',
      redirectUris: ['https://app.test/cb'],
      allowedScopes: ['openid'],
      branding: { logoUrl: 'https://cdn.example.test/logo.png' }
    }
  })
  host.signIn(null)
  const query = requestOf(made.json())
  const asked = await host.app.inject({ url: '/oauth/authorize', query })
  const page = await host.app.inject({ url: String(asked.headers.location) })
  const blob = /id="keelson-config">([^<]*)</.exec(page.body)?.[1] ?? '{}'
  const { purpose } = JSON.parse(blob)
  t.match(purpose, { name: 'Example App', host: 'app.test' })
  const logo = await host.app.inject({ url: purpose.logo })
  t.same(logo.rawPayload, PNG)
  t.match(logo.headers, {
    'content-type': 'image/png',
    'content-security-policy': "default-src 'none'; sandbox"
  })
})

test('the sign-in page is in the language that the authorization request asks for', async (t) => {
  const host = await platform(t)
  const made = await host.app.inject({
    method: 'POST',
    url: '/oauth/admin/clients',
    payload: { name: 'App', redirectUris: ['https://app.test/cb'], allowedScopes: ['openid'] }
  })
  const query = { ...requestOf(made.json()), ui_locales: 'de-AT en' }
  const asked = () => host.app.inject({ url: '/oauth/authorize', query })
  const consent = await asked()
  const consentPage = await host.app.inject({ url: String(consent.headers.location) })
  t.match(consentPage.body, '<html lang="de"')
  t.match(consentPage.body, '<title>Zugriff erlauben · ')
  host.signIn(null)
  const login = await asked()
  const form = await host.app.inject({ url: String(login.headers.location) })
  t.match(form.body, '<html lang="de"')
  t.match(form.body, 'Keelson braucht JavaScript.')
  const back = await host.app.inject({ url: wayBack(login.headers.location) })
  t.match(new URL(String(back.headers.location), ISSUER).searchParams.get('ui_locales'), 'de-AT en')
})

test('a link to the sign-in page names no application by itself', async (t) => {
  const running = await startHost(t)
  const client = await running.client({ type: 'public' })
  const { query } = actor(running, client).query()
  const { headers } = await running.call('GET', `/oauth/authorize?${query}`)
  const next = wayBack(headers['location'])
  t.match(await running.host.signInPurpose(next), { name: 'Test client', host: 'app.example.test' })
  for (const other of [
    `/oauth/authorize?${query}`,
    next.replace('Test', 'Other').replace('scope=openid', 'scope=read'),
    next.replace('/oauth/authorize', '/oauth/consent'),
    `https://evil.test${next}`,
    '//evil.test/oauth/authorize',
    'http://%',
    ''
  ]) {
    t.equal(await running.host.signInPurpose(other), undefined, other)
  }
  const logo = await running.call('GET', next.replace('/authorize?', '/authorize/logo?'))
  t.match(logo, { status: 404, json: { error: 'not_found' } })
  running.clock.advance(31 * 60)
  t.equal(await running.host.signInPurpose(next), undefined, 'a sign-in that took too long')
})

test('a long request is named through its handle, and a disabled client is not', async (t) => {
  const running = await startHost(t)
  const client = await running.client({ type: 'public' })
  const { query } = actor(running, client).query({ state: 'x'.repeat(2000) })
  const { headers } = await running.call('GET', `/oauth/authorize?${query}`)
  const next = wayBack(headers['location'])
  t.match(next, 'request_uri=')
  t.match(await running.host.signInPurpose(next), { name: 'Test client', host: 'app.example.test' })
  await running.host.clients.disable(client.clientId)
  t.equal(await running.host.signInPurpose(next), undefined)
})
