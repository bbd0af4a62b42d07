// What is refused or said aloud: errors of adapters, misleading names, shared sectors, foreign audiences, unsafe issuers.

import { createTestHost, testDatabase } from '@keelson/sdk/testing'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { test } from 'tap'
import { redirectUriProblem, sectorOf } from '../clients/redirect-uris.ts'
import { createOAuthHost, RedirectableAuthError, UnredirectableError } from '../index.ts'
import { readDocument } from '../metadata-clients/read-document.ts'
import oauthPlugin from '../plugin.ts'
import { actor, back, CALLBACK, ISSUER, random, startHost } from './flow.ts'

test('an adapter may tell the client, or the person, why a request is refused', async (t) => {
  let thrown: Error = new RedirectableAuthError('access_denied', 'Suspended.', CALLBACK)
  const running = await startHost(t, {
    resolveUser: () => {
      throw thrown
    }
  })
  const app = actor(running, await running.client())
  t.match(back(await app.authorize()), {
    error: 'access_denied',
    error_description: 'Suspended.',
    state: 'a state',
    iss: ISSUER
  })
  thrown = new UnredirectableError('access_denied', 'This network is blocked.')
  const shown = await app.authorize()
  t.match([shown.status, shown.json.error_description], [400, 'This network is blocked.'])
  thrown = new Error('the directory is away')
  t.equal((await app.authorize()).status, 500)
})

test('a scope with a quote is refused when the host is made', async (t) => {
  const { db } = await testDatabase(t)
  const config = { issuer: ISSUER, connection: db, resources: [`${ISSUER}/api`], consentUrl: '/c' }
  for (const id of ["a'b", 'a"b', 'a b', 'a\\b']) {
    t.throws(() => createOAuthHost({ ...config, scopes: [id] }), { code: 'OAU_CONFIG_INVALID' }, id)
    t.throws(() => createOAuthHost({ ...config, scopes: [{ id }] }), { code: 'OAU_CONFIG_INVALID' })
  }
})

test('a host without a logger hears of loadUser and of an http issuer on the console', async (t) => {
  const { db } = await testDatabase(t)
  const said: unknown[] = []
  const warn = t.capture(console, 'warn', (message: unknown) => void said.push(message))
  const config = { connection: db, scopes: ['openid'], consentUrl: '/c' }
  createOAuthHost({
    ...config,
    issuer: 'http://id.example.test',
    resources: ['http://id.example.test/a']
  })
  createOAuthHost({
    ...config,
    issuer: 'http://127.0.0.1:3000',
    resources: ['http://127.0.0.1:3000/a']
  })
  warn.restore()
  t.equal(said.filter((message) => /loadUser/.test(String(message))).length, 2)
  t.equal(said.filter((message) => /issuer is http/.test(String(message))).length, 1)
})

test('names that hide controls or turn the direction of text are refused', async (t) => {
  const running = await startHost(t)
  for (const name of ['A\0B', 'Two\nlines', 'Good\u202Eppa', 'x\u2066y']) {
    await t.rejects(running.client({ name }), { message: /name must not have control/ })
    await t.rejects(running.client({ branding: { publisher: name } }), { message: /publisher/ })
    const id = 'https://claude.ai/x'
    const document = { client_id: id, client_name: name, redirect_uris: [CALLBACK] }
    const settings = {
      hosts: { isAny: false, names: ['claude.ai'] },
      allowedScopes: ['openid'],
      ownScopes: []
    }
    t.match(readDocument(document, id, settings), { ok: false })
  }
  t.equal((await running.client({ name: 'Zoë’s 👩‍💻 App' })).client.name, 'Zoë’s 👩‍💻 App')
})

test('pairwise sectors: one host is a sector; loopback and several hosts are one client each', (t) => {
  const own = 'https://own.example.test/cb'
  const partner = 'https://partner.example.test/cb'
  t.equal(sectorOf([partner], 'a'), sectorOf([partner, `${partner}/2`], 'b'))
  for (const uris of [[partner, own], ['http://127.0.0.1/cb'], ['app://cb'], []]) {
    t.not(sectorOf(uris, 'a'), sectorOf(uris, 'b'))
    t.not(sectorOf(uris, 'a'), sectorOf([partner], 'a'))
  }
  t.end()
})

