// The board of a program in a browser, with runs: how far subjects came, and what can be done with one.
import programs from '@keelson/programs'
import { browserOptions, closeBrowser, faultsInEveryLook } from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import tap, { test } from 'tap'
import { type MailBrowser, openMail, people, sharedPlatform } from './page-host.ts'
import { publish } from './platform-mailer.ts'

tap.teardown(closeBrowser)
const platformOf = sharedPlatform(tap, {
  people: people(3),
  plugins: [programs],
  platform: { plugins: { programs: { config: { adminTenants: ['acme'] } } } }
})
const action = (id: string, priority: number) => ({
  id,
  priority,
  name: `Please ${id}`,
  templateSlug: 'news',
  satisfied: { fact: `tag:${id}`, equals: true },
  attempts: { max: 2, gapDays: 3 }
})
const PROGRAM = {
  trigger: { eventName: 'opened' },
  actions: [action('pay', 1), { ...action('invite', 2), requires: [] }]
}

/** A program that is on; `c1` has invited already. */
async function program({ platform }: MailBrowser, slug: string): Promise<void> {
  if ((await platform.admin('GET', '/templates/news')).status === 404) {
    await publish(platform, { slug: 'news', kind: 'transactional' })
    await platform.acts.tag('c1', 'invite')
  }
  await platform.admin('POST', '/programs', { slug, name: `Program ${slug}`, draft: PROGRAM })
}

/** Three contacts enter, and the program looks at them. */
async function enter({ platform }: MailBrowser, slug: string): Promise<void> {
  for (const id of ['c1', 'c2', 'c3']) await platform.acts.fire('opened', id, {}, `${slug} ${id}`)
  await platform.clock.advance(120_000)
}

const board = (page: Page) => page.locator('.board > li')

test('a program is published and turned on, and its board fills', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  const { page, show, faults } = browser
  await program(browser, 'grow')
  await show('programs/grow')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await board(page).nth(1).waitFor()
  t.match(await board(page).allTextContents(), [/Please invite/, /Please pay/])
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('On v1').waitFor()
  await enter(browser, 'grow')
  await show('programs/grow')
  await board(page).first().getByText('1 satisfied 2 pending').waitFor()
  await page.locator('.tiles').getByText('3', { exact: true }).first().waitFor()
  t.same(faults, [])
})

test('after Back the focus is on the row of the program', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  const { page, show } = browser
  await program(browser, 'back')
  await show('programs')
  await page.locator('tr[data-id="back"]').focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/programs\/back$/)
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor()
  await page.goBack()
  await page.waitForFunction(() => {
    let at = document.activeElement
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    return at?.textContent?.trim() === 'Program back'
  })
  t.pass()
})

test('one subject is opened, an action skipped, and the run ended', browserOptions, async (t) => {
  const browser = await openMail(t, platformOf)
  const { page, show, platform } = browser
  await program(browser, 'one')
  await platform.admin('POST', '/programs/one/publish', {})
  await platform.admin('POST', '/programs/one/enable', {})
  await enter(browser, 'one')
  await show('programs/one')
  await page.getByRole('link', { name: 'Runs', exact: true }).click()
  await page.locator('tr[data-id]').nth(2).waitFor()
  await page.locator('tr[data-id]', { hasText: 'c2' }).click()
  await page.getByText('Sent invite').waitFor()
  await page.getByRole('button', { name: 'Skip pay' }).click()
  await page.getByText('Action skipped').waitFor()
  await page.getByRole('button', { name: 'End run' }).click()
  await page.locator('keelson-confirm').getByRole('button', { name: 'End run' }).click()
  await page.getByText('Run ended').waitFor()
  const { body } = await platform.admin('GET', '/programs/one/runs')
  t.equal(body.filter(({ status }: { status: string }) => status === 'active').length, 2)
})

/** A program whose definition is open to be typed. */
async function opened(browser: MailBrowser, slug: string) {
  await program(browser, slug)
  await browser.show(`programs/${slug}?tab=definition`)
  const text = browser.page.getByLabel('Definition (JSON)')
  await text.waitFor()
  const stored = async () =>
    (await browser.platform.admin('GET', `/programs/${slug}`)).body.draft.holdoutPct
  return { text, stored, status: browser.page.locator('[role=status].saved') }
}
const heldOut = (holdoutPct: number) => JSON.stringify({ ...PROGRAM, holdoutPct })

test(
  'a definition that is left by the navigation right after typing is saved',
  browserOptions,
  async (t) => {
    const browser = await openMail(t, platformOf)
    const { text, stored } = await opened(browser, 'left')
    await text.fill(heldOut(7))
    await browser.page.getByRole('link', { name: 'Programs', exact: true }).last().click()
    await browser.page.waitForURL(/programs$/)
    t.equal(await stored(), 7)
  }
)

test(
  'a definition that is not JSON is asked about before the page is left, and is not published',
  browserOptions,
  async (t) => {
    const browser = await openMail(t, platformOf)
    const { page } = browser
    const { text } = await opened(browser, 'half')
    await text.fill('{ "trigger": ')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page
      .getByText(/This is not JSON/)
      .last()
      .waitFor()
    t.equal((await browser.platform.admin('GET', '/programs/half')).body.version, 0)
    await page.getByRole('link', { name: 'Programs', exact: true }).last().click()
    await page.locator('keelson-confirm').getByRole('button', { name: 'Cancel' }).click()
    t.equal(await text.inputValue(), '{ "trigger": ')
  }
)

test(
  'a definition that another tab saved meanwhile is not replaced without a decision',
  browserOptions,
  async (t) => {
    const browser = await openMail(t, platformOf)
    const { text, stored, status } = await opened(browser, 'twice')
    const draft = JSON.parse(heldOut(5))
    await browser.platform.admin('PATCH', '/programs/twice/draft', { draft })
    await text.fill(heldOut(9))
    await status.getByText('Not saved', { exact: false }).waitFor()
    t.equal(await stored(), 5)
    await browser.page.getByRole('button', { name: 'Keep mine' }).click()
    await status.getByText('Saved', { exact: true }).waitFor()
    t.equal(await stored(), 9)
  }
)

test('the board passes axe and does not scroll sideways', browserOptions, async (t) => {
  const opened = await openMail(t, platformOf)
  await program(opened, 'looked-at')
  await opened.platform.admin('POST', '/programs/looked-at/publish', {})
  await opened.show('programs/looked-at')
  await board(opened.page).first().waitFor()
  t.same(await faultsInEveryLook(opened.page), [])
})
