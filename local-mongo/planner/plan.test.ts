// Which index serves what: a table.
import { test } from 'tap'
import { caught, doc } from '../bson/arbitrary-values.test.data.ts'
import { parseCollation } from '../bson/collation.ts'
import { parseSort } from '../bson/sort.ts'
import type { Doc } from '../bson/value.ts'
import { parseFilter } from '../query/filter.ts'
import { type Collection, prepareCollection } from '../storage/catalog.ts'
import { partsOfKey, prepareIndex } from '../storage/index-definition.ts'
import { layoutOf } from '../storage/index-layout.ts'
import { readIndexSpec } from '../storage/index-spec.ts'
import { type Access, type IndexAccess, type Plan, planQuery } from './plan.ts'

type Plain = Record<string, unknown>

interface IndexCase {
  readonly key: Plain
  readonly options?: Plain
  /** Parts on which some document has an array. */
  readonly arrays?: readonly boolean[]
  readonly isExact?: boolean
  readonly isReady?: boolean
}

function collectionOf(cases: readonly IndexCase[], options: Plain = {}): Collection {
  const indexes = cases.map(
    ({ key, options: own = {}, arrays, isExact = true, isReady = true }, i) => {
      const name = Object.entries(key).flat().join('_')
      const parts = Object.keys(key).length
      const flags = {
        arrays: [...(arrays ?? new Array<boolean>(parts).fill(false))],
        isExact,
        isPlain: true
      }
      const spec = readIndexSpec(doc({ key, name, ...own }), undefined)
      const layout = layoutOf(partsOfKey(spec.get('key') as Doc), spec.get('unique') === true, [
        parseCollation(spec.get('collation') as Doc | undefined),
        parseCollation(doc(options).get('collation') as Doc | undefined)
      ])
      return prepareIndex({ id: 100 + i, spec, flags, layout, isReady })
    }
  )
  return prepareCollection({
    id: 64,
    slot: undefined,
    db: 'd',
    name: 'c',
    uuid: Buffer.alloc(16),
    options: doc(options),
    indexes,
    hasExactIds: true
  })
}

interface Query {
  readonly filter?: Plain
  readonly sort?: Plain
  readonly hint?: string | Plain
  readonly collation?: Plain
  readonly isLimited?: boolean
  readonly estimate?: (access: IndexAccess) => number
}

function planOf(indexes: readonly IndexCase[], query: Query): Plan {
  const collation = query.collation && parseCollation(doc(query.collation))
  const { hint, sort } = query
  return planQuery({
    node: parseFilter(doc(query.filter ?? {}), { collation }).node,
    collation,
    sort: sort === undefined ? undefined : parseSort(doc(sort), { collation }),
    hint: typeof hint === 'object' ? doc(hint) : hint,
    collection: collectionOf(indexes),
    isLimited: query.isLimited ?? false,
    ...(query.estimate === undefined ? {} : { estimate: query.estimate })
  })
}

/** A plan in a few words. */
function words({ access, needsSort }: Plan): string {
  const name = (one: Access): string => {
    switch (one.kind) {
      case 'nothing':
        return 'nothing'
      case 'collection':
        return one.isBackward ? 'scan backwards' : 'scan'
      case 'or':
        return `or(${one.branches.map(name).join(', ')})`
      case 'index':
        return `${one.index.name}${one.isBackward !== one.index.layout.isTurned ? ' backwards' : ''}${one.ranges.length === 1 ? '' : ` x${one.ranges.length}`}${one.isSettled ? '' : ' check'}`
    }
  }
  return `${name(access)}${needsSort ? ' sort' : ''}`
}

const A: IndexCase = { key: { a: 1 } }
const AB: IndexCase = { key: { a: 1, b: 1 } }
const A_DOWN: IndexCase = { key: { a: -1 } }
const ARRAY: IndexCase = { key: { t: 1 }, arrays: [true] }
const LIVE = { partialFilterExpression: { live: true } }

