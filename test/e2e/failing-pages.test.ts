// Pages of telemetry and OAuth while their API fails: one alert with the reason, no zero, no endless wait.
import { browserOptions, closeBrowser } from '@keelson/ui/testing'
import tap from 'tap'
import { sharedDemo, stopSharedDemo } from '../hosts/fresh-demo.ts'
import type { Demo } from './demo-in-browser.ts'
import { testFailures } from './failing-api.ts'

let demo: Demo = { url: '' }
if (browserOptions.skip === undefined) demo = await sharedDemo()
tap.teardown(closeBrowser)
tap.teardown(stopSharedDemo)

const PAGES = /^\/(telemetry|admin\/oauth|account\/grants|dev)\b/

testFailures(demo, {
  isOpened: (path) => PAGES.test(path),
  atLeast: 17,
  api: /\/telemetry\/api\/|\/oauth\/(admin|me|consent)|\/dev\/mailbox\/messages/
})
