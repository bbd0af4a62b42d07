// The Dashboard page in a browser, before the real server.
import { browserOptions, closeBrowser, faultsInEveryLook } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { openMail, sharedPlatform } from './page-host.ts'
import { publish, sendOne } from './platform-mailer.ts'

tap.teardown(closeBrowser)
const platformOf = sharedPlatform(tap)

test('an empty mailer shows what to set up and no false figures', browserOptions, async (t) => {
  const { page, show, faults } = await openMail(t, platformOf)
  await show('')
  await page.getByText('No mail was sent yet').waitFor()
  t.equal(await page.locator('h1').textContent(), 'Mail')
  t.match(await page.getByRole('group', { name: 'Delivered' }).textContent(), /–\s*no mail in 24 h/)
  await page.getByRole('region', { name: 'Setup' }).getByText('to do').waitFor()
  t.same(faults, [])
})

test('mails and changes are on the dashboard', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  await publish(platform, { slug: 'receipt', kind: 'transactional' })
  await sendOne(platform, 'receipt')
  await show('')
  const mails = page.getByRole('region', { name: 'Latest mails' })
  await mails.getByRole('link', { name: 'c1@example.test' }).waitFor()
  await page.getByRole('region', { name: 'Latest changes' }).getByText('template.publish').waitFor()
})

test('figures that cannot be read are dashes, and can be read again', browserOptions, async (t) => {
  const { page, show } = await openMail(t, platformOf)
  const api = '**/admin/mailer/api/dashboard'
  await page.route(api, (route) => route.fulfill({ status: 503, json: {} }))
  await show('')
  await page.getByRole('alert').first().waitFor()
  t.match(await page.getByRole('group', { name: 'Sent' }).textContent(), /–/)
  await page.unroute(api)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('region', { name: 'Queue' }).getByText('Due now').waitFor()
})

test('the dashboard passes axe and does not scroll sideways', browserOptions, async (t) => {
  const opened = await openMail(t, platformOf)
  await opened.show('')
  await opened.page.getByText('Due now').waitFor()
  await opened.page.getByText(/to do|all checks passed/).waitFor()
  t.same(await faultsInEveryLook(opened.page), [])
})
