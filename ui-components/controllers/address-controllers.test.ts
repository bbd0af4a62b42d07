// Controllers that keep their state in the address alone: filters, the open row, the view of charts.
import { test } from 'tap'
import { FakePage } from '../test/fake-page.ts'
import { ChartView } from './chart-view.ts'
import type { Filter } from './filter.ts'
import { Filters, fieldFilters } from './filters.ts'
import { Selection } from './selection.ts'

interface Row {
  readonly id: string
  readonly at: string
}

const ROW: Row = { id: 'r1', at: 'monday' }
const openEvent = (row: Row) =>
  new CustomEvent('keelson-open', { detail: { row }, cancelable: true })

function openFilters(query: string) {
  const page = new FakePage(query)
  const codec = fieldFilters(['plan', 'env'])
  return { page, filters: new Filters(page.page, { codec, closes: { record: null } }) }
}

test('filters are the parameters of their fields and no others', async (t) => {
  const { filters } = openFilters('plan=pro&range=7d&env=')
  t.same(filters.value, [{ field: 'plan', value: 'pro' }])
  t.equal(filters.params.toString(), 'plan=pro')
})

test('a link adds a filter, replaces the value of its field, and closes what is open', async (t) => {
  const { filters } = openFilters('plan=pro&range=7d&record=1')
  t.equal(filters.href({ field: 'env', value: 'prod' }), '/page?plan=pro&range=7d&env=prod')
  t.equal(filters.href({ field: 'plan', value: 'free' }), '/page?plan=free&range=7d')
})

test('excluding a value goes to the address that says so', async (t) => {
  const page = new FakePage('')
  const added: Filter[] = []
  const codec = {
    ...fieldFilters(['plan']),
    add: (filters: readonly Filter[], filter: Filter) => {
      added.push(filter)
      return [...filters, filter]
    }
  }
  new Filters(page.page, { codec }).exclude({ field: 'plan', value: 'pro' })
  t.same(added, [{ field: 'plan', value: 'pro', not: true }])
  t.equal(page.visited.length, 1)
})

test('a row opens by its id with what goes with it, and closes without a step back', async (t) => {
  const page = new FakePage('range=7d')
  const selection = new Selection<Row>(page.page, {
    param: 'record',
    also: ({ at }) => ({ at }),
    closes: { at: null }
  })
  t.equal(selection.id, null)
  t.equal(selection.href(ROW), '/page?range=7d&at=monday&record=r1')
  const event = openEvent(ROW)
  selection.onOpen(event)
  t.ok(event.defaultPrevented)
  t.equal(selection.id, 'r1')
  selection.close()
  t.same(page.visited, ['/page?range=7d&at=monday&record=r1', '!/page?range=7d'])
})

test('moving through a list changes the open row, and opens none', async (t) => {
  const page = new FakePage('')
  const selection = new Selection<Row>(page.page, { param: 'record', idOf: ({ at }) => at })
  selection.onMove(openEvent(ROW))
  t.same(page.visited, [])
  page.go({ record: 'sunday' })
  selection.onMove(openEvent(ROW))
  t.equal(page.visited.at(-1), '!/page?record=monday')
})

test('charts are tables when the address says so, and T changes it', async (t) => {
  const page = new FakePage('')
  const view = new ChartView(page.page)
  t.equal(view.value, 'chart')
  view.onView(new CustomEvent('keelson-view', { detail: { view: 'table' } }))
  t.equal(view.value, 'table')
  const [toggle] = view.shortcuts
  toggle?.run(undefined as unknown as KeyboardEvent)
  t.equal(view.value, 'chart')
  t.same(page.visited, ['!/page?chart=table', '!/page?'])
})
