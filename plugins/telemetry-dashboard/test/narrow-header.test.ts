// The line at the top of each page with a range, on a phone.
import { test } from 'tap'
import { noBrowser, type Opened, openPage } from './browser.ts'
import { sampleRows, sampleStore } from './sample-store.ts'

const skip = noBrowser ?? false
const store = sampleStore(sampleRows(60, Date.now()))
const PAGES = ['events', 'overview', 'errors', 'traces', 'journeys', 'usage']

async function open(
  t: { teardown(fn: () => Promise<void>): unknown },
  page: string,
  width: number
): Promise<Opened> {
  const opened = await openPage({ store, page, width, height: 800 })
  t.teardown(opened.close)
  await opened.page
    .getByRole('link', { name: 'New alert for this view' })
    .or(opened.page.getByRole('button', { name: 'Views' }))
    .first()
    .waitFor()
  return opened
}

test('the header takes two rows at most, and nothing scrolls sideways', { skip }, async (t) => {
  for (const id of PAGES) {
    const { page } = await open(t, id, 380)
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    const header = await page.locator('keelson-page-header').boundingBox()
    t.ok(header !== null && header.height <= 96, `${id}: ${header?.height} px`)
    for (const width of [380, 320]) {
      await page.setViewportSize({ width, height: 800 })
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      t.equal(wide, 0, `${id} at ${width} px`)
    }
  }
})

test('the header keeps its height when an answer brings an action', { skip }, async (t) => {
  for (const id of PAGES) {
    const { page } = await open(t, id, 360)
    await page
      .getByRole('link', { name: 'New alert for this view' })
      .or(page.getByText('Spend'))
      .first()
      .waitFor()
    const height = () =>
      page.locator('keelson-page-header').evaluate((one: HTMLElement) => one.offsetHeight)
    const whole = await height()
    await page.locator('keelson-page-header a').evaluateAll((links) => {
      for (const link of links) link.remove()
    })
    t.equal(await height(), whole, id)
  }
})

test('the range is chosen from a list, and its form fits into the window', { skip }, async (t) => {
  for (const [id, width] of [
    ['overview', 320],
    ['events', 320],
    ['errors', 600],
    ['usage', 760]
  ] as const) {
    const { page } = await open(t, id, width)
    const list = page.getByRole('combobox', { name: 'Time range' })
    await list.selectOption('24h')
    await page.waitForURL(/range=24h/)
    await list.selectOption('Custom')
    await page.getByLabel('From', { exact: true }).waitFor()
    const form = await page.getByRole('dialog').boundingBox()
    const header = await page.locator('keelson-page-header').boundingBox()
    t.ok(form !== null && form.x >= 0 && form.x + form.width <= width, id)
    t.ok(form !== null && header !== null && form.y > header.y, `${id}: below the list`)
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
    await page.keyboard.press('Escape')
    t.equal(await list.inputValue(), '24h')
  }
})
