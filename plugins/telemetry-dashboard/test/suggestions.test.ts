// Values to filter by come from the store: of the range, of the kind of the page, by what was typed.
import { test } from 'tap'
import { noBrowser, openPage } from './browser.ts'
import { sampleRows, sampleStore } from './sample-store.ts'

const skip = noBrowser ?? false

for (const [page, kind] of [
  ['events', undefined],
  ['errors', 'error'],
  ['traces', 'span'],
  ['usage', 'usage']
] as const) {
  test(`${page}: releases are suggested though no row on screen has them`, { skip }, async (t) => {
    const found = {
      groups: [
        { value: 'shop@1.3.1', count: 9, figure: 9 },
        { value: null, count: 1, figure: 1 }
      ],
      values: 2,
      total: 10,
      truncated: false,
      sampled: false,
      dataSource: 'raw'
    }
    const asked: { contains?: string; from: Date; to: Date; filters: object }[] = []
    const store = sampleStore(sampleRows(200, Date.now()), {
      breakdown: (_scope: string, params: (typeof asked)[number]) => {
        asked.push(params)
        return found
      }
    })
    const opened = await openPage({ store, page, query: '?range=24h' })
    t.teardown(opened.close)
    await opened.page.getByRole('button', { name: 'Filter', exact: true }).click()
    const answer = opened.page.waitForResponse(/contains=1\.3(&|$)/)
    await opened.page.keyboard.type('release:1.3')
    await answer
    await opened.page.getByRole('option', { name: 'shop@1.3.1' }).waitFor()
    await opened.page.keyboard.press('Enter')
    await opened.page.waitForURL(/release=shop%401\.3\.1/)
    const last = asked.findLast(({ contains }) => contains === '1.3')
    t.match(last, { by: 'release', newest: 10_000, contains: '1.3' })
    t.equal(Number(last?.to) - Number(last?.from), 86_400_000)
    t.same(last?.filters, kind === undefined ? {} : { kind })
  })
}

test('fields of usage are offered where there can be usage', { skip }, async (t) => {
  for (const [page, isThere] of [
    ['errors', false],
    ['usage', true]
  ] as const) {
    const opened = await openPage({ store: sampleStore(sampleRows(50, Date.now())), page })
    t.teardown(opened.close)
    await opened.page.getByRole('button', { name: 'Filter', exact: true }).click()
    await opened.page.getByRole('option', { name: 'release', exact: true }).waitFor()
    const meter = opened.page.getByRole('option', { name: 'meter', exact: true })
    t.equal((await meter.count()) === 1, isThere, page)
  }
})
