// Pages of telemetry and OAuth while their API fails: one alert with the reason, no zero, no endless wait.
// Runs in its own process: it looks at a fresh demo in a fresh browser.
import { browserOptions, closeBrowser, openPage, shownText } from '@keelson/ui/testing'
import type { Route } from 'playwright-core'
import tap, { test } from 'tap'
import { type Demo, drawn, pathsOf, signIn, startFreshDemo } from './demo-in-browser.ts'

let demo: Demo = { url: '' }
if (browserOptions.skip === undefined) demo = await startFreshDemo(tap)
tap.teardown(closeBrowser)

/** What becomes of the calls of a page, and what the page says of it. */
const FAILURES: Readonly<Record<string, { fail(route: Route): Promise<void>; reason: RegExp }>> = {
  'answers 500': {
    fail: (route) => route.fulfill({ status: 500, json: { error: 'internal_error' } }),
    reason: /server answered 500/
  },
  'cannot be reached': {
    fail: (route) => route.abort('connectionrefused'),
    reason: /server cannot be reached/
  }
}

/** The API of a page, and not its files. */
const API = /\/telemetry\/api\/|\/oauth\/(admin|me|consent)|\/dev\/mailbox\/messages/
/** A figure that a reader takes for the state of the system: `0`, `0 ms`, `$0.00`, `0 of 10`. */
const ZERO = /(^|[\s(])[$€]?0([.,]0+)?(?=[\s%)]|$)/m
const PAGES = /^\/(telemetry|admin\/oauth|account\/grants|dev)\b/

for (const [name, { fail, reason }] of Object.entries(FAILURES)) {
  for (const width of [380, 1280]) {
    test(`each page says why at ${width} pixels, while its API ${name}`, {
      ...browserOptions,
      timeout: 300_000
    }, async (t) => {
      const colorScheme = width === 380 ? 'dark' : 'light'
      const { page } = await openPage(t, { viewport: { width, height: 800 }, colorScheme })
      await signIn(page, demo, 'admin@acme.test', '/telemetry/overview')
      const paths = (await pathsOf(page)).filter((path) => PAGES.test(path))
      t.ok(paths.length >= 17)
      // A page that was left does not wait for its answers.
      await page.route(API, (route) => fail(route).catch(() => undefined))
      for (const path of paths) {
        await page.goto(`${demo.url}${path}`)
        await drawn(page)
        const text = await shownText(page)
        t.equal(await page.getByRole('alert').count(), 1, `${path}: one alert`)
        t.match(text, reason, `${path}: it says why`)
        t.equal(await page.getByRole('button', { name: 'Try again' }).count(), 1, path)
        t.notMatch(text, ZERO, `${path}: no figure is zero`)
        t.notMatch(text, /No [a-z ]+ yet|No data in this range|undefined|NaN/, path)
      }
    })
  }
}
