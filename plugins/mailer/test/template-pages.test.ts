// Templates and Template in a browser, before the real server.
import { browserOptions, closeBrowser, faultsInEveryLook } from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import tap, { test } from 'tap'
import { type MailBrowser, openMail, people, sharedPlatform } from './page-host.ts'
import { publish } from './platform-mailer.ts'

tap.teardown(closeBrowser)
const platformOf = sharedPlatform(tap, { people: people(3) })
const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
const code = (page: Page) => page.getByRole('textbox', { name: 'Source of the mail' })

async function create({ platform }: MailBrowser, slug: string): Promise<void> {
  await platform.admin('POST', '/templates', { slug, name: slug, kind: 'marketing' })
}

const draftOf = async ({ platform }: MailBrowser, slug: string) => {
  const reply = await platform.app.inject({ url: `/admin/mailer/api/templates/${slug}` })
  return reply.json<{
    draft: { subject: string; body: { html: string; mjml: string } } | null
    version: number
  }>()
}

test('a template is created by name and opens', browserOptions, async (t) => {
  const { page, show, faults } = await openMail(t, platformOf)
  await show('templates')
  await page.getByText('No templates yet').waitFor()
  await page.keyboard.press('n')
  await page.getByLabel('Name', { exact: true }).fill('Spring sale')
  t.equal(await page.getByLabel('Slug').inputValue(), 'spring-sale')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/\/template\/spring-sale$/)
  await page.getByRole('region', { name: 'Start from an example' }).waitFor()
  t.equal(await page.locator('h1').textContent(), 'Spring sale')
  t.same(faults, [])
})

test('a refused template shows the reason and keeps the form', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  await create(browser, 'taken')
  const { page, show } = browser
  await show('templates?dialog=new')
  await page.getByLabel('Name', { exact: true }).fill('taken')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('alert').getByText(/taken/i).waitFor()
  t.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'taken')
})

test('the list is narrowed by words and kind in the address', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  await create(browser, 'autumn')
  const { page, show } = browser
  await show('templates')
  await page.getByLabel('Search by name or subject').fill('autu')
  await page.locator('tr[data-id="autumn"]').waitFor()
  t.equal(await page.locator('tr[data-id]').count(), 1)
  t.same(queryOf(page), { q: 'autu' })
  await page.getByLabel('Kind').selectOption('transactional')
  await page.getByText('No templates match').waitFor()
  await page.getByRole('link', { name: 'Show all' }).click()
  await page.locator('tr[data-id="autumn"]').waitFor()
})

test(
  'a mail is written, previewed as a contact, saved and published',
  browserOptions,
  async (t) => {
    const browser = await openMail(t, platformOf)
    const { page, show, faults } = browser
    await create(browser, 'written')
    await show('template/written')
    await page.getByRole('button', { name: 'Newsletter' }).click()
    await page.getByLabel('Subject').fill('Four new things')
    const mail = page.frameLocator('iframe')
    await mail.getByText('Hello Sam,').waitFor()
    await page.getByLabel('Preview as').selectOption('c2@example.test')
    await mail.getByText('Hello Name2,').waitFor()
    t.equal(queryOf(page)['contact'], 'c2')
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    t.equal((await draftOf(browser, 'written')).draft?.subject, 'Four new things')
    await page.getByRole('button', { name: 'Publish v1' }).click()
    await page.locator('keelson-dialog').getByRole('button', { name: 'Publish v1' }).click()
    await page.getByText('v1 is live.').waitFor()
    t.equal((await draftOf(browser, 'written')).version, 1)
    await page.getByRole('region', { name: 'Versions' }).scrollIntoViewIfNeeded()
    await page.getByRole('region', { name: 'Versions' }).getByText('v1').waitFor()
    const next = page.getByRole('button', { name: 'Publish v2' })
    t.equal(await next.getAttribute('aria-disabled'), 'true', 'nothing has changed')
    t.same(faults, [], 'the policy of the page allows how the mail is drawn')
  }
)

