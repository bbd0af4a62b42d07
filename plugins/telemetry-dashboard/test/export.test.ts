// The file of all records: whose it is, what it is of, and how it is refused.
import { Readable } from 'node:stream'
import { QueryError } from '@keelson/telemetry'
import { test } from 'tap'
import { ask, dashboardApp, fakeStore, NOW, PERSON } from './fake-store.ts'

const WEEK = { from: new Date('2025-06-08T12:00:00.000Z'), to: NOW }

test('the file is of the viewer’s tenant, the range and the filters, in the format asked for', async (t) => {
  const store = fakeStore({ recordFile: () => Readable.from(['a,b\r\n', '1,2\r\n']) })
  const app = await dashboardApp(store)
  const answer = await ask(app, PERSON, 'GET', '/records/export?format=csv&q=card&service=web')
  t.equal(answer.status, 200)
  t.equal(answer.text, 'a,b\r\n1,2\r\n')
  t.match(answer.headers, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="records.csv"',
    'cache-control': 'no-store'
  })
  t.same(store.asked, [
    {
      op: 'recordFile',
      scope: 'acme',
      params: { ...WEEK, filters: { q: 'card', service: 'web' }, format: 'csv' }
    }
  ])
})

test('a file is refused as other reads are', async (t) => {
  const refuse = () => {
    throw new QueryError('a file has at most 5 records: narrow the range')
  }
  const app = await dashboardApp(fakeStore({ recordFile: refuse }))
  const cases = [
    ['/records/export?format=csv', 400, /at most 5 records/],
    ['/records/export?format=xls', 400, /format/],
    ['/records/export', 400, /format/],
    ['/records/export?format=csv&q=/(a%2B)%2B/', 400, /a group cannot be repeated/],
    ['/records/export?format=csv&from=never', 400, /invalid time range/]
  ] as const
  for (const [path, status, message] of cases) {
    const answer = await ask(app, PERSON, 'GET', path)
    t.match([answer.status, answer.body['message']], [status, message], path)
  }
  t.equal((await ask(app, null, 'GET', '/records/export?format=csv')).status, 401)
})