const table: readonly (readonly [string, readonly IndexCase[], Query, string])[] = [
  ['nothing asked is a scan', [A], {}, 'scan'],
  ['a field without index is a scan', [A], { filter: { b: 1 } }, 'scan'],
  ['equality', [A], { filter: { a: 1 } }, 'a_1'],
  ['equality with another condition', [A], { filter: { a: 1, b: 2 } }, 'a_1 check'],
  ['_id', [A], { filter: { _id: 1, a: 1 } }, '_id_ check'],
  ['a range of _id', [], { filter: { _id: { $gt: 1 } } }, '_id_'],
  ['two ends of a range', [A], { filter: { a: { $gte: 1, $lt: 5 } } }, 'a_1'],
  ['a range downwards', [A_DOWN], { filter: { a: { $gte: 1, $lt: 5 } } }, 'a_-1'],
  ['an impossible range', [A], { filter: { a: { $gt: 5, $lt: 1 } } }, 'a_1 x0'],
  ['$in', [A], { filter: { a: { $in: [3, 1, 2, 1] } } }, 'a_1 x3'],
  ['$in with a regex', [A], { filter: { a: { $in: ['x', /^y/] } } }, 'a_1 x3'],
  ['null also takes missing fields', [A], { filter: { a: null } }, 'a_1 x2 check'],
  ['$ne goes around', [A], { filter: { a: { $ne: 1 } } }, 'a_1 x2'],
  ['$nin goes around', [A], { filter: { a: { $nin: [1, 2] } } }, 'a_1 x3'],
  ['a prefix expression', [A], { filter: { a: /^ab/ } }, 'a_1 x2'],
  ['an expression without prefix reads all texts', [A], { filter: { a: /ab/ } }, 'a_1 x2 check'],
  ['$exists: false', [A], { filter: { a: { $exists: false } } }, 'a_1 x2 check'],
  [
    '$exists: true says nothing to a whole index',
    [A],
    { filter: { a: { $exists: true } } },
    'scan'
  ],
  ['$type', [A], { filter: { a: { $type: 'string' } } }, 'a_1 check'],
  ['a whole array', [A], { filter: { a: [1, 2] } }, 'a_1 x2 check'],
  ['comparison with an array says nothing', [A], { filter: { a: { $gt: [1] } } }, 'scan'],
  ['a filter that takes nothing', [A], { filter: { a: { $in: [] } } }, 'nothing'],

  ['the first field of a compound index', [AB], { filter: { a: 1 } }, 'a_1_b_1'],
  ['the second field alone is a scan', [AB], { filter: { b: 1 } }, 'scan'],
  ['equality and range', [AB], { filter: { a: 1, b: { $gt: 2 } } }, 'a_1_b_1'],
  ['$in and equality', [AB], { filter: { a: { $in: [1, 2] }, b: 3 } }, 'a_1_b_1 x2'],
  ['two $in', [AB], { filter: { a: { $in: [1, 2] }, b: { $in: [3, 4, 5] } } }, 'a_1_b_1 x6'],
  [
    'after a range the next field is checked',
    [AB],
    { filter: { a: { $gt: 1 }, b: 3 } },
    'a_1_b_1 check'
  ],
  ['the longer equality wins', [A, AB], { filter: { a: 1, b: 2 } }, 'a_1_b_1'],
  ['the shorter index when no more is asked', [AB, A], { filter: { a: 1 } }, 'a_1'],

  ['a sort that the index gives', [AB], { filter: { a: 1 }, sort: { b: 1 } }, 'a_1_b_1'],
  ['a sort backwards', [AB], { filter: { a: 1 }, sort: { b: -1 } }, 'a_1_b_1 backwards'],
  ['a sort by both', [AB], { sort: { a: 1, b: 1 } }, 'a_1_b_1'],
  ['a sort by both backwards', [AB], { sort: { a: -1, b: -1 } }, 'a_1_b_1 backwards'],
  ['a sort that turns around', [AB], { sort: { a: 1, b: -1 } }, 'scan sort'],
  ['a sort by the second field', [AB], { sort: { b: 1 } }, 'scan sort'],
  ['a sort by a constant first', [AB], { filter: { a: 1 }, sort: { a: -1, b: 1 } }, 'a_1_b_1'],
  [
    'a sort after $in has to sort',
    [AB],
    { filter: { a: { $in: [1, 2] } }, sort: { b: 1 } },
    'a_1_b_1 x2 sort'
  ],
  [
    'a sort by the field of the $in',
    [AB],
    { filter: { a: { $in: [1, 2] } }, sort: { a: -1 } },
    'a_1_b_1 backwards x2'
  ],
  ['a sort by _id', [], { sort: { _id: -1 } }, '_id_ backwards'],
  ['a sort by another field', [A], { filter: { a: 1 }, sort: { z: 1 } }, 'a_1 sort'],
  [
    'a narrow filter before a sort',
    [A, { key: { z: 1 } }],
    { filter: { a: 1 }, sort: { z: 1 } },
    'a_1 sort'
  ],
  [
    'few wanted in order',
    [A, { key: { z: 1 } }],
    { filter: { a: { $gt: 1 } }, sort: { z: 1 }, isLimited: true },
    'z_1 check'
  ],
  [
    'all wanted in order',
    [A, { key: { z: 1 } }],
    { filter: { a: { $gt: 1 } }, sort: { z: 1 } },
    'a_1 sort'
  ],

  ['an element of an array', [ARRAY], { filter: { t: 3 } }, 't_1'],
  [
    'both ends on an array are one end and a check',
    [ARRAY],
    { filter: { t: { $gt: 1, $lt: 5 } } },
    't_1 check'
  ],
  [
    '$elemMatch has both ends',
    [ARRAY],
    { filter: { t: { $elemMatch: { $gt: 1, $lt: 5 } } } },
    't_1 check'
  ],
  ['arrays give no order', [ARRAY], { sort: { t: 1 } }, 'scan sort'],
  [
    'an array before the sort is no harm',
    [{ key: { t: 1, b: 1 }, arrays: [true, false] }],
    { filter: { t: 1 }, sort: { b: 1 } },
    't_1_b_1'
  ],
  ['$ne null on arrays says nothing', [ARRAY], { filter: { t: { $ne: null } } }, 'scan'],
  [
    'fields of one array: only the first is bounded',
    [{ key: { 'x.a': 1, 'x.b': 1 }, arrays: [true, true] }],
    { filter: { 'x.a': 1, 'x.b': 2 } },
    'x.a_1_x.b_1 check'
  ],
  [
    '$elemMatch on fields',
    [{ key: { 'x.a': 1 }, arrays: [true] }],
    { filter: { x: { $elemMatch: { a: 1, b: 2 } } } },
    'x.a_1 check'
  ],

  [
    'a sparse index that may miss documents',
    [{ key: { a: 1 }, options: { sparse: true } }],
    { filter: { a: null } },
    'scan'
  ],
  [
    'a sparse index that has all of them',
    [{ key: { a: 1 }, options: { sparse: true } }],
    { filter: { a: 1 } },
    'a_1'
  ],
  [
    'a sparse index gives no order of everything',
    [{ key: { a: 1 }, options: { sparse: true } }],
    { sort: { a: 1 } },
    'scan sort'
  ],
  [
    '$ne null on a sparse index',
    [{ key: { a: 1 }, options: { sparse: true } }],
    { filter: { a: { $ne: null } } },
    'a_1 x2 check'
  ],
  [
    'a partial index whose filter is implied',
    [{ key: { p: 1 }, options: LIVE }],
    { filter: { p: 1, live: true } },
    'p_1 check'
  ],
  [
    'a partial index whose filter is not implied',
    [{ key: { p: 1 }, options: LIVE }],
    { filter: { p: 1 } },
    'scan'
  ],
  ['a hidden index', [{ key: { a: 1 }, options: { hidden: true } }], { filter: { a: 1 } }, 'scan'],
  [
    'an index that is being built',
    [{ key: { a: 1 }, isReady: false }],
    { filter: { a: 1 } },
    'scan'
  ],
  [
    'cut keys are checked and give no order',
    [{ key: { a: 1 }, isExact: false }],
    { filter: { a: 1 }, sort: { a: 1 } },
    'a_1 check sort'
  ],
  [
    'another collation',
    [A],
    { filter: { a: 'x' }, collation: { locale: 'en', strength: 2 } },
    'scan'
  ],
  [
    'the index’s own collation',
    [{ key: { a: 1 }, options: { collation: { locale: 'en', strength: 2 } } }],
    { filter: { a: 'x' }, collation: { locale: 'en', strength: 2 } },
    'a_1'
  ],

  [
    '$or with an index for each',
    [A, { key: { b: 1 } }],
    { filter: { $or: [{ a: 1 }, { b: 2 }] } },
    'or(a_1, b_1)'
  ],
  ['$or with a branch that needs a scan', [A], { filter: { $or: [{ a: 1 }, { z: 2 }] } }, 'scan'],
  [
    '$or beside another condition',
    [A, { key: { b: 1 } }],
    { filter: { z: 1, $or: [{ a: 1 }, { b: 2 }] } },
    'or(a_1 check, b_1 check)'
  ],
  [
    '$or beside an indexed condition',
    [A, { key: { b: 1 } }, { key: { z: 1 } }],
    { filter: { z: 1, $or: [{ a: 1 }, { b: 2 }] } },
    'z_1 check'
  ],
  [
    '$or in order',
    [A, { key: { b: 1 } }],
    { filter: { $or: [{ a: 1 }, { b: 2 }] }, sort: { z: 1 } },
    'or(a_1, b_1) sort'
  ],

  ['a hint by name', [A, { key: { b: 1 } }], { filter: { b: 1 }, hint: 'a_1' }, 'a_1 check'],
  ['a hint by key', [A, { key: { b: 1 } }], { filter: { b: 1 }, hint: { a: 1 } }, 'a_1 check'],
  ['a hint of the scan', [A], { filter: { a: 1 }, hint: { $natural: 1 } }, 'scan'],
  [
    'a hint of the scan backwards',
    [A],
    { filter: { a: 1 }, hint: { $natural: -1 } },
    'scan backwards'
  ],
  [
    'a hint with a sort that it gives',
    [A],
    { filter: { b: 1 }, sort: { a: 1 }, hint: 'a_1' },
    'a_1 check'
  ],
  [
    'a hint with another collation bounds nothing',
    [A],
    { filter: { a: 'x' }, hint: 'a_1', collation: { locale: 'en', strength: 1 } },
    'a_1 check'
  ]
]

