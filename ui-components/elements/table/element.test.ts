// keelson-table in a browser: rows, keys, links, sorting, states.
import tap, { test } from 'tap'
import { accessibilityFaults, browserOptions, closeBrowser } from '../../test/browser.ts'
import { openElementPage } from '../../test/element-page.ts'
import type { KeelsonTable } from './element.ts'

tap.teardown(closeBrowser)

interface Row {
  readonly id: string
  readonly name: string
  readonly size: number
}
type Table = KeelsonTable<Row>
type Opened = Awaited<ReturnType<typeof openElementPage>>

/** Puts a table with five rows into the page and keeps what it says in `window.heard`. */
async function openTable(t: Parameters<typeof openElementPage>[0], width = 1000): Promise<Opened> {
  const opened = await openElementPage(t, { viewport: { width, height: 700 } })
  await opened.page.evaluate(async () => {
    const { define, KeelsonTable } = await import('@keelson/ui')
    define(KeelsonTable)
    const table = document.createElement('keelson-table') as Table
    table.heading = 'Things'
    table.keys = true
    table.columns = [
      { id: 'name', header: 'Name', cell: (row) => row.name, sort: 'asc' },
      { id: 'size', header: 'Size', cell: (row) => String(row.size), align: 'end', width: 90 },
      { id: 'note', header: 'Note', cell: () => 'note', width: 120, hideBelow: 600 }
    ]
    table.rows = ['a', 'b', 'c', 'd', 'e'].map((id, at) => ({ id, name: `Row ${id}`, size: at }))
    table.rowHref = (row) => `/things?open=${row.id}`
    table.total = 12
    table.more = true
    const heard: string[] = []
    Object.assign(window, { heard })
    for (const type of ['open', 'move', 'sort', 'more', 'retry']) {
      table.addEventListener(`keelson-${type}`, (event) => {
        const { id, column, direction } = (event as CustomEvent).detail
        heard.push([type, id ?? column, direction].filter(Boolean).join(' '))
        event.preventDefault()
      })
    }
    document.querySelector('main')?.append(table)
    await table.updateComplete
  })
  return opened
}

const heard = ({ page }: Opened): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { heard: string[] }).heard)

const change = ({ page }: Opened, values: Partial<Table>): Promise<void> =>
  page.evaluate(async (given) => {
    const table = document.querySelector('keelson-table') as Table
    Object.assign(table, given)
    await table.updateComplete
  }, values as object)

test(
  'a table of rows has no accessibility faults, filled, loading, empty and failed',
  browserOptions,
  async (t) => {
    const opened = await openTable(t)
    t.same(await accessibilityFaults(opened.page), [], 'filled')
    await change(opened, { selected: 'b', sort: { column: 'name', direction: 'desc' } })
    t.same(await accessibilityFaults(opened.page), [], 'selected and sorted')
    await change(opened, { rows: [], loading: true })
    t.same(await accessibilityFaults(opened.page), [], 'loading')
    await change(opened, { loading: false })
    t.same(await accessibilityFaults(opened.page), [], 'empty')
    await change(opened, { error: new Error('The disk is full.') })
    t.same(await accessibilityFaults(opened.page), [], 'failed')
    t.same(opened.faults, [], 'nothing was refused or thrown')
  }
)

test(
  'arrows, Home and End move through the rows and Enter opens one',
  browserOptions,
  async (t) => {
    const opened = await openTable(t)
    await opened.page.locator('tbody tr').first().focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'End', 'Home', 'Enter']) {
      await opened.page.keyboard.press(key)
    }
    t.same(await heard(opened), ['move b', 'move c', 'move b', 'move e', 'move a', 'open a'])
  }
)

