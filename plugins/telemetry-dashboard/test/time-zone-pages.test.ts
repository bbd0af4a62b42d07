// Days on pages: bucketed and labelled in the time zone of the platform, whatever that of the browser is.
import { startOf } from '@keelson/sdk/zoned-time'
import { createFormat } from '@keelson/ui'
import { test } from 'tap'
import { noBrowser, openPage, settled } from './browser.ts'
import { sampleRows, sampleStore } from './sample-store.ts'

const skip = noBrowser ?? false
const LA = 'America/Los_Angeles'
const rows = sampleRows(300, Date.now())

for (const [timeZone, browserZone] of [
  ['UTC', LA],
  [LA, 'UTC'],
  ['Asia/Kolkata', LA]
] as const) {
  test(`a page of ${timeZone} names its days, seen from ${browserZone}`, { skip }, async (t) => {
    const store = sampleStore(rows)
    const { page, complaints, close } = await openPage({
      store,
      query: '?chart=table',
      timeZone,
      browserZone
    })
    t.teardown(close)
    const days = page.locator('keelson-series-table tbody th')
    await days.first().waitFor()
    await settled(page)
    const today = startOf(Date.now(), 'day', timeZone)
    const format = createFormat('en', timeZone)
    t.equal((await days.last().textContent())?.trim(), format.date(today))
    t.match(await days.first().textContent(), /partial/)
    t.equal(await page.locator('keelson-chart .zone').textContent(), timeZone)
    const counts = page.locator('keelson-series-table tbody tr td:nth-of-type(1)')
    const most = Math.max(...(await counts.allTextContents()).map(Number))
    const rate = page.locator('keelson-stat', { hasText: 'Per day' }).locator('.change')
    t.equal((await rate.textContent())?.trim(), `peak ${most}`)
    const asked = store.asked.find(({ op }) => op === 'activity')
    t.match(asked?.params, timeZone === 'UTC' ? { interval: 'day' } : { interval: 'day', timeZone })
    t.same(complaints, [])
  })
}
