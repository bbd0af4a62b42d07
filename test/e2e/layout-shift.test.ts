// Every page of telemetry and OAuth holds still while it loads: with the API as it is, slow, and failing.
import { browserOptions, closeBrowser } from '@keelson/ui/testing'
import type { Route } from 'playwright-core'
import tap from 'tap'
import { sharedDemo, stopSharedDemo } from '../hosts/fresh-demo.ts'
import type { Demo } from './demo-in-browser.ts'
import { testStillness } from './stillness.ts'

let demo: Demo = { url: '' }
if (browserOptions.skip === undefined) demo = await sharedDemo()
tap.teardown(closeBrowser)
tap.teardown(stopSharedDemo)

/** Parts of a page arrive one after the other, as over a slow network. */
function delayOf(url: string): number {
  const { pathname, searchParams } = new URL(url)
  const text = `${pathname} ${searchParams.get('groupBy')} ${searchParams.get('by')}`
  return 40 + ([...text].reduce((sum, one) => sum + one.charCodeAt(0), 0) % 5) * 40
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What happens to the calls of a page. */
const APIS: Readonly<Record<string, ((route: Route) => Promise<void>) | undefined>> = {
  healthy: undefined,
  slow: async (route) => {
    await wait(delayOf(route.request().url()))
    await route.continue()
  },
  failing: async (route) => {
    await wait(delayOf(route.request().url()))
    await route.fulfill({ status: 500, json: { error: 'internal_error' } })
  }
}

testStillness(demo, {
  isOpened: (path) => !path.startsWith('/admin/mailer'),
  atLeast: 17,
  calls: APIS
})
