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
  t.match(
    await page.getByRole('group', { name: 'Delivered' }).textContent(),
    /–\s*no mail in this period/
  )
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
  await page
    .getByRole('region', { name: 'Latest changes' })
    .getByText('Template published')
    .waitFor()
})

test(
  'held mails and paused broadcasts are on the dashboard, each with its page',
  browserOptions,
  async (t) => {
    const { page, show, platform, faults } = await openMail(t, platformOf)
    await publish(platform, { slug: 'waits', kind: 'transactional' })
    const id = await sendOne(platform, 'waits')
    const sends = platform.db.collection<{ _id: string }>('mailer_sends')
    await sends.updateOne({ _id: id }, { $set: { status: 'held', handoff: 'held' } })
    const now = new Date()
    const broadcasts = platform.db.collection<{ _id: string }>('mailer_broadcasts')
    const dates = { createdAt: now, updatedAt: now }
    const paused = { slug: 'december', name: 'December news', status: 'paused', ...dates }
    await broadcasts.insertOne({ _id: 'b1', ...paused } as { _id: string })
    await show('')
    const queue = page.getByRole('region', { name: 'Queue' })
    t.match(await queue.getByRole('listitem').filter({ hasText: 'Held' }).textContent(), /Held\s*1/)
    const card = page.getByRole('region', { name: 'Broadcasts' })
    await card.getByText('paused').waitFor()
    await page.getByRole('link', { name: '7 days' }).click()
    await page.getByText('last 7 days').first().waitFor()
    t.match(page.url(), /days=7/)
    await page.setViewportSize({ width: 380, height: 800 })
    t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 380))
    await queue.getByRole('link', { name: 'Held' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/sends\?status=held/)
    await broadcasts.deleteOne({ _id: 'b1' })
    t.same(faults, [])
  }
)

test('figures that cannot be read are dashes, and can be read again', browserOptions, async (t) => {
  const { page, show } = await openMail(t, platformOf)
  const api = '**/admin/mailer/api/dashboard?*'
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
