// Tests get pages that no earlier test has left its mark on.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import tap, { type Test, test } from 'tap'
import { browserOptions, closeBrowser, openPage } from './browser.ts'

tap.teardown(closeBrowser)

async function serve(t: Test): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<title>Page</title>')
  })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Runs an act on a page as another test does. */
async function inTest(act: (page: Page) => Promise<void>): Promise<void> {
  const ends: (() => Promise<void>)[] = []
  const { page } = await openPage({ teardown: (end) => void ends.push(end) })
  await act(page)
  for (const end of ends) await end()
}

const marksOf = (page: Page) =>
  page.evaluate(() => ({
    cookie: document.cookie,
    local: localStorage.length,
    session: sessionStorage.length,
    history: history.length,
    width: innerWidth,
    isDark: matchMedia('(prefers-color-scheme: dark)').matches
  }))

test('a page is used again without what an earlier test left in it', browserOptions, async (t) => {
  const url = await serve(t)
  const pages: Page[] = []
  const seen: string[] = []
  let unmarked: object = {}
  await inTest(async (page) => {
    pages.push(page)
    await page.goto(url)
    unmarked = await marksOf(page)
    page.on('request', (request) => seen.push(request.url()))
    await page.context().addCookies([{ name: 'a', value: '1', url }])
    await page.route('**/routed', (route) => route.fulfill({ body: 'routed' }))
    await page.setViewportSize({ width: 380, height: 700 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.evaluate(() => {
      localStorage.setItem('a', '1')
      sessionStorage.setItem('a', '1')
      history.pushState(null, '', '?next')
      window.open('about:blank')
    })
  })
  await inTest(async (page) => {
    pages.push(page)
    await page.goto(url)
    t.same(await marksOf(page), unmarked)
    await page.goto(`${url}routed`)
    t.equal(await page.title(), 'Page')
    t.equal(page.context().pages().length, 1)
  })
  t.equal(pages[0], pages[1])
  t.same(seen, [])
})

test('a page that was given a script for good is not used again', browserOptions, async (t) => {
  const url = await serve(t)
  await inTest(async (page) => {
    await page.addInitScript(() => Object.assign(window, { marked: true }))
    await page.goto(url)
  })
  await inTest(async (page) => {
    await page.goto(url)
    t.equal(await page.evaluate(() => 'marked' in window), false)
  })
})

test(
  'a page is used again in another look, and not for another time zone',
  browserOptions,
  async (t) => {
    const pages: Page[] = []
    const look = async (options: Parameters<typeof openPage>[1]) => {
      const ends: (() => Promise<void>)[] = []
      const { page } = await openPage({ teardown: (end) => void ends.push(end) }, options)
      pages.push(page)
      const { width, isDark } = await page.evaluate(() => ({
        width: innerWidth,
        isDark: matchMedia('(prefers-color-scheme: dark)').matches
      }))
      for (const end of ends) await end()
      return `${width} ${isDark ? 'dark' : 'light'}`
    }
    t.equal(await look({}), '1280 light')
    t.equal(await look({ viewport: { width: 380, height: 800 }, colorScheme: 'dark' }), '380 dark')
    t.equal(await look({}), '1280 light')
    await look({ timezoneId: 'Europe/Berlin' })
    t.equal(pages[0], pages[1])
    t.equal(pages[0], pages[2])
    t.not(pages[0], pages[3])
  }
)
