// A list of 10,000 contacts in a browser: found, narrowed, read on and opened by mouse, by keyboard and by touch.
import { browserOptions, closeBrowser } from '@keelson/ui/testing'
import type { Locator, Page } from 'playwright-core'
import tap, { test } from 'tap'
import { openMail, people, sharedPlatform } from './page-host.ts'

tap.teardown(closeBrowser)
const COUNT = 10_000
const platformOf = sharedPlatform(tap, { people: people(COUNT) })

interface Way {
  readonly name: string
  readonly look: object
  press(page: Page, target: Locator): Promise<unknown>
}

const phone = { viewport: { width: 380, height: 800 }, hasTouch: true, isMobile: true }
const WAYS: readonly Way[] = [
  { name: 'mouse', look: {}, press: (_page, target) => target.click() },
  {
    name: 'keyboard',
    look: {},
    press: async (page, target) => {
      await target.focus()
      await page.keyboard.press('Enter')
    }
  },
  {
    name: 'touch in the dark',
    look: { ...phone, colorScheme: 'dark' },
    press: (_page, target) => target.tap()
  }
]

for (const { name, look, press } of WAYS) {
  test(
    `10,000 contacts are counted, read on, found and opened by ${name}`,
    browserOptions,
    async (t) => {
      const { page, show, faults } = await openMail(t, platformOf, look)
      const rows = page.locator('tr[data-id]')
      await show('contacts')
      await page.getByText('10,000 contacts').waitFor()
      await page.getByText('50 shown').waitFor()
      await press(page, page.getByRole('button', { name: 'Load more' }))
      await page.getByText('100 shown').waitFor()
      await page.getByRole('searchbox').fill('c9876@')
      await page.keyboard.press('Enter')
      await page.getByText('1 row').waitFor()
      await press(page, rows.first().getByRole('link'))
      await page.waitForURL(/contact\/c9876$/)
      await page.getByText('Name9876').first().waitFor()
      t.same(faults, [])
    }
  )
}
