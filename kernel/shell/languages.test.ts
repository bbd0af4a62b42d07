// The language of documents: that of the shell, or that a request asks for.
import { test } from 'tap'
import { build, HTML } from './testing/sample-shell.ts'

const LANGUAGE = /<html lang="([^"]*)"/

test('the sign-in page is in the language that its address asks for, else in that of the shell', async (t) => {
  const asked = async (query: string, locale = 'en-GB') => {
    const { app } = await build(t, { locale })
    const { body } = await app.inject({ url: `/login${query}` })
    t.notMatch(body, /onload|fr de/, 'nothing of the address is in the page')
    return LANGUAGE.exec(body)?.[1]
  }
  t.equal(await asked('?ui_locales=fr%20de%20en'), 'de')
  t.equal(await asked('?ui_locales=de-AT'), 'de')
  t.equal(await asked('?ui_locales=en', 'de'), 'en')
  t.equal(await asked(''), 'en-GB')
  t.equal(await asked('', 'de-CH'), 'de-CH')
  t.equal(await asked('', 'fr'), 'en', 'the form has no French')
  for (const hostile of [
    'fr',
    '"onload="x',
    '%00',
    '&ui_locales=de&ui_locales=en',
    'x'.repeat(9000)
  ])
    t.equal(await asked(`?ui_locales=${hostile}`), 'en-GB', hostile.slice(0, 40))
})

test('a page that is alone takes the language of its address where it has a title in it', async (t) => {
  const built = await build(t)
  const titles = { en: 'Allow access', de: 'Zugriff erlauben' }
  built.pages = built.pages.map((page) => ({
    ...page,
    ...(page.id !== 'settings' && { alone: page.id === 'list' }),
    ...(page.id !== 'about' && { titles })
  }))
  const shown = async (url: string) => {
    const { body } = await built.app.inject({ url, headers: HTML })
    return [LANGUAGE.exec(body)?.[1], /<title>(.*?) · /.exec(body)?.[1]]
  }
  t.same(await shown('/notes/list?ui_locales=fr+de-AT'), ['de', 'Zugriff erlauben'])
  t.same(await shown('/notes/list?ui_locales=fr'), ['en-GB', 'list'])
  t.same(await shown('/notes/list'), ['en-GB', 'list'])
  t.same(await shown('/notes/start?ui_locales=de'), ['en-GB', 'Start &amp; more'], 'not alone')
})

test('the way to the sign-in keeps the languages that were asked for', async (t) => {
  const built = await build(t)
  built.viewer = null
  const { headers } = await built.app.inject({
    url: '/notes/list?ui_locales=de-AT%20%3Cb%3E%20en',
    headers: HTML
  })
  const to = new URL(String(headers.location), 'http://localhost')
  t.equal(to.searchParams.get('ui_locales'), 'de-AT en')
  const foreign = await build(t, { signIn: '/enter' })
  const form = await foreign.app.inject({ url: '/login?next=%2Fa&ui_locales=de', headers: HTML })
  t.equal(form.headers.location, '/enter?next=%2Fa&ui_locales=de')
})

test('a document is in the chosen language, else in that of the browser, else in that of the shell', async (t) => {
  const shown = async (headers: Readonly<Record<string, string>>, locale = 'en-GB') => {
    const { app } = await build(t, { locale })
    const { body } = await app.inject({ url: '/notes/list', headers: { ...HTML, ...headers } })
    return LANGUAGE.exec(body)?.[1]
  }
  const accepts = (header: string) => ({ 'accept-language': header })
  const chose = (cookie: string, header = '') => ({ cookie, ...accepts(header) })
  t.equal(await shown({}), 'en-GB')
  t.equal(await shown(accepts('de-AT,de;q=0.9,en;q=0.8')), 'de')
  t.equal(await shown(accepts('fr, de;q=0.4, en;q=0.7')), 'en-GB', 'English of the shell')
  t.equal(await shown(accepts('en-US,en;q=0.9'), 'de'), 'en')
  t.equal(await shown(accepts('de;q=0, fr'), 'de-CH'), 'de-CH')
  t.equal(await shown(chose('a=1; keelson_language=de', 'en')), 'de')
  t.equal(await shown(chose('keelson_language=en', 'de'), 'de'), 'en')
  for (const hostile of ['keelson_language=<b>', 'keelson_language=fr', 'xkeelson_language=de'])
    t.equal(await shown(chose(hostile)), 'en-GB', hostile)
})
