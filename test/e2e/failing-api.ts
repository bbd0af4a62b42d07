// How a test looks at pages whose API fails: one alert with the reason, no zero, no endless wait.
import { browserOptions, openPage, shownText } from '@keelson/ui/testing'
import type { Page, Route } from 'playwright-core'
import { test } from 'tap'
import { type Demo, drawn, pathsOf, signIn } from './demo-in-browser.ts'

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

/** A figure that a reader takes for the state of the system: `0`, `0 ms`, `$0.00`, `0 of 10`. */
const ZERO = /(^|[\s(])[$€]?0([.,]0+)?(?=[\s%)]|$)/m
/** What is true only of an answer. */
const CLAIMS = /No [a-z ]+ yet|No data in this range|not found|undefined|NaN/
/** Pages that are looked at at once. */
const TABS = 3

/** Pages that are opened while their API fails. */
export interface FailingPages {
  /** Of all pages of the navigation. */
  readonly isOpened: (path: string) => boolean
  readonly atLeast: number
  /** The API of the pages, and not their files. */
  readonly api: RegExp
  /** Addresses in place of a path, for pages of one thing. */
  readonly addresses?: Readonly<Record<string, readonly string[]>>
}

/** A test for each failure and each width. */
export function testFailures(demo: Demo, pages: FailingPages): void {
  const { isOpened, atLeast, api, addresses = {} } = pages
  for (const [name, { fail, reason }] of Object.entries(FAILURES)) {
    for (const width of [380, 1280]) {
      test(`each page says why at ${width} pixels, while its API ${name}`, {
        ...browserOptions,
        timeout: 300_000
      }, async (t) => {
        const colorScheme = width === 380 ? 'dark' : 'light'
        const { page } = await openPage(t, { viewport: { width, height: 800 }, colorScheme })
        await signIn(page, demo, 'admin@acme.test', '/telemetry/overview')
        const found = (await pathsOf(page)).filter(isOpened)
        t.ok(found.length >= atLeast)
        const paths = found.flatMap((path) => addresses[path] ?? [path])
        const newTab = async () => {
          const tab = await page.context().newPage()
          // A page that was left does not wait for its answers.
          await tab.route(api, (route) => fail(route).catch(() => undefined))
          return tab
        }
        await eachPath(paths, newTab, async (tab, path) => {
          await tab.goto(`${demo.url}${path}`)
          await drawn(tab)
          const text = await shownText(tab)
          t.equal(await tab.getByRole('alert').count(), 1, `${path}: one alert`)
          t.match(text, reason, `${path}: it says why`)
          t.equal(await tab.getByRole('button', { name: 'Try again' }).count(), 1, path)
          t.notMatch(text, ZERO, `${path}: no figure is zero`)
          t.notMatch(text, CLAIMS, path)
        })
      })
    }
  }
}

/** Opens each path in one of a few tabs. */
async function eachPath(
  paths: readonly string[],
  newTab: () => Promise<Page>,
  look: (tab: Page, path: string) => Promise<void>
): Promise<void> {
  const waiting = [...paths]
  const work = async () => {
    const tab = await newTab()
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift())
      await look(tab, path)
    await tab.close()
  }
  await Promise.all(Array.from({ length: TABS }, work))
}