test(
  'what cannot be saved is not published, and the dialog says why',
  browserOptions,
  async (t) => {
    const browser = await openMail(t, platformOf)
    const { page, show } = browser
    await create(browser, 'unsaved')
    await show('template/unsaved')
    await page.getByRole('button', { name: 'Newsletter' }).click()
    await page.frameLocator('iframe').getByText('Hello Sam,').waitFor()
    await page.route('**/templates/unsaved/draft', (route) =>
      route.fulfill({ status: 503, json: { message: 'The database is away.' } })
    )
    await page.getByLabel('Subject').fill('Typed while it is away')
    await page.getByText('Not saved', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Publish v1' }).click()
    const dialog = page.locator('keelson-dialog')
    await dialog.getByRole('button', { name: 'Publish v1' }).click()
    await dialog.getByText('The database is away.').waitFor()
    t.equal((await draftOf(browser, 'unsaved')).version, 0)
  }
)

test(
  'the mail keeps its own styles, and has a phone, a dark and a text view',
  browserOptions,
  async (t) => {
    const browser = await openMail(t, platformOf)
    const { page, show, platform } = browser
    await create(browser, 'styled')
    const html = '<style>p{color:rgb(1,2,3)}</style><p style="font-size:31px">Styled words</p>'
    await platform.admin('PATCH', '/templates/styled/draft', { html, subject: 'S' })
    await show('template/styled')
    const words = page.frameLocator('iframe').getByText('Styled words')
    await words.waitFor()
    const look = () =>
      words.evaluate((p) => [getComputedStyle(p).fontSize, getComputedStyle(p).color])
    t.same(await look(), ['31px', 'rgb(1, 2, 3)'])
    const laidOut = () => words.evaluate((p) => p.ownerDocument.documentElement.clientWidth)
    t.ok((await laidOut()) >= 640, 'a desktop is wide enough for columns')
    const frame = await page.locator('iframe').boundingBox()
    t.ok((frame?.width ?? 641) <= (page.viewportSize()?.width ?? 0) / 2, 'and drawn smaller')
    await page.getByRole('link', { name: 'Phone' }).click()
    await page.waitForURL(/view=phone/)
    t.equal(await page.locator('iframe').evaluate((frame) => frame.clientWidth), 375)
    await page.getByRole('link', { name: 'Dark' }).click()
    await page.getByText('Dark mode is simulated.').waitFor()
    await page.getByRole('link', { name: 'Plain text' }).click()
    await page.locator('pre').getByText('Styled words').waitFor()
  }
)

test(
  'errors are named while typing, lock publishing, and are found by key',
  browserOptions,
  async (t) => {
    const browser = await openMail(t, platformOf)
    const { page, show } = browser
    await create(browser, 'broken')
    await show('template/broken?source=mjml')
    await code(page).click()
    await page.keyboard.insertText(
      '<mjml><mj-body><mj-section><mj-column><mj-text>{{#if vars.beta}}</mj-text></mj-column></mj-section></mj-body></mjml>'
    )
    await page.getByText('Not ready to publish:').waitFor()
    const reason = page.locator('.screen .failed')
    await reason.waitFor()
    const far = await reason.evaluate((one) => {
      const words = document.createRange()
      words.selectNodeContents(one.lastChild as Node)
      const [icon, text] = [one.querySelector('svg') as Element, words].map((part) =>
        part.getBoundingClientRect()
      )
      return (text?.left ?? 0) - (icon?.right ?? 0)
    })
    t.ok(far > 0 && far < 20, `the icon is beside its reason: ${far} pixels`)
    const findings = page.getByRole('region', { name: 'Findings' })
    await findings.getByText('Error', { exact: true }).first().waitFor()
    t.equal(
      await page.getByRole('button', { name: 'Publish v1' }).getAttribute('aria-disabled'),
      'true'
    )
  }
)

test('two editors never overwrite each other silently', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  const { page, show, platform } = browser
  await create(browser, 'shared')
  await show('template/shared?source=mjml')
  await code(page).waitFor()
  await platform.admin('PATCH', '/templates/shared/draft', { subject: 'Theirs' })
  await page.getByLabel('Subject').fill('Mine')
  await page.getByText('Another user changed this draft').waitFor()
  t.equal((await draftOf(browser, 'shared')).draft?.subject, 'Theirs')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByText('Another user changed this draft').waitFor({ state: 'hidden' })
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  t.equal((await draftOf(browser, 'shared')).draft?.subject, 'Mine')
})

test('a version is compared and restored, and a publish is undone', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  const { page, show, platform } = browser
  await publish(platform, { slug: 'versions', kind: 'transactional' })
  await platform.admin('PATCH', '/templates/versions/draft', { subject: 'Second' })
  await show('template/versions')
  await page.getByRole('region', { name: 'Versions' }).scrollIntoViewIfNeeded()
  await page.getByRole('link', { name: 'Compare v1 with the draft' }).click()
  await page.locator('.diff .added').getByText('Second').waitFor()
  t.match(queryOf(page), { show: 'diff', from: '1', to: 'draft' })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Publish v2' }).click()
  await page.locator('keelson-dialog').getByRole('button', { name: 'Publish v2' }).click()
  await page.getByText('v2 is live.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('v3 is live.').waitFor()
  t.match(await draftOf(browser, 'versions'), { version: 3, subject: 'Hello' })
})

