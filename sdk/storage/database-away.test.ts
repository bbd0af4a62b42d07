// Which errors of the driver say that the database is away.
import {
  type BulkWriteResult,
  MongoBulkWriteError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError
} from 'mongodb'
import { test } from 'tap'
import { isDatabaseAway } from './database-away.ts'

const named = (name: string, more: object = {}) => Object.assign(new Error('x'), { name, ...more })
const server = (code: number) => new MongoServerError({ code, errmsg: 'x' })
const bulk = (reason: Error) => new MongoBulkWriteError(reason as never, {} as BulkWriteResult)

const ERRORS: readonly (readonly [string, unknown, boolean])[] = [
  ['a server that is not found', new MongoServerSelectionError('x', {} as never), true],
  ['a connection that ends', new MongoNetworkError('x'), true],
  ['one of another copy of the driver', named('MongoPoolClearedError'), true],
  ['a server that shuts down', server(91), true],
  ['a server that is not the primary', server(10107), true],
  ['a bulk write that is lost with its connection', bulk(new MongoNetworkError('x')), true],
  ['a bulk write to a server that shuts down', bulk(server(11600)), true],
  ['a bulk write of a duplicate', bulk(server(11000)), false],
  ['a query that is wrong', server(2), false],
  ['the number of another package', named('Error', { code: 91 }), false],
  ['an error of the program', new TypeError('x'), false],
  ['a text', 'MongoNetworkError', false],
  ['nothing', undefined, false]
]

for (const [what, error, isAway] of ERRORS) {
  test(`${what} is ${isAway ? '' : 'not '}a database that is away`, async (t) => {
    t.equal(isDatabaseAway(error), isAway)
  })
}
