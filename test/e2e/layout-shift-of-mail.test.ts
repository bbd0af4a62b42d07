// Every page of mail and deliverability holds still while it loads.
// Runs in its own process: it looks at a fresh demo in a fresh browser.
import { browserOptions, closeBrowser } from '@keelson/ui/testing'
import tap from 'tap'
import { type Demo, startFreshDemo } from './demo-in-browser.ts'
import { testStillness } from './stillness.ts'

let demo: Demo = { url: '' }
if (browserOptions.skip === undefined) demo = await startFreshDemo(tap)
tap.teardown(closeBrowser)

testStillness(demo, {
  isOpened: (path) => path.startsWith('/admin/mailer'),
  atLeast: 12,
  calls: { healthy: (route) => route.continue() }
})
