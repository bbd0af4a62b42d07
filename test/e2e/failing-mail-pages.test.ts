// Pages of mail and deliverability while their API fails: one alert with the reason, no zero, no endless wait.
import { browserOptions, closeBrowser } from '@keelson/ui/testing'
import tap from 'tap'
import { sharedDemo, stopSharedDemo } from '../hosts/fresh-demo.ts'
import type { Demo } from './demo-in-browser.ts'
import { testFailures } from './failing-api.ts'

let demo: Demo = { url: '' }
if (browserOptions.skip === undefined) demo = await sharedDemo()
tap.teardown(closeBrowser)
tap.teardown(stopSharedDemo)

const MAIL = '/admin/mailer'

testFailures(demo, {
  isOpened: (path) => path.startsWith(MAIL),
  atLeast: 20,
  api: /\/admin\/mailer\/api\//,
  addresses: {
    [`${MAIL}/template`]: [`${MAIL}/template/newsletter`],
    [`${MAIL}/flow`]: [`${MAIL}/flow/onboarding`],
    [`${MAIL}/broadcast`]: [`${MAIL}/broadcast/spring-news`],
    [`${MAIL}/contact`]: [`${MAIL}/contact/u10`],
    [`${MAIL}/sends`]: [`${MAIL}/sends`, `${MAIL}/sends?send=${'0'.repeat(24)}`]
  }
})
