// Pages of telemetry and OAuth while their API fails: one alert with the reason, no zero, no endless wait.
// Runs in its own process: it looks at a fresh demo in a fresh browser.
import { browserOptions, closeBrowser } from '@keelson/ui/testing'
import tap from 'tap'
import { type Demo, startFreshDemo } from './demo-in-browser.ts'
import { testFailures } from './failing-api.ts'

let demo: Demo = { url: '' }
if (browserOptions.skip === undefined) demo = await startFreshDemo(tap)
tap.teardown(closeBrowser)

const PAGES = /^\/(telemetry|admin\/oauth|account\/grants|dev)\b/

testFailures(demo, {
  isOpened: (path) => PAGES.test(path),
  atLeast: 17,
  api: /\/telemetry\/api\/|\/oauth\/(admin|me|consent)|\/dev\/mailbox\/messages/
})
