// The pages of the protocol: the name and colours of the host on errors and sign-out, and nothing that runs.
import { createHash } from 'node:crypto'
import { test } from 'tap'
import { createPages, inkOn } from '../http/pages.ts'
import { actor, ISSUER, startHost } from './flow.ts'

const HTML = { accept: 'text/html' }

test('a refused request is a page with the name of the host, a main landmark and a request id', async (t) => {
  const running = await startHost(t, { branding: { name: 'Acme & Sons', accentColor: '#123456' } })
  const page = await running.call('GET', '/oauth/authorize?client_id=ghost', { headers: HTML })
  t.equal(page.status, 400)
  t.match(page.text, '<main>')
  t.match(page.text, /<p class="brand">.*Acme &amp; Sons<\/p>/)
  t.match(page.text, '<h1>This request was refused</h1>')
  t.match(page.text, /Error <code>invalid_client<\/code> · Request <code>req-[^<]+<\/code>/)
  t.match(page.text, '<title>Request refused · Acme &amp; Sons</title>')
  t.match(page.text, 'background:#123456;color:#fff')
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(page.text) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = String(page.headers['content-security-policy'])
  t.match(policy, `style-src 'sha256-${hash}'`)
  t.notMatch(policy, 'script-src')
  t.notMatch(policy, 'img-src')
})

test('without branding the page names the host of the issuer', async (t) => {
  const running = await startHost(t)
  const page = await running.call('GET', '/oauth/authorize', { headers: HTML })
  t.match(page.text, /<span class="mark" aria-hidden="true">I<\/span>id\.example\.test<\/p>/)
})

test('a logo of the host is the only image that a page may load', async (t) => {
  const policyWith = async (logoUrl: string) => {
    const running = await startHost(t, { branding: { name: 'Acme', logoUrl } })
    const { headers, text } = await running.call('GET', '/oauth/authorize', { headers: HTML })
    t.match(text, `src="${logoUrl}"`)
    return String(headers['content-security-policy'])
  }
  t.match(await policyWith('/logo.png'), "img-src 'self'")
  t.match(await policyWith('https://cdn.example.test/a.png'), 'img-src https://cdn.example.test;')
})

test('sign-out names the host and the client that asks, and leads on', async (t) => {
  const running = await startHost(t, { branding: { name: 'Acme' } })
  const client = await running.client({ name: '<b>Bold</b>' })
  const app = actor(running, client)
  const asked = await running.call('GET', `/oauth/logout?client_id=${client.clientId}`, {
    headers: { ...app.browser(), ...HTML }
  })
  t.match(asked.text, '<h1>Sign out of Acme?</h1>')
  t.match(asked.text, '&lt;b&gt;Bold&lt;/b&gt; asks to end your session.')
  t.match(asked.text, `<a href="${ISSUER}/">Stay signed in</a>`)
  const done = await running.call('GET', '/oauth/logout', { headers: HTML })
  t.match(done.text, '<h1>You are signed out</h1>')
  t.match(done.text, '<a class="button" href="/login">Sign in again</a>')
})

test('the ink on a colour is the one that reads better', (t) => {
  t.same(['#ffffff', '#ffd700', '#0b6e8f', '#000000'].map(inkOn), ['#000', '#000', '#fff', '#fff'])
  t.type(createPages({ name: '', logoUrl: undefined, accentColor: undefined }).send, 'function')
  t.end()
})

test('addresses with tokens are not logged, and HEAD opens nothing', async (t) => {
  const running = await startHost(t)
  const head = await running.app.inject({ method: 'HEAD', url: '/oauth/authorize?client_id=x' })
  t.equal(head.statusCode, 404)
  t.equal(await running.parts.services.collections.requests.countDocuments(), 0)
})
