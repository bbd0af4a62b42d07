// The consent page in German: for a client that asks for it, from the first word to the last.
import { browserOptions, closeBrowser, faultsInEveryLook, shownText } from '@keelson/ui/testing'
import tap, { type Test, test } from 'tap'
import german from '../pages/consent/texts.de.json' with { type: 'json' }
import english from '../pages/consent/texts.en.json' with { type: 'json' }
import { authorizeAddress, BOB, createClient, openBrowser, sharedPlatform } from './page-host.ts'

tap.teardown(closeBrowser)
const platformOf = sharedPlatform(tap)

test('each English text is translated', async (t) => {
  const translated: Readonly<Record<string, unknown>> = german
  for (const [key, text] of Object.entries(english)) t.not(translated[key], text, key)
})

/** What an English text says between its placeholders. */
const ENGLISH = Object.values(english)
  .flatMap((text) => text.split(/\{\w+\}/))
  .map((part) => part.trim())
  .filter((part) => part.length > 2)

/** Parts of English texts that a page shows as whole words. */
const leftovers = (shown: string): readonly string[] =>
  ENGLISH.filter((part) => {
    const literal = part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return new RegExp(`(?<!\\p{L})${literal}(?!\\p{L})`, 'u').test(shown)
  })

async function open(
  t: Test,
  { client = {}, browser = {}, ui_locales = 'fr de-AT en' }: Record<string, object | string> = {}
) {
  const platform = await platformOf()
  const made = await createClient(platform, client as object)
  const opened = await openBrowser(t, browser as object)
  const loaded: string[] = []
  opened.page.on('request', (request) => void loaded.push(request.url()))
  const more = { ui_locales: String(ui_locales) }
  await opened.page.goto(authorizeAddress(platform, made, more))
  return { ...opened, platform, loaded }
}

const HEADING = { level: 1, name: 'Zugriff für Example App erlauben?' } as const

test('the consent page is German for a client that asks for it', browserOptions, async (t) => {
  const branding = { publisher: 'Beispiel GmbH', privacyUrl: 'https://example.test/privacy' }
  const opened = await open(t, {
    client: {
      type: 'public',
      redirectUris: ['http://127.0.0.1/cb', 'https://app.example.test/callback'],
      branding
    }
  })
  const { page, faults } = opened
  await page.getByRole('heading', HEADING).waitFor()
  t.equal(await page.locator('html').getAttribute('lang'), 'de')
  t.match(await page.title(), /^Zugriff erlauben/)
  const shown = await shownText(page)
  t.same(leftovers(shown), [], shown)
  t.match(shown, /Sonst gilt der Zugriff 1 Std\. lang\./)
  t.match(shown, /Diese Anfrage läuft um \d\d:\d\d Uhr ab\./)
  t.same(await faultsInEveryLook(page), [])
  t.same(faults, [])
})

test('a reload keeps the language, and the answer goes back', browserOptions, async (t) => {
  const { page, arrived } = await open(t)
  await page.getByRole('heading', HEADING).waitFor()
  await page.reload()
  await page.getByRole('heading', HEADING).waitFor()
  await page.locator('.answer[data-calm]').waitFor()
  await page.getByRole('button', { name: 'Ablehnen' }).click()
  t.match(await arrived(), { error: 'access_denied', state: 'st' })
})

test('German is loaded only where it is shown', browserOptions, async (t) => {
  const english = await open(t, { ui_locales: 'fr' })
  await english.page.getByRole('heading', { name: 'Allow Example App access?' }).waitFor()
  const isGerman = (url: string) => /german|texts\.de/.test(url)
  t.same(english.loaded.filter(isGerman), [])
  const german = await open(t)
  await german.page.getByRole('heading', HEADING).waitFor()
  t.equal(german.loaded.filter(isGerman).length, 2)
})

test('a request that cannot be answered is explained in German', browserOptions, async (t) => {
  const { page, platform } = await open(t)
  await page.getByRole('heading', HEADING).waitFor()
  const words = async (heading: string) => {
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    const shown = await shownText(page)
    t.same(leftovers(shown), [], shown)
  }
  platform.host.signIn(BOB)
  await page.reload()
  await words('Diese Anfrage gehört zu einem anderen Konto')
  const address = new URL(page.url())
  address.searchParams.delete('request_id')
  await page.goto(address.href)
  await words('Diese Anfrage ist abgelaufen')
})

test('a person who was signed out meanwhile signs in in German', browserOptions, async (t) => {
  const { page, platform } = await open(t)
  await page.getByRole('heading', HEADING).waitFor()
  platform.host.signIn(null)
  await page.locator('.answer[data-calm]').waitFor()
  await page.getByRole('button', { name: 'Erlauben' }).click()
  const link = page.locator('.notice').getByRole('link', { name: 'Anmelden' })
  const href = new URL((await link.getAttribute('href')) ?? '', page.url())
  t.equal(href.searchParams.get('ui_locales'), 'fr de-AT en')
})

test(
  'a decision that fails and a request that does not load show German messages',
  browserOptions,
  async (t) => {
    const { page } = await open(t)
    await page.getByRole('heading', HEADING).waitFor()
    let status = 429
    await page.route('**/oauth/consent/*', (route) => {
      const error = status === 429 ? 'too_many_requests' : 'server_error'
      return route.fulfill({
        status,
        json: { error, message: 'Too many requests. Try again later.' }
      })
    })
    await page.locator('.answer[data-calm]').waitFor()
    await page.getByRole('button', { name: 'Erlauben' }).click()
    await page
      .getByRole('alert')
      .getByText('Ihre Antwort wurde nicht gesendet: Zu viele Anfragen. Warten Sie kurz')
      .waitFor()
    status = 500
    await page.reload()
    await page.getByRole('alert').getByText('Auf dem Server ist ein Fehler aufgetreten.').waitFor()
    await page.getByRole('button', { name: 'Erneut versuchen' }).waitFor()
    t.notMatch(await shownText(page), 'Too many')
  }
)
