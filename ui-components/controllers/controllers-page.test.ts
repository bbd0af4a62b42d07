// A page that is composed of controllers, in a browser: its controls change the address, and the address the page.
import tap, { test } from 'tap'
import { browserOptions, closeBrowser } from '../test/browser.ts'
import { openElementPage } from '../test/element-page.ts'

tap.teardown(closeBrowser)

/** Opens a page with a range, filters, Live and a list whose rows open; answers with 2 rows per page. */
async function open(t: Parameters<typeof openElementPage>[0]) {
  const opened = await openElementPage(t)
  const { page } = opened
  const asked: string[] = []
  await page.route('**/mount/api/rows**', (route) => {
    const { searchParams } = new URL(route.request().url())
    asked.push(searchParams.toString())
    const cursor = Number(searchParams.get('cursor') ?? 0)
    const items = [1, 2].map((at) => ({ id: `r${cursor + at}`, name: `row ${cursor + at}` }))
    return route.fulfill({ json: { items, nextCursor: cursor === 0 ? '2' : null } })
  })
  await page.evaluate(async () => {
    const ui = await import('@keelson/ui')
    const { html } = await import('lit')
    interface Row {
      readonly id: string
      readonly name: string
    }
    class Sample extends ui.KeelsonPage {
      static override readonly styles = ui.controls
      readonly api = ui.apiOf(this)
      readonly filters = new ui.Filters(this, {
        codec: ui.fieldFilters(['plan']),
        closes: { row: null }
      })
      readonly range = new ui.TimeRange(this, {
        closes: { row: null },
        asked: () => this.filters.params.toString()
      })
      readonly list: InstanceType<typeof ui.ListLoad<readonly unknown[], Row>> = new ui.ListLoad(
        this,
        {
          args: () => [this.filters.params.toString(), this.range.span.from] as const,
          idOf: ({ id }: Row) => id,
          page: ([query], { cursor }, signal) =>
            this.api.read(`/api/rows?${query}${cursor === null ? '' : `&cursor=${cursor}`}`, signal)
        }
      )
      readonly live = new ui.Live(this, { range: this.range, loads: () => [this.list] })
      readonly selection = new ui.Selection<Row>(this, { param: 'row' })
      readonly keys = new ui.Shortcuts(this, () => this.live.shortcuts)
      protected override content() {
        const { list, selection } = this
        return html`<h1>Rows</h1>
          ${this.range.picker()} ${this.live.button()}
          ${this.filters.chips([{ id: 'plan', label: 'plan', values: ['pro', 'free'] }])}
          <p id="address">${this.params.toString()}</p>
          <keelson-drawer
            ?open=${selection.id !== null}
            label="Row"
            @keelson-close=${selection.close}
          >
            <keelson-table
              slot="list"
              keys
              .columns=${[{ id: 'name', header: 'Name', cell: ({ name }: Row) => name }]}
              .rows=${list.rows}
              .rowHref=${selection.href}
              .selected=${selection.id}
              .loading=${list.isBusy}
              ?more=${list.hasMore}
              @keelson-open=${selection.onOpen}
              @keelson-move=${selection.onMove}
              @keelson-more=${() => list.more()}
            ></keelson-table>
            <p>${list.rows.find(({ id }) => id === selection.id)?.name ?? ''}</p>
          </keelson-drawer>`
      }
    }
    ui.define(
      ui.KeelsonRangePicker,
      ui.KeelsonFilterChips,
      ui.KeelsonTable,
      ui.KeelsonDrawer,
      ui.KeelsonEmpty,
      ui.KeelsonError
    )
    ui.definePage('sample-list', Sample)
    document
      .querySelector('main')
      ?.insertAdjacentHTML('beforeend', '<sample-list api-base="/mount"></sample-list>')
  })
  await page.getByRole('row', { name: 'row 1' }).waitFor()
  return { ...opened, asked, address: page.locator('#address') }
}

test(
  'the range picker writes the address, and what depends on it loads again',
  browserOptions,
  async (t) => {
    const { page, asked, address } = await open(t)
    const choose = async (name: string) => {
      const answered = page.waitForResponse('**/mount/api/rows**')
      await page.getByRole('button', { name }).click()
      await answered
    }
    await choose('30d')
    await page.locator('#address', { hasText: 'range=30d' }).waitFor()
    await choose('7d')
    await page.locator('#address:empty').waitFor({ state: 'attached' })
    t.equal(await address.textContent(), '')
    t.ok(asked.length >= 3)
  }
)

test('a filter that is typed is asked for and closes the open row', browserOptions, async (t) => {
  const { page, address } = await open(t)
  await page.getByRole('row', { name: 'row 1' }).click()
  await page.locator('#address', { hasText: 'row=r1' }).waitFor()
  await page.keyboard.press('f')
  await page.keyboard.type('plan:pro')
  const asked = page.waitForRequest(/plan=pro/)
  await page.keyboard.press('Enter')
  await page.locator('#address', { hasText: 'plan=pro' }).waitFor()
  t.equal(await address.textContent(), 'plan=pro')
  await asked
})

test('rows open, move by key and close; more of them are read below', browserOptions, async (t) => {
  const { page, address } = await open(t)
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByRole('row', { name: 'row 4' }).waitFor()
  t.equal(await page.getByRole('button', { name: 'Load more' }).count(), 0)
  await page.getByRole('row', { name: 'row 1' }).click()
  await page.locator('#address', { hasText: 'row=r1' }).waitFor()
  await page.keyboard.press('j')
  await page.locator('#address', { hasText: 'row=r2' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('#address:empty').waitFor({ state: 'attached' })
  t.equal(await address.textContent(), '')
})

test(
  'Live is a pressed button and the key L, and is disabled for fixed dates',
  browserOptions,
  async (t) => {
    const { page } = await open(t)
    const live = page.getByRole('button', { name: 'Live' })
    await page.keyboard.press('l')
    await page.locator('#address', { hasText: 'live=1' }).waitFor()
    t.equal(await live.getAttribute('aria-pressed'), 'true')
    await live.click()
    await page.locator('#address:empty').waitFor({ state: 'attached' })
    await page.locator('sample-list').evaluate((one) => {
      const range = { from: '2025-06-01T00:00:00.000Z', to: '2025-06-02T00:00:00.000Z' }
      ;(one as unknown as { range: { set(range: object): void } }).range.set(range)
    })
    await page.locator('#address', { hasText: 'from=' }).waitFor()
    t.equal(await live.isDisabled(), true)
  }
)
