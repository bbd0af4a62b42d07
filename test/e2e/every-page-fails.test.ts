// Every page of the demo while its API fails: one alert with the reason, no zero, no endless wait.
import { browserOptions, closeBrowser, LOOKS, shownText } from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import tap, { test } from 'tap'
import { sharedDemo, stopSharedDemo } from '../hosts/fresh-demo.ts'
import { type Demo, drawn } from './demo-in-browser.ts'
import { everyPage, MOST_SHIFT, setApi, shiftOf } from './every-page.ts'

let demo: Demo = { url: '' }
if (browserOptions.skip === undefined) demo = await sharedDemo()
tap.teardown(closeBrowser)
tap.teardown(stopSharedDemo)

/** They read nothing before something is pressed. */
const WITHOUT_API = ['/login', '/account/consent', '/account/assistant']
const REASONS = {
  'answers 500': /server answered 500/,
  'cannot be reached': /server cannot be reached/
} as const
const FAILURES = ['answers 500', 'cannot be reached'] as const
type Failure = keyof typeof REASONS

/** A figure that a reader takes for the state of the system: `0`, `0 ms`, `$0.00`, `0 of 10`. */
const ZERO = /(^|[\s(])[$€]?0([.,]0+)?(?=[\s%)]|$)/m
/** What is true only of an answer. */
const CLAIMS = /No [a-z ]+ yet|No data in this range|not found|undefined|NaN/

const retryOf = (page: Page) => page.getByRole('button', { name: 'Try again' })

/** What is wrong with a page that cannot be read; empty when it says why, once. */
async function faultsOf(page: Page, failure: Failure): Promise<readonly string[]> {
  await drawn(page)
  const text = await shownText(page)
  const alerts = await page.getByRole('alert').count()
  const retries = await retryOf(page).count()
  return [
    ...(alerts === 1 ? [] : [`${alerts} alerts`]),
    ...(retries === 1 ? [] : [`${retries} buttons to try again`]),
    ...(REASONS[failure].test(text) ? [] : [`does not say why: ${text}`]),
    ...(ZERO.test(text) ? [`a figure is zero: ${text}`] : []),
    ...(CLAIMS.test(text) ? [`claims: ${CLAIMS.exec(text)}`] : [])
  ]
}

/** Half of the pages are opened in each look, and turn to the other one. */
for (const [at, look] of LOOKS.entries()) {
  const other = LOOKS[1 - at] ?? look
  const [first, then] = at === 0 ? FAILURES : ([FAILURES[1], FAILURES[0]] as const)
  test(`a page whose API ${first} says why, ${look.colorScheme}, ${look.viewport.width} pixels`, {
    ...browserOptions,
    timeout: 300_000
  }, async (t) => {
    const paths = await everyPage(t, demo, {
      look,
      api: first,
      except: WITHOUT_API,
      isVisited: (index) => index % 2 === at,
      async visit(page, path) {
        t.same(await faultsOf(page, first), [], path)
        const shift = await shiftOf(page)
        t.ok(shift <= MOST_SHIFT, `${path}: moves by ${shift.toFixed(4)}`)
        await setApi(page, then)
        await page.setViewportSize(other.viewport)
        await page.emulateMedia({ colorScheme: other.colorScheme })
        // On a phone the panel of a record covers the button.
        await retryOf(page).dispatchEvent('click')
        await page.getByText(REASONS[then]).first().waitFor()
        t.same(await faultsOf(page, then), [], `${path}, tried again: its API ${then}`)
        await page.setViewportSize(look.viewport)
        await page.emulateMedia({ colorScheme: look.colorScheme })
      }
    })
    t.ok(paths.length > 17, `${paths.length} pages`)
  })
}
