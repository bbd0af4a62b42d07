// The Events page in a browser, over made-up records.
import { createFormat } from '@keelson/ui'
import { faultsInEveryLook, textsOf } from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import { test } from 'tap'
import { PAGE_ROWS } from '../pages/requests.ts'
import { exactly, noBrowser, type OpenOptions, openPage, settled } from './browser.ts'
import { PLATFORM } from './fake-store.ts'
import { sampleRows, sampleStore } from './sample-store.ts'

const skip = noBrowser ?? false
const rows = sampleRows(900, Date.now())

interface Test {
  teardown(fn: () => Promise<void>): unknown
}

async function open(t: Test, options: Partial<OpenOptions> = {}) {
  const opened = await openPage({ store: sampleStore(rows), ...options })
  t.teardown(opened.close)
  return opened
}

const firstRow = (page: Page) => page.locator('keelson-table tbody tr[data-id]').first()
/** The panel's content is slotted into the dialog, so that it lies beside it in the tree. */
const panel = (page: Page) => page.locator('keelson-drawer')
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
const rowCount = (page: Page) => page.locator('keelson-table tbody tr[data-id]').count()

test('the page shows figures, a chart and rows, and complains of nothing', { skip }, async (t) => {
  const { page, complaints } = await open(t)
  await firstRow(page).waitFor()
  t.equal(await page.locator('h1').textContent(), 'Events')
  t.equal(await page.locator('keelson-stat').count(), 4)
  // More or fewer records are neither good nor bad.
  t.equal(await page.locator('keelson-stat').first().locator('.better, .worse').count(), 0)
  await page.locator('keelson-chart canvas').waitFor()
  t.equal(await rowCount(page), PAGE_ROWS)
  t.match(await page.title(), /^Events/)
  t.same(complaints, [])
})

test('a span is named by its method and route, which are not said twice', { skip }, async (t) => {
  const { page } = await open(t, { query: '?kind=span' })
  await firstRow(page).waitFor()
  const names = await textsOf(page.locator('tbody tr[data-id] td:nth-child(3)'))
  t.ok(names.some((text) => /^(GET|POST) \/\S* /.test(text)))
  t.notOk(names.some((text) => /route=|method=/.test(text)))
  await firstRow(page).press('Enter')
  const [title = ''] = /^\S+ \S+/.exec(names[0] ?? '') ?? []
  await panel(page).locator('h2', { hasText: title }).waitFor()
  t.match(await panel(page).locator('.record-head p').textContent(), 'http.request')
})

test('the panel of a record begins on the screen, wherever its row is', { skip }, async (t) => {
  const { page } = await open(t, { width: 1280, height: 800 })
  await settled(page)
  const header = await page.locator('keelson-page-header').boundingBox()
  const bottom = (header?.y ?? 0) + (header?.height ?? 0)
  const table = page.locator('keelson-table').last()
  for (const at of [0, 30]) {
    const row = table.locator('tbody tr[data-id]').nth(at)
    await row.click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    const top = (await dialog.boundingBox())?.y ?? -1
    t.ok(top >= bottom && top <= 400, `row ${at}: ${top} px from the top`)
    const y = (await row.boundingBox())?.y ?? -1
    t.ok(y >= bottom && y < 800, `row ${at} is still on the screen`)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  }
})

test('Enter opens a record beside the list, Escape restores address and focus', {
  skip
}, async (t) => {
  const { page } = await open(t)
  await firstRow(page).waitFor()
  const before = page.url()
  await page.keyboard.press('j')
  const id = await firstRow(page).getAttribute('data-id')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  t.equal(query(page)['record'], id)
  t.match(await dialog.getAttribute('aria-label'), id!)
  t.match(await panel(page).textContent(), id!)
  await page.keyboard.press('j')
  await page.waitForFunction((old) => !location.search.includes(old), `record=${id}`)
  t.equal(await page.getByRole('dialog').count(), 1, 'moving shows the next record')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  t.equal(page.url(), before)
  const focused = await page.evaluate(() => {
    let at = document.activeElement
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    return at?.tagName
  })
  t.equal(focused, 'TR')
})

test('a link to a record opens it, wherever it is in the list', { skip }, async (t) => {
  const last = rows.at(-1)!
  const at = encodeURIComponent(last.occurredAt.toISOString())
  const { page } = await open(t, { query: `?range=90d&record=${last._id}&at=${at}` })
  await panel(page).locator('h2', { hasText: last.name }).waitFor()
  t.pass('the record is shown')
})

test('a link to a record that is gone says so', { skip }, async (t) => {
  const { page } = await open(t, { query: '?record=none&at=2025-01-01T00:00:00.000Z' })
  await page.getByText('Record not found').waitFor()
  t.pass('it says so')
})

