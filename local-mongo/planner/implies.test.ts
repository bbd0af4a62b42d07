// When a query is known to take only what a partial index holds.
import { test } from 'tap'
import { doc } from '../bson/arbitrary-values.test.data.ts'
import { parseFilter } from '../query/filter.ts'
import { implies } from './implies.ts'

type Plain = Record<string, unknown>
const node = (filter: Plain) => parseFilter(doc(filter)).node
const holds = (query: Plain, wanted: Plain) => implies(node(query), node(wanted), undefined)

const yes: readonly (readonly [Plain, Plain])[] = [
  [{ a: 1 }, { a: 1 }],
  [{ a: 1.0, b: 2 }, { a: 1 }],
  [{ a: 5 }, { a: { $gt: 1 } }],
  [{ a: { $gt: 5 } }, { a: { $gt: 1 } }],
  [{ a: { $gt: 1 } }, { a: { $gte: 1 } }],
  [{ a: { $gte: 2 } }, { a: { $gt: 1 } }],
  [{ a: { $lt: 1 } }, { a: { $lte: 1 } }],
  [{ a: { $lt: 0 } }, { a: { $lt: 1 } }],
  [{ a: { $gt: 1 } }, { a: { $exists: true } }],
  [{ a: 'x' }, { a: { $exists: true } }],
  [{ a: { $in: [2, 3] } }, { a: { $gt: 1 } }],
  [{ a: { $in: [1, 2] } }, { a: { $in: [1, 2, 3] } }],
  [{ a: 2 }, { a: { $in: [1, 2, 3] } }],
  [{ a: { $type: 'int' } }, { a: { $type: 'number' } }],
  [{ a: { $ne: null } }, { a: { $exists: true } }],
  [{ $and: [{ a: 3 }, { b: 1 }] }, { a: 3, b: 1 }],
  [{ $or: [{ a: 3 }, { a: 4 }] }, { a: { $gt: 2 } }],
  [{ a: 3 }, { $or: [{ a: 3 }, { b: 1 }] }],
  [{ a: null }, { a: null }],
  [{ a: 1 }, {}]
]

for (const [query, wanted] of yes) {
  test(`${JSON.stringify(query)} implies ${JSON.stringify(wanted)}`, (t) => {
    t.equal(holds(query, wanted), true)
    t.end()
  })
}

const no: readonly (readonly [Plain, Plain])[] = [
  [{}, { a: 1 }],
  [{ b: 1 }, { a: 1 }],
  [{ a: 2 }, { a: 1 }],
  [{ a: 'x' }, { a: { $gt: 1 } }],
  [{ a: 1 }, { a: { $gt: 1 } }],
  [{ a: { $gte: 1 } }, { a: { $gt: 1 } }],
  [{ a: { $gt: 0 } }, { a: { $gt: 1 } }],
  [{ a: { $lt: 5 } }, { a: { $gt: 1 } }],
  [{ a: { $gt: 'x' } }, { a: { $gt: 1 } }],
  [{ a: { $gt: 1 } }, { a: 2 }],
  [{ a: null }, { a: { $exists: true } }],
  [{ a: { $in: [0, 3] } }, { a: { $gt: 1 } }],
  [{ a: { $in: [1, /x/] } }, { a: { $in: [1] } }],
  [{ a: { $in: [1, null] } }, { a: { $exists: true } }],
  [{ a: { $gt: 1 } }, { a: { $in: [2] } }],
  [{ a: { $type: 'number' } }, { a: { $type: 'int' } }],
  [{ a: 1 }, { a: { $type: 'int' } }],
  [{ a: { $ne: 1 } }, { a: { $gt: 1 } }],
  [{ $or: [{ a: 3 }, { b: 4 }] }, { a: 3 }],
  [{ a: [1] }, { a: [1] }],
  [{ a: 3 }, { a: 3, b: 1 }],
  [{ a: 1 }, { $nor: [{}] }]
]

for (const [query, wanted] of no) {
  test(`${JSON.stringify(query)} does not imply ${JSON.stringify(wanted)}`, (t) => {
    t.equal(holds(query, wanted), false)
    t.end()
  })
}
