// Columns, sorting and moving, without a browser.
import { test } from 'tap'
import { columnsAt, gridColumns, moveBy, nextSort, type TableColumn } from './column.ts'

const column = (id: string, more: Partial<TableColumn<unknown>> = {}): TableColumn<unknown> => ({
  id,
  header: id,
  cell: () => id,
  ...more
})

test('columns that do not fit are left out, but never the one with the link', async (t) => {
  const columns = [
    column('a', { hideBelow: 600, link: true }),
    column('b', { hideBelow: 500 }),
    column('c')
  ]
  t.same(
    columnsAt(columns, 400).map(({ id }) => id),
    ['a', 'c']
  )
  t.equal(columnsAt(columns, 600).length, 3)
})

test('fixed columns keep their width and the others share the rest', async (t) => {
  t.equal(
    gridColumns([column('a', { width: 90 }), column('b', { grow: 2 }), column('c')]),
    'max(90px, 1ch + 16px) minmax(0, 2fr) minmax(0, 1fr)'
  )
  t.equal(
    gridColumns([column('a', { width: 90 }), column('b', { width: 60 })]),
    'max(90px, 1ch + 16px) minmax(max(60px, 1ch + 16px), 1fr)'
  )
})

test('a column keeps its least width beside others that share the rest', async (t) => {
  t.equal(
    gridColumns([column('a', { least: 120 }), column('b')]),
    'minmax(120px, 1fr) minmax(0, 1fr)'
  )
})

test('the first press asks for the first direction, the next for the other', async (t) => {
  const count = column('count', { sort: 'desc' })
  t.same(nextSort(count, null), { column: 'count', direction: 'desc' })
  t.same(nextSort(count, { column: 'count', direction: 'desc' }), {
    column: 'count',
    direction: 'asc'
  })
  t.same(nextSort(count, { column: 'count', direction: 'asc' }), {
    column: 'count',
    direction: 'desc'
  })
  t.same(nextSort(count, { column: 'name', direction: 'asc' }), {
    column: 'count',
    direction: 'desc'
  })
  t.match(nextSort(column('name'), null), { direction: 'asc' })
})

test('keys move by one and to the ends, and stop there', async (t) => {
  t.same(
    ['ArrowDown', 'j', 'ArrowUp', 'k', 'Home', 'End', 'x'].map((key) => moveBy(key, 1, 3)),
    [2, 2, 0, 0, 0, 2, undefined]
  )
  t.equal(moveBy('ArrowDown', 2, 3), 2)
  t.equal(moveBy('ArrowUp', 0, 3), 0)
  t.equal(moveBy('End', 0, 0), undefined)
})
