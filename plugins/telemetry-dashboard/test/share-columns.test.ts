// Columns called "Share" on all pages with tables: what they show is a share of the whole.
import type { Page } from 'playwright-core'
import { test } from 'tap'
import { noBrowser, openPage, settled } from './browser.ts'
import { sampleRows, sampleStore, sampleTrace } from './sample-store.ts'

const skip = noBrowser ?? false
const now = Date.now()
const rows = [...sampleTrace('ab'.repeat(16), now - 60_000), ...sampleRows(600, now - 61_000)]

/** Pages, and how many of their tables have such a column. */
const PAGES = [
  ['overview', '', 1],
  ['events', '?by=service', 1],
  ['usage', '', 1],
  ['traces', '', 0],
  ['errors', '', 0],
  ['journeys', '', 0]
] as const

/** The cells below each heading "Share", hidden headings too: their text, and the length of their bar. */
const sharesOf = (page: Page) =>
  page.locator('keelson-table').evaluateAll((tables) =>
    tables.flatMap(({ shadowRoot }) => {
      const heads = [...(shadowRoot?.querySelectorAll('thead th') ?? [])]
      const at = heads.findIndex(({ textContent }) => textContent?.trim().toLowerCase() === 'share')
      if (at < 0) return []
      const cells = [...(shadowRoot?.querySelectorAll('tbody tr[data-id]') ?? [])].map((row) => {
        const bar = row.children[at]?.querySelector('[part="fill"]')?.getAttribute('width')
        return { text: row.children[at]?.textContent?.trim() ?? '', bar: Number(bar) }
      })
      return [cells]
    })
  )

for (const [id, query, least] of PAGES) {
  test(`${id}: a column called Share shows shares of the whole`, { skip }, async (t) => {
    const { page, close } = await openPage({ store: sampleStore(rows), page: id, query })
    t.teardown(close)
    await page.locator('keelson-table tbody tr[data-id]').first().waitFor()
    await settled(page)
    const tables = await sharesOf(page)
    t.ok(least === 0 ? tables.length === 0 : tables.length >= least, `${tables.length} tables`)
    for (const cells of tables) {
      t.ok(cells.length > 0)
      for (const { text, bar } of cells) {
        t.match(text, /^\d+(\.\d)?%$/)
        t.ok(Math.abs(Number.parseFloat(text) - bar) <= 0.5, `${text} has a bar of ${bar}`)
      }
      t.ok(cells.reduce((sum, { bar }) => sum + bar, 0) <= 100.01, 'together at most the whole')
    }
  })
}

test('the bars of Traces are called what they are', { skip }, async (t) => {
  const { page, close } = await openPage({ store: sampleStore(rows), page: 'traces' })
  t.teardown(close)
  await page.locator('keelson-table:not(.groups) tbody tr[data-id]').first().waitFor()
  const bars = page.getByRole('columnheader', { name: 'Duration as a bar' })
  t.equal(await bars.count(), 1)
})