for (const [what, indexes, query, expected] of table) {
  test(`plan: ${what}`, (t) => {
    t.equal(words(planOf(indexes, query)), expected)
    t.end()
  })
}

test('a unique index that names one document beats everything', (t) => {
  const unique: IndexCase = { key: { u: 1 }, options: { unique: true } }
  const plan = planOf([AB, unique], { filter: { a: 1, b: 2, u: 3 } })
  t.equal(words(plan), 'u_1 check')
  t.equal(plan.rejected.length, 1)
  t.end()
})

test('a filter with one _id and more conditions looks at no other index', (t) => {
  const plan = planOf([A, AB], { filter: { _id: 1, a: 1 } })
  t.equal(words(plan), '_id_ check')
  t.equal(plan.rejected.length, 0)
  t.end()
})

test('between indexes that are as good, the one with fewer entries is taken', (t) => {
  const indexes = [A, { key: { b: 1 } }]
  const estimate = (few: string) => (access: IndexAccess) => (access.index.name === few ? 1 : 50)
  for (const few of ['a_1', 'b_1']) {
    const plan = planOf(indexes, { filter: { a: 1, b: 1 }, estimate: estimate(few) })
    t.equal(words(plan), `${few} check`)
  }
  t.end()
})

test('a hint of no index, or of a hidden one, is refused with 2', (t) => {
  const hidden: IndexCase = { key: { h: 1 }, options: { hidden: true } }
  for (const hint of ['nope', { z: 1 }, 'h_1', { a: -1 }]) {
    t.equal(caught(() => planOf([A, hidden], { hint })).code, 2)
  }
  t.end()
})

test('more ranges than pay are left to the check', (t) => {
  const many = Array.from({ length: 200 }, (_, i) => i)
  const plan = planOf([AB], { filter: { a: { $in: many }, b: { $in: many } } })
  t.equal((plan.access as IndexAccess).ranges.length, 200)
  t.equal((plan.access as IndexAccess).isSettled, false)
  t.end()
})

test('a list of more values than an index takes ranges makes no bounds', (t) => {
  const many = Array.from({ length: 10_001 }, (_, i) => i)
  const access = (values: readonly number[]) =>
    planOf([AB], { filter: { a: { $in: values } }, hint: 'a_1_b_1' }).access as IndexAccess
  t.equal(access(many).parts[0]?.length, 1)
  t.equal(access([...many.slice(1), 1, 1]).parts[0]?.length, 10_000)
  t.end()
})