test('filters stand in the address, as chips, and are asked of the API', { skip }, async (t) => {
  const store = sampleStore(rows)
  const { page } = await open(t, {
    store,
    query: '?name=page.viewed&attrs=source:ads&excludeActors=admin'
  })
  await firstRow(page).waitFor()
  const chips = await page.locator('keelson-filter-chips .chip').allTextContents()
  t.equal(chips.length, 3)
  const asked = store.asked.filter(({ op }) => op === 'records').at(-1)
  t.match(asked?.params, {
    filters: { name: 'page.viewed', attrs: new Map([['source', 'ads']]), excludeActors: ['admin'] }
  })
  await page.getByRole('button', { name: /^Remove filter source/ }).click()
  await page.waitForFunction(() => !location.search.includes('attrs'))
  t.same(query(page), { name: 'page.viewed', excludeActors: 'admin' })
  await page.getByRole('button', { name: /^Change filter actor/ }).press('Delete')
  await page.waitForFunction(() => !location.search.includes('excludeActors'))
  await page.locator('keelson-filter-chips .edit:focus').waitFor()
})

test('a value of a row or a record becomes a filter', { skip }, async (t) => {
  const { page } = await open(t)
  await firstRow(page).waitFor()
  await page.locator('keelson-table tbody a', { hasText: 'source=ads' }).first().click()
  await page.waitForFunction(() => location.search.includes('attrs=source'))
  await settled(page)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await panel(page).getByRole('link', { name: 'web', exact: true }).click()
  await page.waitForFunction(() => location.search.includes('service=web'))
  t.same(query(page), { attrs: 'source:ads', service: 'web' }, 'and the record is closed')
})

test('the event and the range are chosen, and Back returns', { skip }, async (t) => {
  const { page } = await open(t)
  await firstRow(page).waitFor()
  await page.getByLabel('Event', { exact: true }).selectOption('order.placed')
  await page.waitForFunction(() => location.search.includes('name=order.placed'))
  await page.getByRole('button', { name: /30/ }).click()
  await page.waitForFunction(() => location.search.includes('range=30d'))
  t.match(await page.title(), /^order\.placed · Events/)
  await page.goBack()
  t.same(query(page), { name: 'order.placed' })
})

test('more rows are loaded below those that are there', { skip }, async (t) => {
  const { page } = await open(t)
  await firstRow(page).waitFor()
  const top = await firstRow(page).getAttribute('data-id')
  await page.getByRole('button', { name: 'Load more' }).click()
  const rows = page.locator('telemetry-dashboard-events keelson-table tbody tr[data-id]')
  t.equal(await exactly(rows, 2 * PAGE_ROWS), 2 * PAGE_ROWS)
  t.equal(await firstRow(page).getAttribute('data-id'), top)
})

test('the chart has a table, and a bucket of it becomes the range', { skip }, async (t) => {
  const { page } = await open(t)
  await firstRow(page).waitFor()
  await page.keyboard.press('t')
  await page.waitForFunction(() => location.search.includes('chart=table'))
  await page
    .getByRole('button', { name: /^Zoom to/ })
    .nth(2)
    .click()
  await page.waitForFunction(() => location.search.includes('from='))
  const { from, to } = query(page)
  t.equal(Date.parse(to!) - Date.parse(from!), 86_400_000)
})

test('the figure counts what the buckets of the chart add up to', { skip }, async (t) => {
  const { page } = await open(t, { query: '?name=page.viewed&chart=table' })
  const counts = page.locator('keelson-series-table tbody tr td:nth-of-type(1)')
  await counts.first().waitFor()
  await settled(page)
  t.match(await page.locator('keelson-series-table tbody th').first().textContent(), /partial/)
  const sum = (await counts.allTextContents()).reduce((all, text) => all + Number(text), 0)
  const tile = page.locator('keelson-stat').first().locator('.value')
  t.ok(sum > 20)
  t.equal(Number(await tile.textContent()), sum)
})

test('the mean per day and its peak follow from the chart', { skip }, async (t) => {
  for (const [range, days] of [
    ['7d', 7],
    ['30d', 30]
  ] as const) {
    const { page } = await open(t, { query: `?name=page.viewed&chart=table&range=${range}` })
    const cells = page.locator('keelson-series-table tbody tr td:nth-of-type(1)')
    await cells.first().waitFor()
    await settled(page)
    const counts = (await cells.allTextContents()).map(Number)
    const mean = counts.reduce((sum, count) => sum + count, 0) / days
    const tile = page.locator('keelson-stat', { hasText: 'Per day' })
    t.equal(await tile.locator('.value').textContent(), createFormat('en').compact(mean))
    t.equal((await tile.locator('.change').innerText()).trim(), `peak ${Math.max(...counts)}`)
  }
})

