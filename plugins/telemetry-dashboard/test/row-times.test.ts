// Times of rows: a day and a minute are shown whole.
import { test } from 'tap'
import { noBrowser, openPage } from './browser.ts'
import { sampleRows, sampleStore } from './sample-store.ts'

const skip = noBrowser ?? false
const DAY = 86_400_000
/** Older than a day, so that the day is named too. */
const rows = sampleRows(300, Date.now() - 3 * DAY)
const person = rows.find(({ name }) => name === 'account.signed_up')?.subject ?? ''

for (const [page, query] of [
  ['events', ''],
  ['errors', ''],
  ['traces', ''],
  ['journey', `&subject=${person}`]
] as const) {
  test(`${page}: no time of an older row is cut`, { skip }, async (t) => {
    const opened = await openPage({
      store: sampleStore(rows),
      page,
      query: `?range=30d${query}`
    })
    t.teardown(opened.close)
    const cells = opened.page.locator('tbody tr[data-id] td', {
      hasText: /^\s*[A-Z][a-z]{2} \d+, \d\d:\d\d\s*$/
    })
    await cells.first().waitFor()
    const cut = await cells.evaluateAll((all) =>
      all.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)
    )
    t.same(cut, [])
  })
}
