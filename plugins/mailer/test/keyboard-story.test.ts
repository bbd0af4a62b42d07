// From a new template to the results of a broadcast, with the keyboard alone: no click, no focus by script.
// Runs beside the others: it waits for much of its time.
import { browserOptions, closeBrowser } from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import tap, { type Test, test } from 'tap'
import { openMail, people, sharedPlatform } from './page-host.ts'

tap.teardown(closeBrowser)
const PEOPLE = 50
const platformOf = sharedPlatform(tap, { people: people(PEOPLE) })

/** The accessible name of what has the focus: of its label, else its own words. */
const NAME = `(() => {
  let at = document.activeElement
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  const own = at?.textContent ?? ''
  const label = at?.getAttribute('aria-label') ?? at?.labels?.[0]?.textContent.replace(own, '') ?? own
  return label.replace(/\\s+/g, ' ').trim()
})()`

/** What a person does with a keyboard. */
class Keyboard {
  readonly #page: Page
  readonly #t: Test

  constructor(page: Page, t: Test) {
    this.#page = page
    this.#t = t
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key)
  }

  type = (text: string): Promise<void> => this.#page.keyboard.type(text)

  /** Presses Tab until something of the name has the focus. */
  async tabTo(name: string | RegExp, { key = 'Tab', most = 60 } = {}): Promise<void> {
    const seen: string[] = []
    for (let count = 0; count < most; count += 1) {
      await this.press(key)
      const now = String(await this.#page.evaluate(NAME))
      if (typeof name === 'string' ? now === name : name.test(now)) return
      seen.push(now.slice(0, 40))
    }
    this.#t.fail(`no way to ${name} by ${key}`, { seen })
    throw new Error(`no way to ${name}`)
  }

  async open(name: string | RegExp): Promise<void> {
    await this.tabTo(name)
    await this.press('Enter')
  }

  /** Waits until the words are on the page. */
  see = (words: string | RegExp): Promise<void> =>
    this.#page.getByText(words).filter({ visible: true }).first().waitFor()
}

async function writeTemplate(page: Page, keys: Keyboard): Promise<void> {
  await keys.see('No templates yet')
  await keys.press('n')
  await keys.see('Lower-case letters, digits and hyphens.')
  await keys.type('Spring news')
  await keys.press('Enter')
  await page.waitForURL(/template\/spring-news$/)
  await keys.see('Start from an example')
  await keys.tabTo('Subject')
  await keys.type('Four new things')
  await keys.open(/^Newsletter/)
  await keys.see('No findings. Ready to publish.')
}

/** An error is made in a block, found by key, and mended. */
async function lintTemplate(page: Page, keys: Keyboard): Promise<void> {
  await keys.see('[Your text]')
  await keys.tabTo('Header of the sender')
  for (let down = 0; down < 5; down += 1) await keys.press('ArrowDown')
  await keys.press('Enter', 'Control+End')
  await keys.type(' {{#if vars.beta}}Early.')
  await keys.see('Not ready to publish:')
  await keys.press('F8')
  await keys.press('Enter', 'Control+End')
  await keys.type('{{/if}}')
  await page.getByText('Not ready to publish:').waitFor({ state: 'hidden' })
}

async function publishTemplate(keys: Keyboard): Promise<void> {
  await keys.tabTo('Publish v1', { key: 'Shift+Tab' })
  await keys.press('Enter')
  await keys.see('Publish version 1?')
  await keys.open('Publish v1')
  await keys.see('v1 is live.')
}

async function buildFlow(page: Page, keys: Keyboard): Promise<void> {
  await keys.open('Flows')
  await page.waitForURL(/\/flows$/)
  await keys.see('No flows yet')
  await keys.press('n')
  await page.getByRole('dialog').waitFor()
  await keys.type('Welcome')
  await keys.tabTo('Event')
  await keys.type('signed_up')
  await keys.press('Enter')
  await page.waitForURL(/flow\/welcome$/)
  await keys.see('Add step')
  await page.locator('.canvas[data-editable]').waitFor()
  await keys.press('a')
  await keys.open(/^Send/)
  await page.waitForURL(/step=0/)
  await keys.tabTo('Template')
  await keys.type('Spring')
  await keys.see('Saved')
  await keys.press('Escape', 'a')
  await keys.open(/^Wait ?Minutes/)
  await page.waitForURL(/step=1/)
  await keys.see('Saved')
}

async function armFlow(page: Page, keys: Keyboard): Promise<void> {
  await keys.tabTo('Simulate', { key: 'Shift+Tab' })
  await keys.press('Enter')
  // The button before it has the same name.
  await page.getByPlaceholder('Contact ID or address').waitFor()
  await keys.tabTo('Simulate')
  await keys.type('c1')
  await keys.press('Enter')
  await keys.see(/Completes|Ends/)
  await keys.tabTo('Publish v1', { key: 'Shift+Tab' })
  await keys.press('Enter')
  await keys.open('Publish v1')
  await keys.see('Live v1')
}

async function sendBroadcast(page: Page, keys: Keyboard): Promise<void> {
  await keys.open('Broadcasts')
  await page.waitForURL(/\/broadcasts$/)
  await keys.see('No broadcasts yet')
  await keys.press('n')
  await page.getByRole('button', { name: 'Create' }).and(page.locator(':enabled')).waitFor()
  await keys.type('To everyone')
  await keys.press('Enter')
  await page.waitForURL(/broadcast\/to-everyone$/)
  await keys.see('50 recipients')
  await keys.open('Schedule')
  await keys.see('Type the number of people')
  await keys.type('50')
  await keys.see('Matches the count.')
  await keys.press('Enter')
  await keys.see('Scheduled.')
}

test('a mail is written, checked, put into a flow, sent to fifty people and read, by keyboard alone', {
  ...browserOptions,
  timeout: 180_000
}, async (t) => {
  const { page, show, platform, faults } = await openMail(t, platformOf)
  for (const { externalId } of people(PEOPLE))
    await platform.acts.upsertSubscription({ externalId, source: 'test' })
  const keys = new Keyboard(page, t)
  await show('templates')
  await writeTemplate(page, keys)
  await lintTemplate(page, keys)
  await publishTemplate(keys)
  await buildFlow(page, keys)
  await armFlow(page, keys)
  t.match((await platform.admin('GET', '/flows/welcome')).body, {
    enabled: true,
    steps: [{ type: 'send', templateSlug: 'spring-news' }, { type: 'wait' }]
  })
  await sendBroadcast(page, keys)
  await platform.clock.advance(120_000)
  await keys.see('50 of 50')
  await keys.see('of 50 handed off')
  await keys.open(/^sent ?50/)
  await page.waitForURL(/status=sent/)
  t.match((await platform.admin('GET', '/broadcasts/to-everyone')).body, {
    status: 'sent',
    statusBreakdown: { sent: 50 }
  })
  // The mail that did not compile had no preview for a moment.
  t.same(
    faults.filter((fault) => !fault.includes('422')),
    []
  )
})