test('nothing found says why and what to do', { skip }, async (t) => {
  const { page } = await open(t, { query: '?name=page.viewed&attrs=plan:pro' })
  await page.getByText('page.viewed has no attribute plan').waitFor()
  await page.getByRole('link', { name: 'Remove pro' }).click()
  await firstRow(page).waitFor()
  t.same(query(page), { name: 'page.viewed' })
})

test('nothing at all says how records get here', { skip }, async (t) => {
  const { page } = await open(t, { store: sampleStore([]) })
  await page.getByText('No records in this range').waitFor()
  await page.getByRole('link', { name: 'Show 30d' }).click()
  await page.waitForFunction(() => location.search.includes('range=30d'))
  t.pass('a longer range is offered')
})

test('a failed answer leaves a message in its place, and can be tried again', {
  skip
}, async (t) => {
  let isBroken = true
  const whole = sampleStore(rows)
  const records = (scope: string, params: never) => {
    if (isBroken) throw new Error('down')
    return whole.queries.records(scope, params)
  }
  const { page } = await open(t, { store: sampleStore(rows, { records }) })
  await page.getByRole('alert').waitFor()
  t.equal(await page.locator('keelson-stat').count(), 4, 'the figures stand')
  isBroken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await firstRow(page).waitFor()
})

test('a figure that cannot be had leaves the others standing', { skip }, async (t) => {
  const distinctCount = () => {
    throw new Error('down')
  }
  const { page } = await open(t, { store: sampleStore(rows, { distinctCount }) })
  await firstRow(page).waitFor()
  await page.locator('keelson-stat', { hasText: 'Per day' }).waitFor()
  await page.locator('keelson-stat', { hasText: 'People' }).getByText('–').waitFor()
  t.equal(await exactly(page.locator('keelson-stat'), 4), 4)
})

test('a refusal of the API is shown in its words', { skip }, async (t) => {
  const { page } = await open(t, {
    query: `?metrics=${Array.from({ length: 21 }, (_, i) => `k${i}>1`)}`
  })
  await page.getByText('metrics must be at most 20 terms').first().waitFor()
  t.pass('it says what is wrong')
})

test('Live asks again and again while the range moves with time', { skip }, async (t) => {
  const store = sampleStore(rows)
  const { page } = await open(t, { store, query: '?live=1' })
  await firstRow(page).waitFor()
  const asked = () => store.asked.filter(({ op }) => op === 'records').length
  const before = asked()
  await page.waitForResponse((response) => /records(\?|%3F)/.test(response.url()), {
    timeout: 15_000
  })
  t.ok(asked() > before)
  await page.keyboard.press('l')
  await page.waitForFunction(() => !location.search.includes('live'))
})

test('Live follows what a search matches, and nothing else', { skip }, async (t) => {
  const [newest] = rows
  if (newest === undefined) throw new Error('there are rows')
  const growing = [...rows]
  const { page } = await open(t, { store: sampleStore(growing), query: '?live=1&q=needle' })
  await page.getByText('No matches in this range').first().waitFor()
  const arrived = (id: string, note: string) =>
    growing.unshift({ ...newest, _id: id, occurredAt: new Date(), attrs: { note } })
  arrived('hay', 'hay')
  arrived('one', 'needle one')
  await page.locator('tr[data-id*="one"]').waitFor()
  arrived('two', 'needle two')
  await page.locator('tr[data-id*="two"]').waitFor()
  t.equal(await rowCount(page), 2)
  t.match(query(page), { live: '1', q: 'needle' })
})

test('the platform sees whose each record is', { skip }, async (t) => {
  const { page } = await open(t, { viewer: PLATFORM })
  await firstRow(page).waitFor()
  await page.getByRole('columnheader', { name: 'Tenant' }).waitFor()
  t.match(await page.locator('keelson-table th').allTextContents(), [
    'Time',
    'Kind',
    'Tenant',
    'Name'
  ])
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  t.match(query(page)['record'], /^(acme|globex) /)
})

test('nothing scrolls sideways on a phone, and a record opens over the list', {
  skip
}, async (t) => {
  const { page } = await open(t, { width: 380, height: 800 })
  await firstRow(page).waitFor()
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  t.equal(await overflow(), 0)
  // The time: values beside it are links that filter.
  await firstRow(page).locator('td').first().click()
  await page.getByRole('dialog').waitFor()
  t.equal(await overflow(), 0)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  t.notOk(query(page)['record'])
})

