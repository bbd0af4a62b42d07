// Pages of mail and deliverability while their API fails: one alert with the reason, no zero, no endless wait.
// Runs in its own process: it looks at a fresh demo in a fresh browser.
import { browserOptions, closeBrowser } from '@keelson/ui/testing'
import tap from 'tap'
import { type Demo, startFreshDemo } from './demo-in-browser.ts'
import { testFailures } from './failing-api.ts'

let demo: Demo = { url: '' }
if (browserOptions.skip === undefined) demo = await startFreshDemo(tap)
tap.teardown(closeBrowser)

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
