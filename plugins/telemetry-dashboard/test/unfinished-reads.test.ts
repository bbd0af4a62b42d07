// What the API answers when the database cannot finish a read: each operation, never 500.
import { MongoNetworkError, MongoServerError } from 'mongodb'
import { test } from 'tap'
import { dashboardOperations } from '../operations/dashboard-operations.ts'
import { ADMIN, ask, dashboardApp, fakeStore } from './fake-store.ts'

const slow = new MongoServerError({ code: 50, errmsg: 'operation exceeded time limit' })
const away = new MongoNetworkError('connection to 10.0.0.7 closed')

/** What an operation must be asked with. */
const QUERY =
  'first=x&as=x&stages=x&stage=x&by=service&anchor=x&activity=x&steps=a,b&metric=x&format=csv&did=x'

const reads = dashboardOperations.filter(({ method }) => method === 'GET')

for (const [error, status, body] of [
  [slow, 422, { code: 'TEL_READ_UNFINISHED', fix: /Narrow the range/ }],
  [away, 503, { code: 'TEL_READ_AWAY', fix: String }]
] as const) {
  test(`a read that the database answers with ${error.name} is ${status}, each of them`, async (t) => {
    const fails = () => {
      throw error
    }
    const store = fakeStore(new Proxy({}, { get: () => fails }))
    const app = await dashboardApp(store)
    let asked = 0
    for (const { path, id } of reads) {
      const before = store.asked.length
      const answer = await ask(app, ADMIN, 'GET', `${path.slice(4).replace(/:\w+/, 'x')}?${QUERY}`)
      if (store.asked.length === before) continue
      asked++
      t.equal(answer.status, status, id)
      t.match(answer.body, body, id)
      t.notMatch(answer.text, '10.0.0.7')
    }
    t.ok(asked > 15, `${asked} reads`)
  })
}