test('no state of the page has a fault that a machine can find', { skip }, async (t) => {
  const { page } = await open(t)
  await firstRow(page).waitFor()
  t.same(await faultsInEveryLook(page), [], 'list')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  t.same(await faultsInEveryLook(page), [], 'open record')
})

test('links of an open record are large enough to press, on phones too', { skip }, async (t) => {
  for (const width of [380, 1280]) {
    const { page } = await open(t, { width })
    await page.locator('tbody tr[data-id]').first().press('Enter')
    await page.locator('.record dl a').first().waitFor()
    const sizes = await page
      .locator('.record dl a')
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().toJSON()))
    t.ok(sizes.length > 2)
    const small = sizes.filter(({ width: across, height }) => Math.min(across, height) < 24)
    t.same(small, [], `at ${width}`)
  }
})

test('the head of a long list stays below the header of the page', { skip }, async (t) => {
  for (const [width, above] of [
    [1280, 'keelson-page-header'],
    // Its controls take a second line.
    [980, 'keelson-page-header'],
    // There the header scrolls away, and the bar of the shell stays.
    [380, 'keelson-shell > header.bar']
  ] as const) {
    const { page } = await open(t, { width })
    const rows = page.locator('keelson-table tbody tr[data-id]')
    await rows.nth(PAGE_ROWS - 10).waitFor({ state: 'attached' })
    await rows.nth(PAGE_ROWS - 10).evaluate((row) => row.scrollIntoView({ block: 'center' }))
    const head = await page.locator('keelson-table thead').last().boundingBox()
    const bar = await page.locator(above.replace('keelson-shell > ', '')).first().boundingBox()
    t.equal(head?.y, (bar?.y ?? 0) + (bar?.height ?? 0), `${width}`)
  }
})

test('keys are hinted at where there is a keyboard alone', { skip }, async (t) => {
  for (const touch of [false, true]) {
    const { page } = await open(t, { touch })
    await firstRow(page).waitFor()
    const shown = await page
      .locator('kbd')
      .evaluateAll((all) => all.filter((one) => one.checkVisibility()).length)
    t.equal(shown > 0, !touch)
  }
})

test('a long filter stays inside the empty state', { skip }, async (t) => {
  const service = 'a-service-with-a-very-long-name-'.repeat(8)
  for (const width of [1280, 380]) {
    const { page } = await open(t, { width, query: `?service=${service}` })
    const button = page.getByRole('link', { name: `Remove ${service}` })
    await button.waitFor()
    const [inner, outer] = [
      await button.boundingBox(),
      await page.locator('keelson-empty').boundingBox()
    ]
    t.ok(inner && outer && inner.x >= outer.x, `${width}`)
    t.ok(inner && outer && inner.x + inner.width <= outer.x + outer.width, `${width}`)
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
  }
})

test('figures keep their place, however many an event has', { skip }, async (t) => {
  const places = []
  for (const query of ['', '?name=account.signed_up', '?service=web']) {
    const { page } = await open(t, { query })
    await firstRow(page).waitFor()
    await page.locator('keelson-stat[loading]').first().waitFor({ state: 'detached' })
    const { x, width } = (await page.locator('keelson-stat').first().boundingBox()) ?? {}
    places.push({ x, width })
    const all = page.locator('keelson-stat')
    t.ok((await all.count()) >= 2)
  }
  t.same(places[1], places[0])
  t.same(places[2], places[0])
})

test('a text that is searched for is a filter of the page', { skip }, async (t) => {
  const store = sampleStore(rows)
  const { page } = await open(t, { store })
  await firstRow(page).waitFor()
  const box = page.getByRole('searchbox')
  await box.fill('E_CARD')
  await box.press('Enter')
  await page.waitForURL(/q=E_CARD/)
  await settled(page)
  const asked = store.asked.filter(({ op }) => op === 'records').at(-1)
  t.match(asked?.params, { filters: { q: 'E_CARD' } })
  t.ok((await rowCount(page)) > 0)
  await page.locator('keelson-filter-chips').getByText('E_CARD').waitFor()
  await box.fill('')
  await box.press('Enter')
  await page.waitForURL((url) => !url.searchParams.has('q'))
})

test('the head of the chart names its lines whole, in groups and without', { skip }, async (t) => {
  for (const query of ['?name=http.request', '?name=http.request&by=service']) {
    const { page } = await open(t, { query })
    const names = page.locator('keelson-chart :is(h2, .legend li)')
    await names.nth(1).waitFor()
    await settled(page)
    const cut = await names.evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent?.trim())
    )
    t.same(cut, [], query)
  }
})
