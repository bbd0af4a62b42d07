// Every page of the demo holds still while it loads: with the API as it is, slow, and failing.
import { browserOptions, closeBrowser, openPage } from '@keelson/ui/testing'
import type { Route } from 'playwright-core'
import tap, { test } from 'tap'
import { type Demo, drawn, pathsOf, signIn, startFreshDemo } from './demo-in-browser.ts'

/** The sum of shifts that a page may have: "good" by https://web.dev/articles/cls is 0.1. */
const MOST = 0.05
const ADMIN = 'admin@acme.test'

let demo: Demo = { url: '' }
if (browserOptions.skip === undefined) demo = await startFreshDemo(tap)
tap.teardown(closeBrowser)

/** Parts of a page arrive one after the other, as over a slow network. */
function delayOf(url: string): number {
  const { pathname, searchParams } = new URL(url)
  const text = `${pathname} ${searchParams.get('groupBy')} ${searchParams.get('by')}`
  return 40 + ([...text].reduce((sum, one) => sum + one.charCodeAt(0), 0) % 5) * 40
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What happens to the calls of a page. */
const APIS: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  healthy: (route) => route.continue(),
  slow: async (route) => {
    await wait(delayOf(route.request().url()))
    await route.continue()
  },
  failing: async (route) => {
    await wait(delayOf(route.request().url()))
    await route.fulfill({ status: 500, json: { error: 'internal_error' } })
  }
}

/** In the page: adds up how much of the window moved, and how far. */
const COUNT_SHIFT = `window.shift = 0
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) window.shift += value
}).observe({ type: 'layout-shift', buffered: true })`

for (const width of [380, 1280]) {
  for (const [name, handle] of Object.entries(APIS)) {
    test(`no page moves by more than ${MOST} at ${width} pixels, API ${name}`, {
      ...browserOptions,
      timeout: 300_000
    }, async (t) => {
      const { page } = await openPage(t, { viewport: { width, height: 800 } })
      await page.addInitScript(COUNT_SHIFT)
      await signIn(page, demo, ADMIN, '/telemetry/overview')
      const paths = await pathsOf(page)
      t.ok(paths.length >= 18)
      await page.route(/\/telemetry\/api\/|\/oauth\/(admin|me|consent)/, async (route) => {
        // A page that was left does not wait for its answers.
        await handle(route).catch(() => undefined)
      })
      for (const path of paths) {
        await page.goto(`${demo.url}${path}`)
        await drawn(page)
        const shift = Number(await page.evaluate('window.shift'))
        t.ok(shift <= MOST, `${path}: ${shift.toFixed(4)}`)
      }
    })
  }
}
