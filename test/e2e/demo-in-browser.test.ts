// The demo in a browser, as a newcomer meets it: sign in, look at Events, open a record, embed a page, read a mail.
import { browserOptions, closeBrowser, openPage, type TestPage } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { sharedDemo, stopSharedDemo } from '../hosts/fresh-demo.ts'
import { until } from '../hosts/processes.ts'
import { type Demo, signIn, startForeignAdmin } from './demo-in-browser.ts'

let embedding = ''
let demo: Demo = { url: '' }
let foreign = ''

if (browserOptions.skip === undefined) {
  const { url, origins } = await sharedDemo()
  demo = { url }
  foreign = await startForeignAdmin(tap, () => embedding, origins.at(-1))
}
tap.teardown(closeBrowser)
tap.teardown(stopSharedDemo)

// The last hour of the shop's story may hold a single record.
const EVENTS = '/telemetry/events?range=24h'
const ADMIN = 'admin@acme.test'
const rows = ({ page }: TestPage) => page.locator('tbody tr[data-id]')

async function openEvents(
  t: Parameters<typeof openPage>[0],
  options: Parameters<typeof openPage>[1] = {}
): Promise<TestPage> {
  const opened = await openPage(t, options)
  await signIn(opened.page, demo, ADMIN, EVENTS)
  await rows(opened).first().waitFor()
  return opened
}

/** The records of requests are written after their answers: the list is read again until it has them. */
async function isShown(opened: TestPage, text: string): Promise<boolean> {
  for (let turn = 0; turn < 20; turn++) {
    if ((await opened.page.getByText(text).count()) > 0) return true
    await opened.page.reload()
    await rows(opened).first().waitFor()
  }
  return false
}

test('after sign-in Events shows the requests of the platform', browserOptions, async (t) => {
  const opened = await openEvents(t)
  const { page } = opened
  await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
  t.match(page.url(), /\/telemetry\/events\?range=24h$/)
  t.ok(await isShown(opened, 'http.request'))
  await page.locator('keelson-chart canvas').waitFor()
  t.same(opened.faults, [], 'nothing failed and nothing was refused by the policy')
})

test(
  'a row opens by Enter into the address, and Escape takes both back',
  browserOptions,
  async (t) => {
    const opened = await openEvents(t)
    const { page } = opened
    const before = page.url()
    await rows(opened).nth(1).focus()
    const id = await rows(opened).nth(1).getAttribute('data-id')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    t.ok(page.url().includes(encodeURIComponent(id ?? 'none')), 'the record is in the address')
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction(`!location.href.includes(${JSON.stringify(id)})`)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    t.equal(page.url(), before)
  }
)

test('the address of a mount shows its first page', browserOptions, async (t) => {
  const opened = await openEvents(t)
  await opened.page.goto(`${demo.url}/telemetry`)
  await opened.page.locator('h1').first().waitFor()
  t.equal(await opened.page.locator('[aria-current=page]').count(), 1)
})

test('a script and a tag put the page into another admin UI', browserOptions, async (t) => {
  embedding = `<!doctype html><html lang="de"><title>Another admin</title><body>
    <script type="module" src="${demo.url}/embed/telemetry-dashboard/events.js"></script>
    <telemetry-dashboard-events api-base="${demo.url}/telemetry" locale="de"></telemetry-dashboard-events>
    </body></html>`
  const opened = await openEvents(t)
  await opened.page.goto(foreign)
  await rows(opened).first().waitFor()
  await opened.page.locator('keelson-chart canvas').waitFor()
  t.equal(await opened.page.locator('telemetry-dashboard-events').count(), 1)
  t.equal(new URL(opened.page.url()).origin, foreign)
})

test('an origin that is not named gets no answer', browserOptions, async (t) => {
  const other = await startForeignAdmin(t, () => '<!doctype html><title>Another</title>')
  const opened = await openEvents(t)
  await opened.page.goto(other)
  const answer = await opened.page.evaluate(
    `fetch('${demo.url}/telemetry/api/registry', { credentials: 'include' }).then(() => 'answered', () => 'refused')`
  )
  t.equal(answer, 'refused')
})

test(
  'a sign-up sends a mail, which the mailbox shows with its links',
  browserOptions,
  async (t) => {
    const opened = await openPage(t)
    const { page } = opened
    await signIn(page, demo, ADMIN, EVENTS)
    await page.goto(`${demo.url}/dev/mailbox`)
    await page.getByText('No mail yet').waitFor()
    const post = (path: string, body: object) =>
      page.evaluate(
        `fetch('${path}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '${JSON.stringify(body)}' }).then(({ ok }) => ok)`
      )
    t.ok(await post('/admin/mailer/api/flows/onboarding/resume', {}))
    t.ok(await post('/shop/sign-ups', { externalId: 'u7' }))
    await until('the mail', 60_000, async () => {
      const reply = await fetch(`${demo.url}/dev/mailbox/messages?to=user7@example.test`)
      return ((await reply.json()) as { total: number }).total === 1 ? true : undefined
    })
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page
      .getByText(/^Welcome to Acme, /)
      .first()
      .click()
    const link = page.frameLocator('iframe').getByRole('link', { name: 'Connect your data' })
    const beside = page.waitForEvent('popup')
    await link.click()
    t.ok(await beside, 'the link opens in a new tab')
    t.same(opened.faults, [])
  }
)