test('schemes that browsers and systems act upon cannot be registered', (t) => {
  for (const uri of [
    ...[
      'javascript:alert(1)',
      'JavaScript:x',
      'data:text/html,x',
      'vbscript:x',
      'blob:https://x/y'
    ],
    ...[
      'file:///etc',
      'about:blank',
      'filesystem:x',
      'view-source:x',
      'jar:x',
      'feed:javascript:x'
    ],
    ...[
      'ws://x',
      'wss://x',
      'ftp://x/y',
      'smb://x/y',
      'nfs://x',
      'ldap://x',
      'ssh://x',
      'gopher://x'
    ],
    ...['mailto:x', 'tel:1', 'sms:1', 'facetime:x', 'intent:x', 'market:x', 'steam:x', 'zoommtg:x'],
    ...['search:query=x', 'search-ms:query=x', 'ms-msdt:/id', 'ms-officecmd:x', 'ms-word:ofe|u|x'],
    ...['ms-settings:x', 'ms-appinstaller:x', 'shell:x', 'chrome:x', 'ms-excel:x', 'onenote:x'],
    ...['x-apple.systempreferences:x', 'microsoft.windows.camera:x', 'ms-x.y:z'],
    ...['x:y', 'app://cb', 'myapp:/cb', '.x:/cb', 'a.:/cb', 'a..b:/cb', 'cursor://other/cb']
  ]) {
    t.type(redirectUriProblem(uri, 'public'), 'string', uri)
    t.type(redirectUriProblem(uri, 'confidential'), 'string', uri)
  }
  t.match(redirectUriProblem('search:q', 'public'), /scheme search:.*com\.example\.app/)
  for (const uri of ['com.example.app:/cb', 'com.example.app://cb?x=1', 'Com.Example-2.App:/cb']) {
    t.equal(redirectUriProblem(uri, 'public'), undefined, uri)
    t.match(redirectUriProblem(uri, 'confidential'), /public clients/, uri)
  }
  t.end()
})

test('an assertion for several servers is refused', async (t) => {
  const running = await startHost(t)
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwks = { keys: [await exportJWK(publicKey)] }
  const { clientId } = await running.client({ tokenEndpointAuthMethod: 'private_key_jwt', jwks })
  const statusFor = async (audience: string | string[]) => {
    const assertion = await new SignJWT({ jti: random() })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(audience)
      .setExpirationTime(Math.floor(running.clock.now().getTime() / 1000) + 60)
      .sign(privateKey)
    const { status } = await running.call('POST', '/oauth/introspect', {
      form: {
        token: 'x',
        client_assertion: assertion,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
      }
    })
    return status
  }
  t.equal(await statusFor(ISSUER), 200)
  t.equal(await statusFor([ISSUER]), 200)
  t.equal(await statusFor([ISSUER, 'https://other.example.test']), 401)
})

const PLATFORM = {
  plugin: oauthPlugin,
  config: { issuer: 'http://localhost', resources: ['/tools'], scopes: ['openid'] },
  viewer: { tenantId: 'acme', role: 'viewer', viewerRef: 'user:ann' }
}

test('people end access from an embedded page, and not from a foreign one', async (t) => {
  const platform = { auth: { embedOrigins: ['https://admin.example.test'] } }
  const host = await createTestHost({ ...PLATFORM, platform })
  t.teardown(() => host.close())
  const endFrom = async (origin: string) => {
    const headers = { origin, cookie: 'session=x' }
    const url = '/oauth/me/grants/none'
    return (await host.app.inject({ method: 'DELETE', url, headers })).statusCode
  }
  t.same(
    [await endFrom('https://admin.example.test'), await endFrom('https://evil.example.test')],
    [404, 403]
  )
})

test('tokens and handles in addresses are not logged', async (t) => {
  const host = await createTestHost(PLATFORM)
  t.teardown(() => host.close())
  host.app.log.level = 'info'
  await host.app.inject('/oauth/jwks?mark=logged')
  for (const url of [
    '/oauth/userinfo?access_token=hidden',
    '/oauth/logout?id_token_hint=hidden',
    '/oauth/authorize?id_token_hint=hidden',
    '/oauth/consent/hidden'
  ]) {
    await host.app.inject(url)
  }
  t.match(JSON.stringify(host.logs), '/oauth/jwks')
  t.notMatch(JSON.stringify(host.logs), 'hidden')
})
