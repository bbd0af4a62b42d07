// The audience of a broadcast in a browser: groups of filters, segments with names, who matches.
import { browserOptions, closeBrowser, faultsInEveryLook, textsOf } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { openMail, type PagePlatform, people, sharedPlatform } from './page-host.ts'

tap.teardown(closeBrowser)
const platformOf = sharedPlatform(tap, { people: people(6) })

const BODY = '<p>Hello</p><a href="{{unsubscribeUrl}}">Unsubscribe</a>'

async function draft({ admin, acts }: PagePlatform, slug: string): Promise<void> {
  const template = { slug: 'news', name: 'News', kind: 'marketing' }
  if ((await admin('POST', '/templates', template)).status === 201) {
    for (const at of [1, 2, 3, 4, 5])
      await acts.upsertSubscription({ externalId: `c${at}`, source: 'test' })
    await acts.tag('c1', 'beta')
    await acts.tag('c2', 'vip')
  }
  const segmentDefinition = { filters: [{ kind: 'subscriptionStatus', equals: 'subscribed' }] }
  await admin('POST', '/broadcasts', { slug, name: slug, templateSlug: 'news', segmentDefinition })
}

test('filters in a group are alternatives, and the contacts that match are shown', {
  ...browserOptions
}, async (t) => {
  const { page, show, platform, faults } = await openMail(t, platformOf)
  await draft(platform, 'grouped')
  await show('broadcast/grouped')
  await page.getByText('5 recipients').waitFor()
  await page.getByRole('button', { name: 'Add group' }).click()
  await page.getByText('Fill in all filters.').waitFor()
  const group = page.getByRole('group', { name: 'Group 2' })
  await group.getByLabel('Tag').first().fill('beta')
  await group.getByLabel('Tag').last().fill('vip')
  await page.getByText('2 recipients').waitFor()
  await page.getByRole('button', { name: 'Show who matches' }).click()
  const dialog = page.locator('keelson-dialog')
  await dialog.getByRole('link', { name: 'c2@example.test' }).waitFor()
  t.same(await textsOf(dialog.getByRole('link')), ['c1@example.test', 'c2@example.test'])
  t.same(await faultsInEveryLook(page), [])
  t.same(faults, [])
})

test('filters are saved as a segment and used by another broadcast, by keyboard', {
  ...browserOptions
}, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  await draft(platform, 'first')
  await show('broadcast/first')
  await page.getByText('5 recipients').waitFor()
  await page.getByRole('button', { name: 'Save as segment' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Name', { exact: true }).last().fill('Everybody')
  await page.keyboard.press('Enter')
  await page.getByText('Segment saved.').waitFor()
  await draft(platform, 'second')
  await platform.admin('PATCH', '/broadcasts/second', { segmentDefinition: { filters: [] } })
  await show('broadcast/second')
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.locator('select[aria-label="Filter 1"]').selectOption('segment')
  await page.getByLabel('Segment').selectOption('everybody')
  await page.getByText('5 recipients').waitFor()
})

test('a group is added and removed by touch on a narrow screen', browserOptions, async (t) => {
  const narrow = { viewport: { width: 380, height: 800 }, hasTouch: true }
  const { page, show, platform } = await openMail(t, platformOf, narrow)
  await draft(platform, 'narrow')
  await show('broadcast/narrow')
  await page.getByRole('button', { name: 'Add group' }).tap()
  await page.getByRole('button', { name: 'Remove group 2' }).tap()
  await page.getByText('5 recipients').waitFor()
  t.equal(await page.getByRole('group', { name: 'Group 2' }).count(), 0)
})

test(
  'the mail is previewed for a contact of the audience, and tested',
  browserOptions,
  async (t) => {
    const { page, show, platform, faults } = await openMail(t, platformOf)
    await draft(platform, 'previewed')
    const body = { subject: 'Hello {{contact.fields.firstName}}', html: BODY }
    await platform.admin('PATCH', '/templates/news/draft', body)
    await platform.admin('POST', '/templates/news/publish', {})
    await show('broadcast/previewed')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('Hello Name1').waitFor()
    await page.getByLabel('As').selectOption({ label: 'c3@example.test' })
    await page.getByText('Hello Name3').waitFor()
    t.equal(await page.getByLabel('Send a test to').inputValue(), 'a@acme.test')
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText('Test sent to a@acme.test.').waitFor()
    t.same(await faultsInEveryLook(page), [])
    t.same(faults, [])
  }
)
