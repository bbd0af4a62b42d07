// How a test finds pages of the demo that move while they load.
import { browserOptions, openPage } from '@keelson/ui/testing'
import type { Route } from 'playwright-core'
import { test } from 'tap'
import { type Demo, drawn, pathsOf, signIn } from './demo-in-browser.ts'

/** The sum of shifts that a page may have: "good" by https://web.dev/articles/cls is 0.1. */
const MOST = 0.05
const ADMIN = 'admin@acme.test'

const API = /\/telemetry\/api\/|\/oauth\/(admin|me|consent)/

/** In the page: adds up how much of the window moved, and how far. */
const COUNT_SHIFT = `window.shift = 0
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) window.shift += value
}).observe({ type: 'layout-shift', buffered: true })`

/** Pages that are opened, and what happens to their calls. */
export interface Stillness {
  /** Of all pages of the navigation. */
  readonly isOpened: (path: string) => boolean
  readonly atLeast: number
  /** By the state of the API; undefined where it answers as it does. */
  readonly calls: Readonly<Record<string, ((route: Route) => Promise<void>) | undefined>>
}

/** A test for each width and each state of the API. */
export function testStillness(demo: Demo, { isOpened, atLeast, calls }: Stillness): void {
  for (const width of [380, 1280]) {
    for (const [name, handle] of Object.entries(calls)) {
      test(`no page moves by more than ${MOST} at ${width} pixels, API ${name}`, {
        ...browserOptions,
        timeout: 300_000
      }, async (t) => {
        const { page } = await openPage(t, { viewport: { width, height: 800 } })
        await page.addInitScript(COUNT_SHIFT)
        await signIn(page, demo, ADMIN, '/telemetry/overview')
        const paths = (await pathsOf(page)).filter(isOpened)
        t.ok(paths.length >= atLeast)
        // A page whose calls are watched has no cache, so only those that need it are.
        if (handle !== undefined) {
          await page.route(API, (route) =>
            // A page that was left does not wait for its answers.
            handle(route).catch(() => undefined)
          )
        }
        for (const path of paths) {
          await page.goto(`${demo.url}${path}`)
          await drawn(page)
          const shift = Number(await page.evaluate('window.shift'))
          t.ok(shift <= MOST, `${path}: ${shift.toFixed(4)}`)
        }
      })
    }
  }
}
