// A table as a page declares it: what the read behind it does shows in its bones, rows, failure and buttons.
import type { TableView } from '@keelson/ui'
import type { Page } from 'playwright-core'
import tap, { test } from 'tap'
import { browserOptions, closeBrowser } from '../test/browser.ts'
import { openElementPage } from '../test/element-page.ts'

tap.teardown(closeBrowser)

interface Person {
  readonly id: string
}

/** Draws a table of people over its read, and says what the read was asked for. */
async function draw(
  page: Page,
  view: Pick<TableView<Person>, 'rows'> & Partial<Pick<TableView<Person>, 'isLive' | 'total'>>,
  read: object = {}
): Promise<void> {
  await page.evaluate(
    async ([given, state]) => {
      const { define, KeelsonDrawer, KeelsonEmpty, KeelsonTable, tableView } = await import(
        '@keelson/ui'
      )
      const { html, render } = await import('lit')
      define(KeelsonTable, KeelsonDrawer, KeelsonEmpty)
      const asked = (what: string) => () => document.body.setAttribute('data-asked', what)
      const main = document.querySelector('main')
      if (main === null) return
      const table = tableView<Person>({
        heading: 'People',
        columns: [{ id: 'name', header: 'Name', cell: ({ id }) => id }],
        empty: { heading: 'No people', action: html`<a href="/new">Add one</a>` },
        panel: {
          label: 'Person',
          isOpen: given.rows.length > 1,
          content: html`<p>Open</p>`,
          onClose: asked('close')
        },
        read: {
          isFirst: false,
          isPending: false,
          failure: undefined,
          retry: asked('retry'),
          more: asked('more'),
          ...state
        },
        ...given
      })
      render(table, main)
    },
    [view, read] as const
  )
}

const busy = (page: Page) => page.locator('table').getAttribute('aria-busy')
const askedFor = (page: Page) => page.locator('body').getAttribute('data-asked')
const ADA: Person = { id: 'ada' }

test(
  'rows wait while they are read again, but not those of a live page',
  browserOptions,
  async (t) => {
    const { page } = await openElementPage(t)
    await draw(page, { rows: [] }, { isFirst: true, isPending: true })
    await page.locator('tbody .bone').first().waitFor()
    await draw(page, { rows: [ADA] }, { isPending: true })
    await page.locator('tr[data-id=ada]').waitFor()
    t.equal(await busy(page), 'true')
    await draw(page, { rows: [ADA], isLive: true }, { isPending: true })
    await page.locator('table[aria-busy=false]').waitFor()
    await draw(page, { rows: [ADA], isLive: true }, { isMore: true })
    await page.locator('table[aria-busy=true]').waitFor()
  }
)

test('an empty table says why and what to do', browserOptions, async (t) => {
  const { page } = await openElementPage(t)
  await draw(page, { rows: [] })
  await page.getByText('No people').waitFor()
  t.equal(await page.getByRole('link', { name: 'Add one' }).getAttribute('href'), '/new')
})

test('its buttons ask the read for the next page, or to try again', browserOptions, async (t) => {
  const { page } = await openElementPage(t)
  await draw(page, { rows: [ADA] }, { hasMore: true })
  await page.getByRole('button', { name: 'Load more' }).click()
  t.equal(await askedFor(page), 'more')
  await draw(page, { rows: [ADA] }, { failure: new Error('The database sleeps.') })
  await page.getByRole('button', { name: 'Try again' }).click()
  t.equal(await askedFor(page), 'retry')
})

test('a panel is beside the table, and asks to be closed', browserOptions, async (t) => {
  const { page } = await openElementPage(t)
  await draw(page, { rows: [ADA, { id: 'grace' }] })
  await page.getByText('Open', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  t.equal(await askedFor(page), 'close')
})
