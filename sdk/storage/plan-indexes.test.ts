// planIndexes: every case of declared against actual, and that applying a plan always converges.
import fc from 'fast-check'
import { test } from 'tap'
import type { ManifestIndex } from '../manifest/schema.ts'
import {
  type ActualIndex,
  asActual,
  checkIndexBudget,
  type IndexAnswer,
  type IndexStep,
  planIndexes,
  type WantedIndex
} from './plan-indexes.ts'

const byA: ManifestIndex = { name: 'by_a', keys: { a: 1 } }
const byB: ManifestIndex = { name: 'by_b', keys: { b: 1, c: -1 }, unique: true }
const id: ActualIndex = { name: '_id_', key: { _id: 1 } }

const plan = (
  wanted: readonly WantedIndex[],
  actual: readonly ActualIndex[],
  owned: readonly string[] = actual.map((index) => index.name),
  dropAtOnce = false
) => planIndexes({ wanted, actual, owned: new Set(owned), dropAtOnce })

/** A hash of six digits is written as `#`. */
const words = (answer: IndexAnswer) =>
  answer.steps.map((step) => {
    const verb =
      step.action === 'modify' ? step.how : step.action === 'create' ? 'build' : step.action
    return `${verb} ${step.name.replace(/~[0-9a-f]{6}$/, '~#')}`
  })

