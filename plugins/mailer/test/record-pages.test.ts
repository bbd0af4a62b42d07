// Contacts, mails, suppressions, categories, programs and the audit log in a browser, before the real server.
import { readFileSync } from 'node:fs'
import programs from '@keelson/programs'
import { browserOptions, closeBrowser, faultsInEveryLook } from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import tap, { test } from 'tap'
import { setPreferences } from '../audience/contacts/preferences.ts'
import { openMail, type PagePlatform, people, sharedPlatform } from './page-host.ts'
import { publish, sendOne } from './platform-mailer.ts'

tap.teardown(closeBrowser)
const platformOf = sharedPlatform(tap, {
  people: people(6),
  plugins: [programs],
  platform: { plugins: { programs: { config: { adminTenants: ['acme'] } } } },
  config: { categories: [{ id: 'news', label: 'Newsletter', description: 'Once a month' }] }
})

const rows = (page: Page) => page.locator('tr[data-id]')
/** Answers a question with yes. */
const confirmed = (page: Page, name: string) =>
  page.locator('keelson-confirm').getByRole('button', { name, exact: true }).click()
const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

let receipt: Promise<string> | undefined

/** A mail to c1, sent once for all tests. */
function sent(platform: PagePlatform): Promise<string> {
  receipt ??= publish(platform, { slug: 'receipt', kind: 'transactional' }).then(() =>
    sendOne(platform, 'receipt')
  )
  return receipt
}

test('contacts are found by address, and one opens with its data', browserOptions, async (t) => {
  const { page, show, faults } = await openMail(t, platformOf)
  await show('contacts')
  await rows(page).nth(5).waitFor()
  await page.getByRole('searchbox').fill('c2@example.test')
  await page.keyboard.press('Enter')
  await rows(page).nth(1).waitFor({ state: 'detached' })
  t.same(queryOf(page), { search: 'c2@example.test' })
  await rows(page).first().click()
  await page.waitForURL(/contact\/c2$/)
  await page.getByText('Name2').first().waitFor()
  await show('contacts?search=nothing')
  await page.getByText('No contact matches').waitFor()
  t.same(faults, [])
})

test(
  'contacts are narrowed to a state, counted, and exported as they are shown',
  browserOptions,
  async (t) => {
    const { page, show, platform, faults } = await openMail(t, platformOf)
    await platform.admin('POST', '/suppressions', {
      email: 'c5@example.test',
      scope: 'all',
      reason: 'hard_bounce'
    })
    await show('contacts')
    await page.getByText('6 contacts').waitFor()
    await rows(page).filter({ hasText: 'c5@example.test' }).getByText('bounced').waitFor()
    await page.getByLabel('State').selectOption('bounced')
    await page.getByText('1 contact', { exact: true }).waitFor()
    t.same(await rows(page).count(), 1)
    t.same(queryOf(page), { state: 'bounced' })
    const file = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export CSV' }).click()
    const path = await (await file).path()
    t.match(readFileSync(path, 'utf8'), /^externalId,.*\nc5,c5@example\.test,bounced,/)
    t.same(faults, [])
  }
)

test('the address narrows mails to a domain and to days', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  await sent(platform)
  await show('sends?domain=example.test&from=2026-01-01')
  await rows(page).first().waitFor()
  await page.getByRole('button', { name: 'Remove filter Domain of the address' }).waitFor()
  await show('sends?domain=other.test')
  await page.getByText('No matching mails').waitFor()
  await show('sends?to=2020-01-01')
  await page.getByText('No matching mails').waitFor()
})

test(
  'the address of a contact without an ID says that none was found',
  browserOptions,
  async (t) => {
    const { page, show } = await openMail(t, platformOf)
    await show('contact')
    await page.getByRole('heading', { level: 1, name: 'Contact not found' }).waitFor()
    await page.getByRole('link', { name: 'Contacts' }).first().waitFor()
    t.match(page.url(), /contact$/)
  }
)

test('the timeline shows a mail, and the filter hides it', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  await sent(platform)
  await show('contact/c1')
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByRole('link', { name: 'Hello' }).waitFor()
  await timeline.getByRole('link', { name: 'Events' }).click()
  await timeline.getByText('Nothing happened yet').waitFor()
  t.same(queryOf(page), { kind: 'event' })
})