test('the settings say how long a mail waits for its provider', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  const { page, show } = browser
  await create(browser, 'patient')
  const patience = page.getByLabel('Hours that a mail waits')
  const saved = async (text: string) => {
    await show('template/patient?show=settings')
    await patience.fill(text)
    const answered = page.waitForResponse((reply) => reply.request().method() === 'PATCH')
    await page.locator('keelson-dialog').getByRole('button', { name: 'Save' }).click()
    await answered
    return (await draftOf(browser, 'patient')).draft
  }
  t.match(await saved('12'), { providerPatienceHours: 12 })
  t.notOk('providerPatienceHours' in ((await saved('')) ?? {}))
})

test('the variables have the values of the contact in view', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  const { page, show, platform } = browser
  await create(browser, 'valued')
  const html = '<p>{{contact.fields.firstName}} {{vars.code}} {{unsubscribeUrl}}</p>'
  await platform.admin('PATCH', '/templates/valued/draft', { html, subject: 'S' })
  await show('template/valued?contact=c2')
  const variables = page.getByRole('region', { name: 'Variables' })
  await variables.getByText('values of c2@example.test').waitFor()
  const line = (name: string) => variables.getByRole('listitem').filter({ hasText: name })
  await line('contact.fields.firstName').getByText('Name2').waitFor()
  await line('vars.code').getByText('empty').waitFor()
  await line('unsubscribeUrl').getByText('an address of its own').waitFor()
  t.pass()
})

test('a template names what sends it, before it is published too', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  const { page, show, platform } = browser
  await publish(platform, { slug: 'used', kind: 'transactional' })
  const trigger = { type: 'event', eventName: 'ordered' }
  const steps = [{ type: 'send', templateSlug: 'used' }]
  await platform.admin('POST', '/flows', { slug: 'orders', name: 'Orders of the shop', trigger })
  await platform.admin('PATCH', '/flows/orders/draft', { steps })
  await platform.admin('POST', '/flows/orders/publish', {})
  await platform.admin('POST', '/flows/orders/resume', {})
  await platform.admin('PATCH', '/templates/used/draft', { subject: 'Second' })
  const called: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/admin/mailer/api/')) called.push(request.url())
  })
  await show('template/used')
  const used = page.getByRole('region', { name: 'Used by' })
  await page.frameLocator('iframe').locator('body').waitFor()
  t.ok(called.length <= 4, `${called.length} calls before anything is scrolled to`)
  await page.getByRole('region', { name: 'Versions' }).scrollIntoViewIfNeeded()
  await used.getByRole('link', { name: 'Orders of the shop' }).waitFor()
  await page.getByRole('button', { name: 'Publish v2' }).click()
  const dialog = page.locator('keelson-dialog')
  await dialog.getByText('1 flow, broadcast or program sends it:').waitFor()
  await dialog.getByText('Orders of the shop').waitFor()
  await page.keyboard.press('Escape')
  await used.getByRole('link', { name: 'Orders of the shop' }).click()
  await page.waitForURL(/\/flow\/orders$/)
})

test('a template is duplicated and deleted', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  const { page, show } = browser
  await create(browser, 'original')
  await show('template/original?show=duplicate')
  await page.getByRole('button', { name: 'Duplicate' }).last().click()
  await page.waitForURL(/original-copy$/)
  await page.getByText('More').click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete template' }).click()
  await page.waitForURL(/\/templates$/)
  t.equal(await page.locator('tr[data-id="original-copy"]').count(), 0)
})

test('an unknown template leads back to the list', browserOptions, async (t) => {
  const { page, show } = await openMail(t, platformOf)
  await show('template/none-of-these')
  await page.getByRole('heading', { level: 1, name: 'Template not found' }).waitFor()
  await page.getByRole('link', { name: 'Templates' }).last().waitFor()
  t.pass()
})

test('the template pages pass axe and do not scroll sideways', browserOptions, async (t) => {
  const opened = await openMail(t, platformOf)
  await publish(opened.platform, { slug: 'looked-at', kind: 'transactional' })
  const { page } = opened
  for (const path of [
    'templates',
    'templates?dialog=new',
    'template/looked-at',
    'template/looked-at?show=settings'
  ]) {
    await opened.show(path)
    await page
      .locator(path.includes('=') ? '#form' : path === 'templates' ? 'tr[data-id]' : '.cm-content')
      .first()
      .waitFor()
    t.same(await faultsInEveryLook(page), [], path)
  }
})
