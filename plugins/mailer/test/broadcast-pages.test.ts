// Broadcasts, Broadcast and Settings in a browser, before the real server.
import { browserOptions, closeBrowser, faultsInEveryLook, holdAnswers } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { type MailBrowser, openMail, people, sharedPlatform } from './page-host.ts'

tap.teardown(closeBrowser)
const platformOf = sharedPlatform(tap, { people: people(6) })
const BODY = '<p>Hello</p><a href="{{unsubscribeUrl}}">Unsubscribe</a>'

/** Two marketing templates, and five of six contacts subscribed. */
async function prepare({ platform }: MailBrowser): Promise<void> {
  for (const slug of ['news', 'news-b']) {
    const made = await platform.admin('POST', '/templates', { slug, name: slug, kind: 'marketing' })
    if (made.status !== 201) return
    await platform.admin('PATCH', `/templates/${slug}/draft`, { subject: 'News', html: BODY })
    await platform.admin('POST', `/templates/${slug}/publish`, {})
  }
  for (const at of [1, 2, 3, 4, 5])
    await platform.acts.upsertSubscription({ externalId: `c${at}`, source: 'test' })
}

async function broadcast(browser: MailBrowser, slug: string, over: object = {}): Promise<void> {
  await prepare(browser)
  const segmentDefinition = { filters: [{ kind: 'subscriptionStatus', equals: 'subscribed' }] }
  const fields = { slug, name: slug, templateSlug: 'news', segmentDefinition, ...over }
  await browser.platform.admin('POST', '/broadcasts', fields)
}

const rowOf = async ({ platform }: MailBrowser, slug: string) => {
  const reply = await platform.app.inject({ url: `/admin/mailer/api/broadcasts/${slug}` })
  return reply.json<Record<string, unknown>>()
}

test('a broadcast is created by name and opens with its count', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  await prepare(browser)
  const { page, show, faults } = browser
  await show('broadcasts')
  await page.getByText('No broadcasts yet').waitFor()
  await page.keyboard.press('n')
  await page.getByLabel('Name', { exact: true }).fill('November news')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/broadcast\/november-news$/)
  await page.getByText('5 recipients').waitFor()
  t.same(faults, [])
})

test('the audience is built with filters and counted as it changes', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  const { page, show, platform } = browser
  await broadcast(browser, 'audience')
  await platform.acts.tag('c1', 'beta')
  await show('broadcast/audience')
  await page.getByText('5 recipients').waitFor()
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByText('Fill in all filters.').waitFor()
  await page.getByLabel('Tag').fill('beta')
  await page.getByText('1 recipient').waitFor()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  t.match((await rowOf(browser, 'audience'))['segmentDefinition'], {
    filters: [{ kind: 'subscriptionStatus' }, { kind: 'hasTag', tag: 'beta' }]
  })
})

test('a broadcast starts only with the number of people typed', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  const { page, show } = browser
  await broadcast(browser, 'typed')
  await show('broadcast/typed')
  await page.getByText('5 recipients').waitFor()
  await page.getByRole('button', { name: 'Schedule' }).click()
  const send = page.getByRole('button', { name: 'Send to 5 people' })
  await page.getByLabel('Type the number of people').fill('4')
  t.ok(await send.isDisabled())
  await page.getByLabel('Type the number of people').fill('5')
  await send.click()
  await page.getByText('Scheduled.', { exact: true }).waitFor()
  t.match(await rowOf(browser, 'typed'), { confirmedCount: 5 })
})

test('while people are counted, the question names no number', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  const { page, show } = browser
  await broadcast(browser, 'counting')
  const answer = await holdAnswers(page, '**/broadcasts/counting/segment/count')
  await show('broadcast/counting?show=schedule')
  const dialog = page.locator('keelson-dialog')
  await dialog.getByRole('heading', { name: 'Send counting?' }).waitFor()
  answer()
  await dialog.getByRole('heading', { name: 'Send counting to 5 people?' }).waitFor()
  t.pass()
})

