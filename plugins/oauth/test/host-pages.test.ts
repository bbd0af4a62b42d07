// The pages of the protocol: the name and colours of the host on errors and sign-out, and nothing that runs.
import { createHash } from 'node:crypto'
import { test } from 'tap'
import { createPages, inkOn } from '../http/pages.ts'
import { german } from '../http/texts.de.ts'
import { english } from '../http/texts.ts'
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
  const branding = { name: '', logoUrl: undefined, accentColor: undefined }
  t.type(createPages({ branding, locale: 'en' }).in('').send, 'function')
  t.end()
})

test('addresses with tokens are not logged, and HEAD opens nothing', async (t) => {
  const running = await startHost(t)
  const head = await running.app.inject({ method: 'HEAD', url: '/oauth/authorize?client_id=x' })
  t.equal(head.statusCode, 404)
  t.equal(await running.parts.services.collections.requests.countDocuments(), 0)
})

/** Texts of one language by path, with the texts of functions for a name. */
function textsOf(texts: object, path = ''): readonly (readonly [string, string])[] {
  return Object.entries(texts).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === 'object' && value !== null) return textsOf(value, `${path}${key}.`)
    const text: unknown = typeof value === 'function' ? value('X') : value
    return [[`${path}${key}`, String(text)] as const]
  })
}

test('German has every text of English', async (t) => {
  const [de, en] = [textsOf(german), textsOf(english)]
  t.same(
    de.map(([key]) => key),
    en.map(([key]) => key)
  )
  for (const [at, [key, text]] of de.entries()) {
    t.ok(text !== '' && text !== en[at]?.[1], `${key} is translated`)
    t.equal(text.includes('X'), en[at]?.[1].includes('X'), `${key} has the name in it`)
  }
})

test('a refused request is German where it asks for it; error and description stay English', async (t) => {
  const running = await startHost(t, { branding: { name: 'Acme' } })
  const client = await running.client()
  const url = (query: string) => `/oauth/authorize?client_id=${client.clientId}&${query}`
  const query = 'redirect_uri=https://evil.test&ui_locales=fr%20de-AT'
  const { text, status } = await running.call('GET', url(query), { headers: HTML })
  t.equal(status, 400)
  t.match(text, '<html lang="de">')
  t.match(text, '<title>Anfrage abgelehnt · Acme</title>')
  t.match(text, '<h1>Diese Anfrage wurde abgelehnt</h1>')
  t.match(text, '<p>Die Anwendung hat eine ungültige Anfrage gesendet.</p>')
  t.match(text, '<p class="quiet" lang="en">redirect_uri is not registered for this client.</p>')
  t.match(text, /Fehler <code>invalid_request<\/code> · Anfrage <code>req-/)
  const wire = await running.call('GET', url(query))
  t.match(wire.json, {
    error: 'invalid_request',
    error_description: 'redirect_uri is not registered for this client.'
  })
  const posted = await running.call('POST', '/oauth/authorize', {
    form: { client_id: 'ghost', ui_locales: 'de' },
    headers: HTML
  })
  t.match(posted.text, '<p>Die Anwendung ist hier nicht bekannt.</p>')
})

test('without a language that is known the pages are in that of the host', async (t) => {
  const german = await startHost(t, { locale: 'de-CH' })
  const french = await startHost(t, { locale: 'fr' })
  const ask = async (running: typeof german, query: string) => {
    const page = await running.call('GET', `/oauth/authorize?${query}`, { headers: HTML })
    return /<html lang="([^"]*)">/.exec(page.text)?.[1]
  }
  t.equal(await ask(german, ''), 'de')
  t.equal(await ask(german, 'ui_locales=fr'), 'de')
  t.equal(await ask(german, 'ui_locales=en-US'), 'en')
  t.equal(await ask(french, ''), 'en')
  t.equal(await ask(french, `ui_locales=${encodeURIComponent('"><script>')}`), 'en')
  t.equal(await ask(french, 'ui_locales=de&ui_locales=de'), 'en', 'given twice')
})

test('a pushed request that is refused is German where it was pushed so', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const app = actor(running, client)
  const pushed = await app.post(
    '/par',
    Object.fromEntries(new URLSearchParams(app.query({ ui_locales: 'de' }).query))
  )
  const { models } = running.host
  await models.OAuthClient.updateOne(
    { clientId: client.clientId },
    { $set: { redirectUris: ['https://other.test/cb'] } }
  )
  const query = new URLSearchParams({
    client_id: client.clientId,
    request_uri: pushed.json.request_uri
  })
  const { text } = await running.call('GET', `/oauth/authorize?${query}`, { headers: HTML })
  t.match(text, 'redirect_uri is not registered')
  t.match(text, '<html lang="de">')
})

test('sign-out is German where it is asked for so, from the question to the end', async (t) => {
  const running = await startHost(t, { branding: { name: 'Acme' } })
  const client = await running.client({ name: '<b>Bold</b>' })
  const app = actor(running, client)
  const asked = await running.call(
    'GET',
    `/oauth/logout?client_id=${client.clientId}&ui_locales=de`,
    { headers: { ...app.browser(), ...HTML } }
  )
  t.match(asked.text, '<html lang="de">')
  t.match(asked.text, '<h1>Von Acme abmelden?</h1>')
  t.match(asked.text, '&lt;b&gt;Bold&lt;/b&gt; möchte Ihre Sitzung beenden.')
  t.match(asked.text, '<button>Abmelden</button>')
  t.match(asked.text, '>Angemeldet bleiben</a>')
  t.match(asked.text, '<input type="hidden" name="ui_locales" value="de">', 'kept by the answer')
  const done = await running.call('GET', '/oauth/logout?ui_locales=de%20%3Cb%3E', { headers: HTML })
  t.match(done.text, '<h1>Sie sind abgemeldet</h1>')
  t.match(done.text, '<a class="button" href="/login?ui_locales=de">Erneut anmelden</a>')
})