const table: {
  name: string
  wanted: WantedIndex[]
  actual: ActualIndex[]
  owned?: string[]
  steps: string[]
}[] = [
  { name: 'nothing declared, nothing there: nothing to do', wanted: [], actual: [id], steps: [] },
  {
    name: 'a declared index that is not there is built',
    wanted: [byA, byB],
    actual: [id],
    steps: ['build by_a', 'build by_b']
  },
  {
    name: 'an index that is there as declared is left alone',
    wanted: [byA, byB],
    actual: [id, asActual(byA), asActual(byB)],
    steps: []
  },
  {
    name: 'an index that is no longer declared is hidden first',
    wanted: [byA],
    actual: [id, asActual(byA), asActual(byB)],
    steps: ['hide by_b']
  },
  {
    name: 'an index that is no longer declared and hidden is dropped',
    wanted: [byA],
    actual: [id, asActual(byA), { ...asActual(byB), hidden: true }],
    steps: ['drop by_b']
  },
  {
    name: 'a hidden index that is declared again is shown again',
    wanted: [byB],
    actual: [id, { ...asActual(byB), hidden: true }],
    steps: ['unhide by_b']
  },
  {
    name: 'an index with other keys is built beside the old one, which goes after',
    wanted: [{ name: 'by_a', keys: { a: -1 } }],
    actual: [id, asActual(byA)],
    steps: ['build by_a~#', 'drop by_a']
  },
  {
    name: 'an index that was built beside an old one is that index from then on',
    wanted: [{ name: 'by_a', keys: { z: 1 } }],
    actual: [id, { name: 'by_a~0f0f0f', key: { z: 1 } }],
    steps: []
  },
  {
    name: 'a change that was cut short goes on with the drop',
    wanted: [{ name: 'by_a', keys: { z: 1 } }],
    actual: [id, asActual(byA), { name: 'by_a~0f0f0f', key: { z: 1 } }],
    steps: ['drop by_a']
  },
  {
    name: 'the next change may have the declared name again',
    wanted: [{ name: 'by_a', keys: { y: 1 } }],
    actual: [id, { name: 'by_a~0f0f0f', key: { z: 1 } }],
    steps: ['build by_a', 'drop by_a~#']
  },
  {
    name: 'an index that becomes unique is built beside the old one: it may fail',
    wanted: [{ ...byA, unique: true }],
    actual: [id, asActual(byA)],
    steps: ['build by_a~#', 'drop by_a']
  },
  {
    name: 'the order of keys counts',
    wanted: [{ name: 'by_b', keys: { c: -1, b: 1 }, unique: true }],
    actual: [id, asActual(byB)],
    steps: ['build by_b~#', 'drop by_b']
  },
  {
    name: 'a renamed index is dropped and built in one go, because MongoDB refuses twins',
    wanted: [{ name: 'new_name', keys: { a: 1 } }],
    actual: [id, asActual(byA)],
    steps: ['drop by_a', 'build new_name']
  },
  {
    name: 'two indexes that swap their names are both replaced',
    wanted: [
      { name: 'one', keys: { b: 1 } },
      { name: 'two', keys: { a: 1 } }
    ],
    actual: [id, { name: 'one', key: { a: 1 } }, { name: 'two', key: { b: 1 } }],
    steps: ['drop one', 'drop two', 'build one', 'build two']
  },
  {
    name: 'a changed time limit is changed in place',
    wanted: [{ name: 'by_at', keys: { at: 1 }, ttlSeconds: 60 }],
    actual: [id, { name: 'by_at', key: { at: 1 }, expireAfterSeconds: 3600 }],
    steps: ['retime by_at']
  },
  {
    name: 'a hidden index with another time limit is changed and shown',
    wanted: [{ name: 'by_at', keys: { at: 1 }, ttlSeconds: 60 }],
    actual: [id, { name: 'by_at', key: { at: 1 }, expireAfterSeconds: 3600, hidden: true }],
    steps: ['retime by_at', 'unhide by_at']
  },
  {
    name: 'an index that gains a time limit is replaced',
    wanted: [{ name: 'by_a', keys: { a: 1 }, ttlSeconds: 60 }],
    actual: [id, asActual(byA)],
    steps: ['drop by_a', 'build by_a']
  },
  {
    name: 'a partial filter is the same whatever the order of its keys',
    wanted: [{ name: 'by_a', keys: { a: 1 }, partial: { x: 1, y: { $gt: 2, $lt: 5 } } }],
    actual: [
      id,
      { name: 'by_a', key: { a: 1 }, partialFilterExpression: { y: { $lt: 5, $gt: 2 }, x: 1 } }
    ],
    steps: []
  },
  {
    name: 'another partial filter is another index',
    wanted: [{ name: 'by_a', keys: { a: 1 }, partial: { x: 2 } }],
    actual: [id, { name: 'by_a', key: { a: 1 }, partialFilterExpression: { x: 1 } }],
    steps: ['build by_a~#', 'drop by_a']
  },
  {
    name: 'an index that the kernel did not make is never touched',
    wanted: [byA],
    actual: [id, asActual(byA), { name: 'made_by_hand', key: { z: 1 }, hidden: true }],
    owned: ['by_a'],
    steps: []
  },
  {
    name: 'an index made by hand on the same keys with other options does not stand in the way',
    wanted: [byA],
    actual: [id, { name: 'made_by_hand', key: { a: 1 }, unique: true }],
    owned: [],
    steps: ['build by_a']
  }
]

for (const row of table) {
  test(row.name, async (t) => {
    const answer = plan(row.wanted, row.actual, row.owned)
    t.same(words(answer), row.steps)
    t.same(answer.refusals, [])
  })
}

test('an index made by hand under a declared name is a refusal', async (t) => {
  const answer = plan([byA], [id, { name: 'by_a', key: { z: 1 } }], [])
  t.same(answer.refusals, [{ kind: 'conflict', index: 'by_a', stranger: 'by_a' }])
})

test('an index made by hand that is a twin of a declared one is a refusal', async (t) => {
  const answer = plan([byA], [id, { name: 'mine', key: { a: 1 } }], [])
  t.same(answer.refusals, [{ kind: 'conflict', index: 'by_a', stranger: 'mine' }])
})

test('an index made by hand is reported', async (t) => {
  t.same(plan([], [id, { name: 'mine', key: { a: 1 } }], []).strangers, ['mine'])
})

test('drops come first and hides last, so that room is made before it is used', async (t) => {
  const old = { name: 'old', key: { o: 1 }, hidden: true }
  const older = { name: 'older', key: { p: 1 } }
  t.same(words(plan([byA], [id, older, old])), ['drop old', 'build by_a', 'hide older'])
})

