// The brush of a trace: stretches as pure values, and the strip in a browser.

import { accessibilityFaults } from '@keelson/ui/testing'
import { test } from 'tap'
import { moved, stretchOf, stretchText, within } from '../pages/trace/overview-strip.ts'
import type { TraceItem } from '../pages/trace/tree.ts'
import { exactly, noBrowser, openPage } from './browser.ts'
import { sampleRows, sampleStore, sampleTrace } from './sample-store.ts'

const skip = noBrowser ?? false
const TRACE = 'ab'.repeat(16)

test('a stretch is read inside its trace, and anything else is none', async (t) => {
  t.same(stretchOf('80-290', 340), { from: 80, to: 290 })
  t.same(stretchOf('80.5-900', 340), { from: 80.5, to: 340 })
  for (const text of [null, '', '80', '290-80', '400-500', '-5-10', 'a-b']) {
    t.equal(stretchOf(text, 340), undefined, String(text))
  }
  t.equal(stretchText({ from: 80.12345, to: 90 }), '80.1-90.0')
})

test('what reaches into the stretch is shown', async (t) => {
  const item = (start: number, duration: number) => ({ start, duration }) as TraceItem
  const items = [item(0, 100), item(10, 5), item(60, 10), item(90, 0)]
  t.same(within(items, { from: 50, to: 80 }), [items[0], items[2]])
  t.equal(within(items, undefined), items)
})

test('a stretch moves and grows inside the trace', async (t) => {
  t.same(moved({ from: 40, to: 60 }, 100, 0, 0.5), { from: 45, to: 55 })
  t.same(moved({ from: 40, to: 60 }, 100, 0.25), { from: 45, to: 65 })
  t.same(moved({ from: 90, to: 100 }, 100, 0.5), { from: 90, to: 100 })
  t.same(moved({ from: 40, to: 60 }, 100, 0, 99), { from: 0, to: 100 })
})

test('what takes no time is drawn at the end of a trace, not beyond it', { skip }, async (t) => {
  const at = Date.now() - 60_000
  const [root] = sampleTrace(TRACE, at).filter(({ parentId }) => parentId === undefined)
  if (root === undefined) throw new Error('no root')
  const end = new Date(at + (root.durationMs ?? 0))
  const last = { ...root, _id: 'last', kind: 'error' as const, occurredAt: end, durationMs: 0 }
  const opened = await openPage({
    store: sampleStore([last, root]),
    page: 'trace',
    query: `?trace=${TRACE}`
  })
  t.teardown(opened.close)
  const bars = opened.page.locator('keelson-table [part=lane] rect')
  await bars.nth(1).waitFor({ state: 'attached' })
  const ends = await bars.evaluateAll((all) =>
    all.map((bar) => Number(bar.getAttribute('x')) + Number(bar.getAttribute('width')))
  )
  t.equal(Math.max(...ends), 100)
  t.equal(Math.min(...ends), 100)
  const strip = await opened.page.locator('.strip').boundingBox()
  const drawn = await opened.page.locator('.strip path.bad').boundingBox()
  t.ok((drawn?.y ?? 0) + (drawn?.height ?? 0) > (strip?.y ?? 0) + 40, 'two lines fill the strip')
})

test('a phone shows the bars below the names', { skip }, async (t) => {
  const opened = await openPage({
    store: sampleStore(sampleTrace(TRACE, Date.now() - 60_000)),
    page: 'trace',
    query: `?trace=${TRACE}`,
    width: 380
  })
  t.teardown(opened.close)
  const { page } = opened
  await page.locator('keelson-table tbody tr[data-id]').first().waitFor()
  const widths = await page
    .locator('keelson-table [part=under] rect')
    .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width))
  t.equal(widths.length, 7)
  t.ok(Math.max(...widths) > 150, `${widths}`)
  t.ok(Math.min(...widths) > 0, `${widths}`)
  t.same(await accessibilityFaults(page), [])
})

test('dragging over the strip shows that stretch alone, by keys too', { skip }, async (t) => {
  const rows = [...sampleTrace(TRACE, Date.now() - 60_000), ...sampleRows(20, Date.now() - 90_000)]
  const opened = await openPage({
    store: sampleStore(rows),
    page: 'trace',
    query: `?trace=${TRACE}`
  })
  t.teardown(opened.close)
  const { page } = opened
  const spans = page.locator('keelson-table tbody tr[data-id]')
  await spans.first().waitFor()
  const all = await spans.count()
  const box = await page.locator('.strip').boundingBox()
  if (box === null) throw new Error('no strip')
  await page.mouse.move(box.x + box.width * 0.9, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.99, box.y + 10)
  await page.mouse.up()
  await page.waitForFunction(() => location.search.includes('zoom='))
  t.ok((await spans.count()) < all)
  t.same(await accessibilityFaults(page), [])
  await page.locator('.strip').focus()
  await page.keyboard.press('Home')
  await page.waitForFunction(() => !location.search.includes('zoom='))
  await page.keyboard.press('+')
  await page.waitForFunction(() => location.search.includes('zoom='))
  await page.getByRole('link', { name: 'Show all' }).click()
  await page.waitForFunction(() => !location.search.includes('zoom='))
  t.equal(await exactly(spans, all), all)
  t.same(opened.complaints, [])
})