test('a contact is tagged, unsubscribed and subscribed again', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  await show('contact/c3')
  await page.getByLabel('Tag', { exact: true }).fill('beta')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove tag beta' }).waitFor()
  t.same((await platform.admin('GET', '/contacts/c3')).body.contact.tags, ['beta'])
  await page.getByRole('button', { name: 'Remove tag beta' }).click()
  await page.getByText('No tags').waitFor()
  await page.getByText('No marketing mail: this contact never subscribed.').waitFor()
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await confirmed(page, 'Subscribe')
  await page.getByText('Marketing mail is sent.').waitFor()
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await confirmed(page, 'Unsubscribe')
  await page.getByRole('region', { name: 'Suppressions' }).getByText('Unsubscribed').waitFor()
  await page.getByText('No marketing mail: this contact unsubscribed.').waitFor()
  const steps = page.getByRole('region', { name: 'Subscription' }).getByRole('listitem')
  t.match(await steps.allTextContents(), [/Unsubscribed · by hand/, /Subscribed · by hand/])
  t.equal((await platform.admin('GET', '/contacts/c3')).body.subscription.status, 'unsubscribed')
  await page.getByRole('button', { name: 'Resubscribe' }).waitFor()
})

test('what is planned says why it waits, and each consent stays in the history', {
  ...browserOptions
}, async (t) => {
  const { page, show, platform, faults } = await openMail(t, platformOf)
  const { admin, acts, app, clock } = platform
  await publish(platform, { slug: 'offer', kind: 'marketing' })
  await acts.upsertSubscription({ externalId: 'c6', source: 'sign-up' })
  await admin('POST', '/pause', { reason: 'A wrong price.' })
  t.teardown(() => app.inject({ method: 'DELETE', url: '/admin/mailer/api/pause' }))
  await acts.sendOneOff({ templateSlug: 'offer', externalId: 'c6', dedupeKey: 'planned' })
  await clock.advance(1000)
  await show('contact/c6')
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByRole('heading', { name: 'Planned' }).waitFor()
  const planned = await timeline.locator('.planned').allTextContents()
  t.match(planned, [/offer.*marketing mail.*paused.*Held since/is])
  const consent = page.getByRole('region', { name: 'Subscription' })
  const steps = async () => consent.getByRole('listitem').allTextContents()
  t.match(await steps(), [/Subscribed · sign-up/])
  t.match(await consent.textContent(), /Newsletter\s*on.*Receipts and account\s*always/s)
  await acts.unsubscribe('c6@example.test', { scope: 'marketing' })
  await page.reload()
  await consent.getByRole('listitem').nth(1).waitFor()
  t.match(await consent.textContent(), /Newsletter\s*not sent.*Receipts and account\s*always/s)
  await acts.resubscribe({ externalId: 'c6', source: 'sign-up' })
  await page.reload()
  await consent.getByRole('listitem').nth(2).waitFor()
  t.match(await steps(), [/Subscribed/, /Unsubscribed/, /Subscribed · sign-up/])
  t.same(faults, [])
})

test('a category that a contact turned off is off, with when and where', {
  ...browserOptions
}, async (t) => {
  const { page, show, platform, faults } = await openMail(t, platformOf)
  await platform.acts.upsertSubscription({ externalId: 'c4', source: 'sign-up' })
  const context = platform.mailer.getRunnerContext()
  await setPreferences(context, 'c4@example.test', { categories: [] })
  await show('contact/c4')
  const consent = page.getByRole('region', { name: 'Subscription' })
  await consent.getByText('Turned off').waitFor()
  t.match(await consent.textContent(), /Newsletter\s*off.*Turned off/s)
  await page.getByText('Marketing mail is sent.').waitFor()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText(/^Turned off Newsletter/).waitFor()
  await setPreferences(context, 'c4@example.test', { categories: ['news'] })
  await page.reload()
  await consent.getByText('Turned on').waitFor()
  t.match(await consent.textContent(), /Newsletter\s*on/)
  t.same(faults, [])
})