test(
  'J and K move from anywhere on the page, but not while someone types',
  browserOptions,
  async (t) => {
    const opened = await openTable(t)
    await opened.page.keyboard.press('j')
    await opened.page.keyboard.press('j')
    await opened.page.keyboard.press('k')
    await opened.page.evaluate(() => {
      const input = document.createElement('input')
      document.querySelector('main')?.append(input)
      input.focus()
    })
    await opened.page.keyboard.press('j')
    t.same(await heard(opened), ['move a', 'move b', 'move a'])
  }
)

test('only one row is in the tab order', browserOptions, async (t) => {
  const opened = await openTable(t)
  t.equal(await opened.page.locator('tbody tr[tabindex="0"]').count(), 1)
  await opened.page.locator('tbody tr').first().focus()
  await opened.page.keyboard.press('ArrowDown')
  t.equal(await opened.page.locator('tbody tr[tabindex="0"]').getAttribute('data-id'), 'b')
})

test(
  'a column without a visible header is named for those who listen',
  browserOptions,
  async (t) => {
    const opened = await openTable(t)
    await opened.page.evaluate(() => {
      const table = document.querySelector('keelson-table') as Table
      table.columns = [
        ...table.columns,
        { id: 'bar', header: '', cell: () => '▂' },
        { id: 'go', header: '', hiddenHeader: 'Actions', cell: () => '…' }
      ]
    })
    await opened.page.getByRole('columnheader', { name: 'Actions' }).waitFor({ state: 'attached' })
    t.equal(await opened.page.getByRole('columnheader', { name: 'bar' }).count(), 1)
    t.same(await accessibilityFaults(opened.page), [])
  }
)

test('each row holds a real link to what it opens', browserOptions, async (t) => {
  const opened = await openTable(t)
  const links = opened.page.locator('tbody a')
  t.equal(await links.count(), 5)
  t.equal(await links.nth(2).getAttribute('href'), '/things?open=c')
})

test(
  'an open event that is not cancelled follows the link of the row',
  browserOptions,
  async (t) => {
    const opened = await openTable(t)
    await opened.page.evaluate(() => {
      const table = document.querySelector('keelson-table') as Table
      const clone = document.createElement('keelson-table') as Table
      clone.columns = table.columns
      clone.rows = table.rows
      clone.rowHref = table.rowHref
      table.replaceWith(clone)
    })
    await opened.page.locator('tbody tr').nth(1).focus()
    await opened.page.keyboard.press('Enter')
    await opened.page.waitForURL('**/things?open=b')
    t.match(opened.page.url(), /open=b$/)
  }
)

test('a click on a row opens it once', browserOptions, async (t) => {
  const opened = await openTable(t)
  await opened.page.locator('tbody tr').nth(3).locator('td').nth(1).click()
  await opened.page.locator('tbody tr').nth(4).locator('a').click()
  t.same(await heard(opened), ['open d', 'open e'])
})

test('a click with Shift opens, whatever the browser selects by it', browserOptions, async (t) => {
  const opened = await openTable(t)
  await opened.page.locator('h1').click()
  const cell = opened.page.locator('tbody tr').nth(3).locator('td').nth(1)
  await cell.click({ modifiers: ['Shift'] })
  t.same(await heard(opened), ['open d'])
})

test('a header asks for its first direction, then for the other', browserOptions, async (t) => {
  const opened = await openTable(t)
  const header = opened.page.getByRole('button', { name: 'Name' })
  await header.click()
  await change(opened, { sort: { column: 'name', direction: 'asc' } })
  t.equal(await opened.page.locator('th').first().getAttribute('aria-sort'), 'ascending')
  await header.click()
  t.same(await heard(opened), ['sort name asc', 'sort name desc'])
})

test('the focus stays with its row when rows come before it', browserOptions, async (t) => {
  const opened = await openTable(t)
  await opened.page.locator('tbody tr').nth(1).focus()
  await opened.page.evaluate(async () => {
    const table = document.querySelector('keelson-table') as Table
    table.rows = [{ id: 'new', name: 'New', size: 9 }, ...table.rows]
    await table.updateComplete
  })
  const focused = await opened.page.evaluate(() => {
    const root = document.querySelector('keelson-table')?.shadowRoot
    return (root?.activeElement as HTMLElement | null)?.dataset['id']
  })
  t.equal(focused, 'b')
})