test('a time for later is in the zone that the page names, wherever the browser is', {
  ...browserOptions
}, async (t) => {
  const browser = await openMail(t, platformOf, { timezoneId: 'America/Los_Angeles' })
  const { page, show } = browser
  await broadcast(browser, 'later')
  await show('broadcast/later?show=schedule')
  await page.getByLabel('Type the number of people').fill('5')
  await page.getByLabel('At a time').check()
  const send = page.getByRole('button', { name: 'Send to 5 people' })
  await send.click()
  await page.getByText('Enter a date and time that has not passed.').waitFor()
  t.match(await rowOf(browser, 'later'), { status: 'draft' }, 'without a time nothing is sent')
  await page.getByLabel('Date and time (UTC)').fill('2099-12-31T23:30')
  await send.click()
  await page.getByText('Scheduled.', { exact: true }).waitFor()
  t.match(await rowOf(browser, 'later'), { scheduledAt: '2099-12-31T23:30:00.000Z' })
  await page.getByText(/Dec 31, 2099, 23:30/).waitFor()
})

test('an audience that changed is typed again', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  const { page, show, platform } = browser
  await broadcast(browser, 'changed')
  await platform.acts.tag('c2', 'moved')
  await platform.admin('PATCH', '/broadcasts/changed', {
    segmentDefinition: { filters: [{ kind: 'hasTag', tag: 'moved' }] }
  })
  await show('broadcast/changed?show=schedule')
  await page.getByLabel('Type the number of people').fill('1')
  await page.getByText('Matches the count.').waitFor()
  await platform.acts.tag('c3', 'moved')
  await page.getByRole('button', { name: 'Send to 1 person' }).click()
  await page.getByText('It is 2 now. Nothing was changed.').waitFor()
  t.equal((await rowOf(browser, 'changed'))['status'], 'draft')
})

test('a scheduled broadcast is paused, shows why, and is cancelled', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  const { page, show, platform } = browser
  await broadcast(browser, 'stopped')
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString()
  await platform.admin('POST', '/broadcasts/stopped/schedule', { scheduledAt, confirmedCount: 5 })
  await show('broadcast/stopped')
  await page.getByText(/^Starts /).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText(/^Paused by a@acme\.test/).waitFor()
  await page.getByRole('button', { name: 'Cancel broadcast' }).click()
  const question = page.locator('keelson-confirm')
  await question.getByRole('button', { name: 'Keep broadcast' }).waitFor()
  await question.getByRole('button', { name: 'Cancel broadcast' }).click()
  await page.getByText('Broadcast cancelled.').waitFor()
  t.equal((await rowOf(browser, 'stopped'))['status'], 'cancelled')
})

test('an A/B test and a first wave are set up', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  const { page, show } = browser
  await broadcast(browser, 'tested')
  await show('broadcast/tested')
  await page.getByText('5 recipients').waitFor()
  await page.getByLabel('What is tested').selectOption('templates')
  await page.getByLabel('Template B').waitFor()
  await page.getByLabel('Pace').selectOption('One wave, the others by hand')
  await page.getByLabel('First wave').fill('2')
  await page.getByText('2 recipients').waitFor()
  await page.getByText('The first wave of 5.').waitFor()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  t.match(await rowOf(browser, 'tested'), {
    recipientCap: 2,
    splitTest: { variants: [{ templateSlug: 'news' }, { templateSlug: 'news-b' }] }
  })
})

test('all marketing mail is paused for a reason, and resumed', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  const { page, show, faults } = browser
  await show('settings')
  await page.getByText('Marketing mail is being sent.').waitFor()
  await page.getByRole('link', { name: 'Pause all marketing mail' }).click()
  await page.getByLabel('Reason').fill('Wrong prices')
  await page.getByRole('button', { name: 'Pause all marketing mail' }).click()
  await page.getByText(/by a@acme\.test: Wrong prices/).waitFor()
  await show('')
  await page.getByText('All marketing mail is paused.').waitFor()
  await show('settings')
  await page.getByRole('button', { name: 'Resume marketing mail' }).click()
  await page.getByText('Marketing mail is being sent.').waitFor()
  t.same(faults, [])
})

test(
  'the broadcast and settings pages pass axe and do not scroll sideways',
  browserOptions,
  async (t) => {
    const opened = await openMail(t, platformOf)
    await broadcast(opened, 'looked-at')
    const { page } = opened
    for (const [path, sign] of [
      ['broadcasts', 'looked-at'],
      ['broadcast/looked-at', '5 recipients'],
      ['broadcast/looked-at?show=schedule', 'Type the number of people to confirm'],
      ['settings', 'Configuration']
    ] as const) {
      await opened.show(path)
      await page.getByText(sign).first().waitFor()
      t.same(await faultsInEveryLook(page), [], path)
    }
  }
)
