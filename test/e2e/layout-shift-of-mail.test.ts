// Every page of mail and deliverability holds still while it loads.
import { browserOptions, closeBrowser } from '@keelson/ui/testing'
import tap from 'tap'
import { sharedDemo, stopSharedDemo } from '../hosts/fresh-demo.ts'
import type { Demo } from './demo-in-browser.ts'
import { testStillness } from './stillness.ts'

let demo: Demo = { url: '' }
if (browserOptions.skip === undefined) demo = await sharedDemo()
tap.teardown(closeBrowser)
tap.teardown(stopSharedDemo)

testStillness(demo, {
  isOpened: (path) => path.startsWith('/admin/mailer'),
  atLeast: 12,
  calls: { healthy: undefined }
})