test('indexes of user configuration go in one step', async (t) => {
  t.same(words(plan([], [id, asActual(byA)], ['by_a'], true)), ['drop by_a'])
})

test('a plan that would pass 64 indexes is a refusal', async (t) => {
  const many = Array.from({ length: 63 }, (_, at) => ({ name: `x${at}`, key: { [`x${at}`]: 1 } }))
  t.same(plan([byA], [id, ...many]).refusals, [{ kind: 'cap', count: 65 }])
  t.same(plan([byA], [id, ...many.slice(1)]).refusals, [])
})

const keys = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.constantFrom(1 as const, -1 as const),
  { minKeys: 1, maxKeys: 2 }
)
const wantedIndex = fc.record(
  {
    name: fc.constantFrom('i1', 'i2', 'i3', 'i4'),
    keys,
    unique: fc.constant(true),
    ttlSeconds: fc.constantFrom(60, 120)
  },
  { requiredKeys: ['name', 'keys'] }
)
const signatureOf = (index: WantedIndex) => JSON.stringify([index.keys, 'unique' in index])
const declaration = fc
  .uniqueArray(wantedIndex, { selector: (index) => index.name, maxLength: 4 })
  .map((indexes) => {
    const seen = new Set<string>()
    return indexes.filter(
      (index) => !seen.has(signatureOf(index)) && seen.add(signatureOf(index))
    ) as ManifestIndex[]
  })

/** What a server does with the steps; throws where a server would refuse. */
function act(actual: readonly ActualIndex[], steps: readonly IndexStep[]): ActualIndex[] {
  let now = [...actual]
  for (const step of steps) {
    const at = now.findIndex((index) => index.name === step.name)
    const there = now[at]
    if (step.action === 'create') {
      const made = { ...asActual(step.index), name: step.name }
      const twin = now.find(
        (index) =>
          index.name === made.name ||
          (JSON.stringify(index.key) === JSON.stringify(made.key) && index.unique === made.unique)
      )
      if (twin !== undefined) throw new Error(`${made.name} conflicts with ${twin.name}`)
      now.push(made)
      continue
    }
    if (there === undefined) throw new Error(`${step.name} is not there`)
    if (step.action === 'drop') now = now.filter((index) => index !== there)
    else if (step.action === 'hide') now[at] = { ...there, hidden: true }
    else if (step.action === 'modify') {
      const retimed = step.how === 'retime' && hiddenOf(there)
      now[at] = { ...asActual(step.index), name: there.name, ...retimed }
    }
  }
  return now
}

const hiddenOf = (index: ActualIndex) => (index.hidden === true ? { hidden: true } : {})

test('from any history, every declared index is there after one apply', async (t) => {
  fc.assert(
    fc.property(fc.array(declaration, { minLength: 1, maxLength: 5 }), (history) => {
      let actual: ActualIndex[] = [id]
      for (const wanted of history) {
        const answer = plan(wanted, actual)
        if (answer.refusals.length > 0) return false
        actual = act(actual, answer.steps)
        const again = plan(wanted, actual)
        if (again.steps.some((step) => step.action === 'create')) return false
      }
      return true
    })
  )
  t.pass()
})

test('from any history, two applies leave nothing to do and no more than what is declared', async (t) => {
  fc.assert(
    fc.property(fc.array(declaration, { minLength: 1, maxLength: 5 }), (history) => {
      let actual: ActualIndex[] = [id]
      for (const wanted of history) actual = act(actual, plan(wanted, actual).steps)
      const wanted = history.at(-1)!
      actual = act(actual, plan(wanted, actual).steps)
      return plan(wanted, actual).steps.length === 0 && actual.length === wanted.length + 1
    })
  )
  t.pass()
})

