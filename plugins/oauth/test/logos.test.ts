// Logos of clients: small images from public addresses, served from our own origin with nothing that runs.

import { createTestHost } from '@keelson/sdk/testing'
import { test } from 'tap'
import { MockAgent, fetch as undiciFetch } from 'undici'
import { createLogos, imageType } from '../clients/logos.ts'
import oauthPlugin from '../plugin.ts'

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(40)])

/** Logos from a host with prepared answers, and how often it was asked. */
function played(body: Buffer | string, status = 200) {
  const agent = new MockAgent()
  agent.disableNetConnect()
  let asked = 0
  agent
    .get('https://cdn.example.test')
    .intercept({ path: '/logo' })
    .reply(() => {
      asked++
      return { statusCode: status, data: body }
    })
    .persist()
  let now = 0
  const logos = createLogos(
    { now: () => new Date(now) },
    {
      fetchPublic: ((url: string, init: object) =>
        undiciFetch(url, { ...init, dispatcher: agent })) as never
    }
  )
  return {
    of: () => logos.of('https://cdn.example.test/logo'),
    asked: () => asked,
    advance: (ms: number) => {
      now += ms
    }
  }
}

test('an image is known by its bytes; SVG and documents are none', (t) => {
  t.equal(imageType(PNG), 'image/png')
  t.equal(imageType(Buffer.from('ffd8ffe0', 'hex')), 'image/jpeg')
  t.equal(imageType(Buffer.from('GIF89a...')), 'image/gif')
  t.equal(imageType(Buffer.from('RIFF\0\0\0\0WEBPVP8 ')), 'image/webp')
  for (const other of [
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '<!doctype html>',
    'RIFF0000WAVE',
    ''
  ]) {
    t.equal(imageType(Buffer.from(other)), undefined, other)
  }
  t.end()
})

test('a logo is fetched once an hour, one that failed after five minutes', async (t) => {
  const good = played(PNG)
  t.match(await good.of(), { type: 'image/png', bytes: PNG })
  await good.of()
  t.equal(good.asked(), 1)
  good.advance(3_600_001)
  await good.of()
  t.equal(good.asked(), 2)
  const bad = played('<html>')
  t.equal(await bad.of(), undefined)
  bad.advance(60_000)
  t.equal(await bad.of(), undefined)
  t.equal(bad.asked(), 1)
  bad.advance(300_000)
  await bad.of()
  t.equal(bad.asked(), 2)
})

test('large images, redirects and errors are not shown', async (t) => {
  t.equal(await played(Buffer.concat([PNG, Buffer.alloc(300_000)])).of(), undefined)
  t.equal(await played(PNG, 302).of(), undefined)
  t.equal(await played(PNG, 404).of(), undefined)
})

test('the platform serves the logo of an open request, for the person who decides it', async (t) => {
  const host = await createTestHost({
    plugin: oauthPlugin,
    config: {
      issuer: 'http://localhost',
      branding: { name: 'Acme' },
      resources: ['/tools'],
      scopes: ['openid']
    },
    viewer: { tenantId: '*', role: 'admin', viewerRef: 'user:p' }
  })
  t.teardown(() => host.close())
  const cdn = host.outbound.get('https://cdn.example.test')
  cdn.intercept({ path: '/logo.png' }).reply(200, PNG)
  const open = async (branding: object) => {
    const made = await host.app.inject({
      method: 'POST',
      url: '/oauth/admin/clients',
      payload: {
        name: 'App',
        redirectUris: ['https://app.test/cb'],
        allowedScopes: ['openid'],
        branding
      }
    })
    const asked = await host.app.inject({
      url: '/oauth/authorize',
      query: {
        response_type: 'code',
        client_id: made.json().clientId,
        redirect_uri: 'https://app.test/cb',
        scope: 'openid',
        state: 'st',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256'
      }
    })
    const requestId = new URL(String(asked.headers.location), 'http://localhost').searchParams.get(
      'request_id'
    )
    const cookie = String(asked.headers['set-cookie']).split(';')[0] ?? ''
    return { url: `/oauth/consent/${requestId}`, headers: { cookie } }
  }
  const request = await open({ logoUrl: 'https://cdn.example.test/logo.png' })
  const logo = await host.app.inject({ ...request, url: `${request.url}/logo` })
  t.equal(logo.statusCode, 200)
  t.same(logo.rawPayload, PNG)
  t.match(logo.headers, {
    'content-type': 'image/png',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin'
  })
  const { json } = { json: (await host.app.inject(request)).json() }
  t.match(json.issuer, { name: 'Acme' })
  const again = new URL(json.switchAccount, 'http://localhost')
  t.match(Object.fromEntries(again.searchParams), {
    prompt: 'select_account',
    state: 'st',
    scope: 'openid',
    resource: 'http://localhost/tools'
  })
  t.equal(again.pathname, '/oauth/authorize')
  const bare = await open({})
  t.equal((await host.app.inject({ ...bare, url: `${bare.url}/logo` })).statusCode, 404)
  host.signIn({ tenantId: '*', role: 'admin', viewerRef: 'user:other' })
  t.equal((await host.app.inject({ ...request, url: `${request.url}/logo` })).statusCode, 403)
})
