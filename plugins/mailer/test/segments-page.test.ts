// The Segments page in a browser: named filters are made, looked at, changed, and deleted while nothing uses them.
import { browserOptions, closeBrowser, faultsInEveryLook } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { openMail, people, sharedPlatform } from './page-host.ts'
import { publish } from './platform-mailer.ts'

tap.teardown(closeBrowser)
const platformOf = sharedPlatform(tap, { people: people(3) })

test('a segment is made, shows who matches, is changed and deleted', browserOptions, async (t) => {
  const { page, show, platform, faults } = await openMail(t, platformOf)
  await platform.admin('POST', '/contacts/c1/resubscribe', {})
  await platform.admin('POST', '/contacts/c2/resubscribe', {})
  await show('segments')
  await page.getByRole('link', { name: 'New segment' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('First names')
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByText('Fill in every filter.').waitFor()
  await page.getByLabel('Filter 1').locator('select').first().selectOption('subscriptionStatus')
  await page.getByRole('button', { name: 'Create segment' }).click()
  await page.getByText('2 contacts match, 2 may get marketing mail.').waitFor()
  await page.getByRole('link', { name: 'c1@example.test' }).waitFor()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill('Subscribers')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { name: 'Subscribers' }).waitFor()
  t.match((await platform.admin('GET', '/segments')).body, [
    {
      slug: 'first-names',
      name: 'Subscribers',
      segmentDefinition: { filters: [{ kind: 'subscriptionStatus', equals: 'subscribed' }] }
    }
  ])
  await page.getByRole('link', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No segments yet').waitFor()
  t.same(faults, [])
})

test(
  'a segment that a broadcast uses names it and cannot be deleted',
  browserOptions,
  async (t) => {
    const { page, show, platform } = await openMail(t, platformOf)
    await publish(platform, { slug: 'news', kind: 'transactional' })
    const segmentDefinition = { filters: [{ kind: 'hasTag', tag: 'vip' }] }
    await platform.admin('POST', '/segments', { slug: 'vips', name: 'VIPs', segmentDefinition })
    await platform.admin('POST', '/templates', { slug: 'may', name: 'May', kind: 'marketing' })
    const byName = { filters: [{ kind: 'segment', slug: 'vips' }] }
    const draft = { slug: 'may', name: 'May news', templateSlug: 'may', segmentDefinition: byName }
    t.match(await platform.admin('POST', '/broadcasts', draft), { status: 201 })
    await show('segments?segment=vips')
    await page.getByText('It can be deleted when nothing uses it.').waitFor()
    await page.getByRole('link', { name: 'May news' }).last().click()
    await page.waitForURL(/broadcast\/may$/)
  }
)

test('the segments page passes axe and does not scroll sideways', browserOptions, async (t) => {
  const opened = await openMail(t, platformOf)
  await opened.platform.admin('POST', '/segments', {
    slug: 'looked-at',
    name: 'A segment with a long name that has to be cut somewhere in the list of them',
    segmentDefinition: { filters: [] }
  })
  for (const path of ['segments?segment=looked-at', 'segments?dialog=new']) {
    await opened.show(path)
    await opened.page.locator('h1').waitFor()
    await opened.page
      .getByText(/contacts match|Add filter/)
      .first()
      .waitFor()
    t.same(await faultsInEveryLook(opened.page), [], path)
  }
})