test('while a change is made, what is declared before and after is served at every moment', async (t) => {
  const servesKey = (actual: readonly ActualIndex[], key: string) =>
    actual.some((index) => index.hidden !== true && JSON.stringify(index.key) === key)
  const older = fc.dictionary(fc.constantFrom('a', 'b'), fc.constant(1 as const), { minKeys: 1 })
  fc.assert(
    fc.property(older, older, (before, after) => {
      let actual: ActualIndex[] = [id, { name: 'i1', key: before }]
      for (const step of plan([{ name: 'i1', keys: after }], actual).steps) {
        actual = act(actual, [step])
        const isServed = servesKey(actual, JSON.stringify(before))
        if (!isServed && !servesKey(actual, JSON.stringify(after))) return false
      }
      return servesKey(actual, JSON.stringify(after))
    })
  )
  t.pass()
})

test('cut short after any step, the next plan ends with what is declared', async (t) => {
  fc.assert(
    fc.property(declaration, declaration, fc.nat(8), (before, after, done) => {
      let actual: ActualIndex[] = act([id], plan(before, [id]).steps)
      actual = act(actual, plan(after, actual).steps.slice(0, done))
      for (let round = 0; round < 3; round++) actual = act(actual, plan(after, actual).steps)
      return plan(after, actual).steps.length === 0 && actual.length === after.length + 1
    })
  )
  t.pass()
})

test('without room for both, the old index goes before the new one is built', async (t) => {
  const many = Array.from({ length: 62 }, (_, at) => ({ name: `x${at}`, key: { [`x${at}`]: 1 } }))
  const wanted = [
    ...many.map(({ name, key }) => ({ name, keys: key })),
    { name: 'y', keys: { z: 1 } }
  ]
  const actual = [id, ...many, { name: 'y', key: { y: 1 } }]
  const answer = plan(wanted as ManifestIndex[], actual)
  t.same(words(answer), ['drop y', 'build y'])
  t.same(answer.refusals, [])
})

test('indexes of others survive any history', async (t) => {
  const mine: ActualIndex = { name: 'mine', key: { a: 1, b: 1, c: 1 }, hidden: true }
  fc.assert(
    fc.property(fc.array(declaration, { maxLength: 5 }), (history) => {
      let actual: ActualIndex[] = [id, mine]
      for (const wanted of history) {
        const owned = actual.map((index) => index.name).filter((name) => name !== 'mine')
        actual = act(actual, plan(wanted, actual, owned).steps)
      }
      return actual.includes(mine)
    })
  )
  t.pass()
})

const named = (count: number) =>
  Array.from(
    { length: count },
    (_, at): ManifestIndex => ({ name: `i${at}`, keys: { [`f${at}`]: 1 } })
  )

test('the default budget is six indexes besides _id', async (t) => {
  t.same(checkIndexBudget({ name: 'x_items', indexes: named(6) }, 0), [])
  t.same(checkIndexBudget({ name: 'x_items', indexes: named(7) }, 0), [
    { kind: 'budget', count: 7, budget: 6 }
  ])
})

test('an own budget allows more or less', async (t) => {
  t.same(checkIndexBudget({ name: 'x_items', indexBudget: 8, indexes: named(7) }, 0), [])
  t.same(checkIndexBudget({ name: 'x_items', indexBudget: 0, indexes: named(1) }, 0), [
    { kind: 'budget', count: 1, budget: 0 }
  ])
})

test('budgets that together could pass 64 are refused', async (t) => {
  const collection = { name: 'x_items', indexes: [], indexBudget: 39, payloadIndexBudget: 24 }
  t.same(checkIndexBudget(collection, 0), [])
  t.same(checkIndexBudget(collection, 1), [{ kind: 'cap', count: 65 }])
})

test('two declarations with one name, or of the same index, are refused', async (t) => {
  t.same(checkIndexBudget({ name: 'x_items', indexes: [byA, { ...byB, name: 'by_a' }] }, 0), [
    { kind: 'twice', index: 'by_a' }
  ])
  t.same(checkIndexBudget({ name: 'x_items', indexes: [byA, { ...byA, name: 'also_a' }] }, 0), [
    { kind: 'twice', index: 'also_a' }
  ])
})
