// Lists that are read page by page: cursors, counted pages, duplicates, failures.
import { test } from 'tap'
import { FakePage } from '../test/fake-page.ts'
import { joinRows, ListLoad, type ListPage } from './list-load.ts'

interface Row {
  readonly id: string
}

const rows = (...ids: string[]): Row[] => ids.map((id) => ({ id }))
const idsOf = (list: readonly Row[]) => list.map(({ id }) => id).join('')
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A list over an API that answers `pages` by cursor; a missing page is an error. */
function openList(pages: Record<string, ListPage<Row>>, size?: number) {
  const page = new FakePage('q=a')
  const asked: string[] = []
  const list = new ListLoad(page.page, {
    args: () => [page.params.get('q')] as const,
    idOf: ({ id }: Row) => id,
    page: async ([q], { cursor, rows: before }) => {
      const place = `${q}:${cursor ?? (before.length === 0 ? 'start' : before.length)}`
      asked.push(place)
      const found = pages[place]
      if (found === undefined) throw new Error(`no page ${place}`)
      return found
    },
    ...(size !== undefined && { size })
  })
  page.connect()
  return { page, list, asked }
}

test('pages follow the cursor of the answer until it is null', async (t) => {
  const { list, asked } = openList({
    'a:start': { items: rows('1', '2'), nextCursor: 'c2' },
    'a:c2': { items: rows('3'), nextCursor: null }
  })
  t.ok(list.isBusy)
  await settle()
  t.same([idsOf(list.rows), list.hasMore, list.isBusy], ['12', true, false])
  await list.more()
  t.same([idsOf(list.rows), list.hasMore], ['123', false])
  t.same(asked, ['a:start', 'a:c2'])
})

test('without cursors a page that is not full is the last', async (t) => {
  const { list } = openList(
    { 'a:start': { items: rows('1', '2') }, 'a:2': { items: rows('3') } },
    2
  )
  await settle()
  t.equal(list.hasMore, true)
  await list.more()
  t.same([idsOf(list.rows), list.hasMore], ['123', false])
})

test('without cursors and without a size there is one page', async (t) => {
  const { list } = openList({ 'a:start': { items: rows('1') } })
  await settle()
  t.equal(list.hasMore, false)
})

test('a page that brings nothing new is the last, whatever it says', async (t) => {
  const { list } = openList(
    { 'a:start': { items: rows('1', '2') }, 'a:2': { items: rows('2', '1') } },
    2
  )
  await settle()
  await list.more()
  t.same([idsOf(list.rows), list.hasMore], ['12', false])
})

test('a further page that fails leaves the rows, and can be tried again', async (t) => {
  const pages: Record<string, ListPage<Row>> = {
    'a:start': { items: rows('1'), nextCursor: 'c' }
  }
  const { list } = openList(pages)
  await settle()
  await list.more()
  t.match(list.failure, { message: 'no page a:c' })
  t.same([idsOf(list.rows), list.hasMore], ['1', true])
  pages['a:c'] = { items: rows('2'), nextCursor: null }
  await list.retry()
  t.same([list.failure, idsOf(list.rows)], [undefined, '12'])
})

test('a first page that fails is read again by retry', async (t) => {
  const pages: Record<string, ListPage<Row>> = {}
  const { list } = openList(pages)
  await settle()
  t.match(list.failure, { message: 'no page a:start' })
  pages['a:start'] = { items: rows('1'), nextCursor: null }
  await list.retry()
  t.same([list.failure, idsOf(list.rows)], [undefined, '1'])
})

test('a further page of an old list is dropped', async (t) => {
  const { page, list } = openList({
    'a:start': { items: rows('1'), nextCursor: 'c' },
    'a:c': { items: rows('2'), nextCursor: null },
    'b:start': { items: rows('9'), nextCursor: null }
  })
  await settle()
  const more = list.more()
  page.go({ q: 'b' })
  await Promise.all([more, settle()])
  t.same([idsOf(list.rows), list.isMore], ['9', false])
})

test('more does nothing before the first page, and while a page is on its way', async (t) => {
  const { list, asked } = openList({
    'a:start': { items: rows('1'), nextCursor: 'c' },
    'a:c': { items: rows('2'), nextCursor: null }
  })
  await list.more()
  t.same(asked, ['a:start'])
  await settle()
  await Promise.all([list.more(), list.more()])
  t.same(asked, ['a:start', 'a:c'])
})

test('rows that moved down between two reads are listed once', async (t) => {
  t.equal(idsOf(joinRows(rows('a', 'b'), rows('b', 'c'), ({ id }) => id)), 'abc')
})