test(
  'columns that do not fit are left out and nothing is wider than the table',
  browserOptions,
  async (t) => {
    const opened = await openTable(t, 380)
    t.equal(await opened.page.locator('th').count(), 2)
    const overflow = await opened.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth
    )
    t.ok(overflow <= 0, `${overflow} pixels too wide`)
  }
)

test('a table that shows all its rows says how many, in one way', browserOptions, async (t) => {
  const { page } = await openTable(t)
  const foot = page.locator('.foot span').first()
  for (const total of [5, null]) {
    await page.evaluate((rows) => {
      Object.assign(document.querySelector('keelson-table') ?? {}, { total: rows, more: false })
    }, total)
    await page.waitForFunction(() =>
      document.querySelector('keelson-table')?.shadowRoot?.textContent?.includes('5 rows')
    )
    t.equal(await foot.textContent(), '5 rows')
  }
})

test('Load more asks once more and says how many of how many', browserOptions, async (t) => {
  const opened = await openTable(t)
  t.equal(await opened.page.locator('.foot span').first().textContent(), '5 of 12')
  await opened.page.getByRole('button', { name: 'Load more' }).click()
  t.same(await heard(opened), ['more'])
})

test(
  'while the first rows load, bones keep their place; an error says why and, below rows, offers to try again',
  browserOptions,
  async (t) => {
    const opened = await openTable(t)
    await change(opened, { rows: [], loading: true, skeleton: 4 })
    t.equal(await opened.page.locator('tbody tr').count(), 4)
    await change(opened, { loading: false, error: new Error('Nobody answers.') })
    t.match(await opened.page.locator('.failed').textContent(), /Nobody answers/)
    t.equal(await opened.page.getByRole('button', { name: 'Try again' }).count(), 0)
    await change(opened, { rows: [{ id: 'a', name: 'A', size: 1 }] })
    await opened.page.getByRole('button', { name: 'Try again' }).click()
    t.same(await heard(opened), ['retry'])
  }
)

test(
  'a note without room for all of it is left out, so that no half of it misleads',
  browserOptions,
  async (t) => {
    const opened = await openTable(t)
    await change(opened, { note: '6543 in all' })
    const shown = (width: number) =>
      opened.page.evaluate((px) => {
        const table = document.querySelector('keelson-table') as Table
        table.style.inlineSize = `${px}px`
        const note = table.renderRoot.querySelector('.note') as HTMLElement
        const text = note.querySelector('span')?.getBoundingClientRect() ?? new DOMRect()
        const line = note.getBoundingClientRect()
        return { begins: text.top < line.bottom - 1, ends: text.right <= line.right + 1 }
      }, width)
    t.same(await shown(1000), { begins: true, ends: true })
    t.match(await shown(150), { begins: false })
  }
)

test(
  'in a narrow table a column that wraps has a line below the others',
  browserOptions,
  async (t) => {
    const opened = await openTable(t, 380)
    await opened.page.evaluate(async () => {
      const table = document.querySelector('keelson-table') as Table
      table.columns = table.columns.map((column) => ({ ...column, wraps: column.id === 'name' }))
      await table.updateComplete
    })
    const row = opened.page.locator('tbody tr').first()
    const boxOf = async (at: number) =>
      (await row.locator('td').nth(at).boundingBox()) ?? { y: 0, width: 0 }
    const below = async () => (await boxOf(0)).y > (await boxOf(1)).y
    t.ok(await below())
    t.ok((await boxOf(0)).width > 300, 'over the whole width')
    t.same(await accessibilityFaults(opened.page), [])
    await opened.page.setViewportSize({ width: 900, height: 700 })
    t.notOk(await below(), 'a wide table has it in the line')
  }
)