test('a tag of one long word stays inside its card', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  const tag = 'x'.repeat(120)
  await platform.admin('POST', '/contacts/c5/tags', { add: [tag] })
  for (const width of [1280, 380]) {
    await page.setViewportSize({ width, height: 800 })
    await show('contact/c5')
    await page.getByText(tag).first().waitFor()
    t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}`)
    for (const each of await page.getByText(tag).all()) {
      const [of, card] = await each.evaluate((one) =>
        [one, one.closest('section') ?? one].map((part) => part.getBoundingClientRect().right)
      )
      t.ok((of ?? 0) <= (card ?? 0), `${width}: ${of} within ${card}`)
    }
  }
})

test(
  'the page of a contact fits a phone, and its figures are read in order',
  browserOptions,
  async (t) => {
    const { page, show, platform, faults } = await openMail(t, platformOf)
    await sent(platform)
    await page.setViewportSize({ width: 380, height: 800 })
    await show('contact/c1')
    await page.getByText('mails, 30 days').waitFor()
    t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 380))
    await page.getByRole('link', { name: 'Mail', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/kind=mail/)
    t.same(faults, [])
  }
)

test('a contact is forgotten only when its id is typed', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  await show('contact/c4')
  await page.getByRole('link', { name: 'Forget…' }).click()
  await page.getByLabel(/Type the ID/).fill('c5')
  await page.getByRole('button', { name: 'Forget contact' }).click()
  await page
    .getByRole('alert')
    .getByText(/id of the contact/)
    .waitFor()
  await page.getByLabel(/Type the ID/).fill('c4')
  await page.keyboard.press('Enter')
  await page.waitForURL(/contacts$/)
  const { body } = await platform.admin('GET', '/suppressions?email=c4@example.test')
  t.equal(body[0].reason, 'gdpr_forget')
})

test('the data of a contact is saved as a file', browserOptions, async (t) => {
  const { page, show } = await openMail(t, platformOf)
  await show('contact/c2')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await download
  t.equal(file.suggestedFilename(), 'contact-c2.json')
  const data = JSON.parse(readFileSync(await file.path(), 'utf8'))
  t.equal(data.contact.email, 'c2@example.test')
})

test('a mail opens beside the list, is rendered, and is sent again', browserOptions, async (t) => {
  const { page, show, platform, faults } = await openMail(t, platformOf)
  await sent(platform)
  await show('sends?template=receipt')
  await rows(page).first().click()
  await page.getByRole('button', { name: 'Show mail' }).click()
  const body = page.frameLocator('iframe[title="Mail"]').locator('body')
  t.match(await body.textContent(), /Hello/)
  t.equal(await page.locator('iframe[title="Mail"]').getAttribute('sandbox'), 'allow-same-origin')
  await page.getByRole('button', { name: 'Send again' }).click()
  await confirmed(page, 'Send again')
  await page.getByText('The mail is queued again').waitFor()
  await rows(page).nth(1).waitFor()
  t.same(faults, [])
})

test('a mail whose outcome is unknown is resolved by hand', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  await publish(platform, { slug: 'lost', kind: 'transactional' })
  const id = await sendOne(platform, 'lost')
  const unknown = { handoff: 'unknown', status: 'unknown' }
  await platform.db
    .collection<{ _id: string }>('mailer_sends')
    .updateOne({ _id: id }, { $set: unknown })
  await show('sends?status=unknown')
  await rows(page).first().click()
  await page.getByText('It is unknown whether the provider has this mail').waitFor()
  await page.getByRole('button', { name: 'It was sent' }).click()
  await page.getByText('Resolved: sent').waitFor()
  t.equal((await platform.admin('GET', `/sends/${id}`)).body.send.status, 'sent')
})

test('failed mails are sent again when their number is typed', browserOptions, async (t) => {
  const { page, show, platform, faults } = await openMail(t, platformOf)
  await publish(platform, { slug: 'late', kind: 'transactional' })
  const id = await sendOne(platform, 'late')
  const sends = platform.db.collection<{ _id: string }>('mailer_sends')
  const failed = { handoff: 'failed', status: 'failed', exitReason: 'attempts_used_up' }
  await sends.updateOne({ _id: id }, { $set: failed })
  await show('sends?status=failed&template=late')
  await page.getByText('1 mail failed, and no provider has it.').waitFor()
  await page.getByRole('button', { name: 'Send again' }).first().click()
  await page.getByText('Send 1 failed mail again?').waitFor()
  const send = page.getByRole('button', { name: 'Send again' }).last()
  t.ok(await send.isDisabled())
  await page.getByLabel('Type the number of mails').fill('1')
  await send.click()
  await page.getByText('1 mail is sent again').waitFor()
  const { body } = await platform.admin('GET', `/sends/${id}`)
  t.not(body.send.status, 'failed')
  t.same(faults, [])
})

test('an address is suppressed, found and released', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  await show('suppressions?dialog=add')
  await page.getByRole('textbox', { name: 'Address' }).fill('bad')
  await page.getByRole('button', { name: 'Suppress', exact: true }).click()
  await page.getByRole('alert').first().waitFor()
  await page.getByRole('textbox', { name: 'Address' }).fill('gone@example.test')
  await page.keyboard.press('Enter')
  await page.getByText('gone@example.test is suppressed').waitFor()
  await show('suppressions?email=gone@example.test')
  await rows(page).first().click()
  await page.getByRole('link', { name: 'Remove suppression' }).click()
  await page.getByRole('button', { name: 'Remove suppression' }).click()
  await page.getByText('No matching suppressions').waitFor()
  t.same((await platform.admin('GET', '/suppressions?email=gone@example.test')).body, [])
})

test(
  'a file of suppressions is imported, its broken lines are named',
  browserOptions,
  async (t) => {
    const { page, show } = await openMail(t, platformOf)
    await show('suppressions?dialog=import')
    await page.getByRole('button', { name: 'Import CSV' }).click()
    await page.getByRole('alert').getByText('Choose a file first.').waitFor()
    const buffer = Buffer.from('email,scope\nfirst@example.test,all\nbroken,all\n')
    const pick = (content: Buffer) =>
      page
        .getByLabel('CSV file')
        .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: content })
    await pick(Buffer.from('status,reason,email,created\n,550 gone,b@example.test,1714557600\n'))
    await page.getByText('This file is known: SendGrid bounces or blocks.').waitFor()
    await page.getByText('Line 2: b@example.test, Hard bounce, All mail').waitFor()
    await pick(Buffer.from('Kontakt\nc@example.test\n'))
    await page.getByText('Choose the column that holds the addresses.').waitFor()
    await page.getByLabel('Kontakt').selectOption('Address')
    await page.getByText('Line 2: c@example.test, Added by hand, Marketing').waitFor()
    await pick(buffer)
    await page.getByText('Line 2: first@example.test, Added by hand, All mail').waitFor()
    await page.getByRole('button', { name: 'Import CSV' }).click()
    await page.getByText('1 address is suppressed.').waitFor()
    await page.getByText(/^Line 3:/).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('first@example.test').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export CSV' }).click()
    t.match(readFileSync(await (await download).path(), 'utf8'), /first@example\.test/)
  }
)

test('a complaint is released for a reason only', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  const given = { email: 'angry@example.test', scope: 'all', reason: 'complaint' }
  await platform.admin('POST', '/suppressions', given)
  await show('suppressions?email=angry@example.test')
  await rows(page).first().click()
  await page.getByRole('link', { name: 'Remove suppression' }).click()
  const reason = page.getByLabel('Why may mail be sent again?')
  t.equal(await reason.getAttribute('required'), '')
  await reason.fill('Asked for by phone')
  await page.keyboard.press('Enter')
  await page.getByText('No matching suppressions').waitFor()
  const { body } = await platform.admin('GET', '/audit?action=suppression.remove')
  t.match(body[0].after, { reason: 'Asked for by phone' })
})

test('categories lead to their opt-outs', browserOptions, async (t) => {
  const { page, show } = await openMail(t, platformOf)
  await show('categories')
  await rows(page).first().getByText('Newsletter').click()
  await page.waitForURL(/suppressions/)
  t.same(queryOf(page), { scope: 'category:news' })
})

test('an audit entry shows what changed, and its actor filters', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  await platform.admin('POST', '/flows', {
    slug: 'audited',
    name: 'Audited',
    trigger: { eventName: 'e' }
  })
  await platform.admin('PATCH', '/flows/audited/draft', { name: 'Renamed' })
  await show('audit?resource=audited')
  await rows(page).nth(1).waitFor()
  await rows(page).first().click()
  const lines = page.locator('.diff .added, .diff .removed')
  await lines.nth(1).waitFor()
  t.match((await lines.allTextContents()).join('\n'), /"name": "Audited".*"name": "Renamed"/s)
  await page.locator('dl.facts').getByRole('link', { name: 'a@acme.test' }).click()
  await page.waitForURL(/actor=/)
  t.match(queryOf(page), { resource: 'audited', actor: /a@acme\.test/ })
})

const PROGRAM = {
  trigger: { eventName: 'opened' },
  actions: [
    {
      id: 'invite',
      templateSlug: 'receipt',
      priority: 1,
      satisfied: { fact: 'invited', equals: true },
      attempts: { max: 2, gapDays: 3 }
    }
  ]
}

test(
  'a program has a board, and its definition is checked as a draft',
  browserOptions,
  async (t) => {
    const { page, show, platform } = await openMail(t, platformOf)
    const made = { slug: 'grow', name: 'Grow accounts', draft: PROGRAM }
    await platform.admin('POST', '/programs', made)
    await show('programs')
    await rows(page).first().getByText('Grow accounts').click()
    await page.waitForURL(/programs\/grow$/)
    await page.getByText('This program is not published').waitFor()
    await page.getByRole('link', { name: 'Definition' }).click()
    const text = page.getByLabel('Definition (JSON)')
    await text.fill('{')
    await page
      .getByRole('alert')
      .getByText(/This is not JSON/)
      .waitFor()
    await text.fill(JSON.stringify({ ...PROGRAM, actions: [] }))
    await page.getByText('Error', { exact: true }).first().waitFor()
    t.same((await platform.admin('GET', '/programs/grow')).body.draft.actions, [])
  }
)

test('the pages pass axe and do not scroll sideways', browserOptions, async (t) => {
  const opened = await openMail(t, platformOf)
  const { page, show, platform } = opened
  const id = await sent(platform)
  const places: readonly (readonly [path: string, sign: string])[] = [
    ['contacts', 'c6@example.test'],
    ['contact/c1', 'Data and consent'],
    ['contact/c1?dialog=forget', 'Forget contact'],
    ['sends', 'c1@example.test'],
    [`sends?send=${id}&show=mail`, 'Rendered again'],
    ['suppressions?dialog=add', 'Notes'],
    ['categories', 'Newsletter'],
    ['audit', 'Template published'],
    ['programs', 'each picks the next best mail']
  ]
  for (const [path, sign] of places) {
    await show(path)
    await page.getByText(sign).first().waitFor()
    t.same(await faultsInEveryLook(page), [], path)
  }
})

test('a failure is shown as such, never as an empty list', browserOptions, async (t) => {
  const { page, show } = await openMail(t, platformOf)
  await page.route('**/admin/mailer/api/**', (route) => route.fulfill({ status: 503, json: {} }))
  for (const [path, empty] of [
    ['contacts', 'No contacts'],
    ['sends', 'No mails yet'],
    ['suppressions', 'No suppressions'],
    ['categories', 'No categories'],
    ['audit', 'No entries yet'],
    ['programs', 'No programs yet']
  ] as const) {
    await show(path)
    await page.getByRole('alert').first().waitFor()
    t.notOk(await page.getByText(empty).isVisible(), path)
  }
})

test('the look of the mails is set once, and drafts show it at once', browserOptions, async (t) => {
  const { page, show, platform, faults } = await openMail(t, platformOf)
  await show('settings')
  const card = page.getByRole('region', { name: 'Look of the mails' })
  await card.getByRole('link', { name: 'Edit the look of default' }).click()
  await page.getByLabel('Buttons').fill('#123456')
  await page.getByLabel('Name in the header').fill('Acme of Test')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Look saved.').waitFor()
  await card.getByText('Acme of Test').waitFor()
  await platform.admin('POST', '/templates', { slug: 'look', name: 'Look', kind: 'marketing' })
  await show('template/look')
  await page.getByRole('button', { name: /^Announcement/ }).click()
  const mail = page.frameLocator('iframe')
  await mail.getByText('Acme of Test').waitFor()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  const { body } = await platform.admin('POST', '/templates/look/preview', {})
  t.match(body.html, /background:\s?#123456/)
  t.same(faults, [])
  await show('settings?brand=default')
  await page.locator('#form').waitFor()
  t.same(await faultsInEveryLook(page), [])
})
