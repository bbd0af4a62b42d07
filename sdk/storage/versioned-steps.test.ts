// What a version of a plugin may do to indexes while another version runs.
import fc from 'fast-check'
import { test } from 'tap'
import type { ManifestIndex } from '../manifest/schema.ts'
import type { HiddenIndex } from './index-records.ts'
import { type ActualIndex, asActual, planIndexes } from './plan-indexes.ts'
import { compareVersions, versionedSteps } from './versioned-steps.ts'

const id: ActualIndex = { name: '_id_', key: { _id: 1 } }
const byA: ManifestIndex = { name: 'by_a', keys: { a: 1 } }
const byB: ManifestIndex = { name: 'by_b', keys: { b: 1 } }
const once: ManifestIndex = { name: 'once', keys: { k: 1 }, unique: true }
const hidden = (index: ManifestIndex) => ({ ...asActual(index), hidden: true })

interface Given {
  readonly wanted: readonly ManifestIndex[]
  readonly actual: readonly ActualIndex[]
  readonly version?: string
  readonly newest?: string
  readonly hid?: readonly HiddenIndex[]
  readonly isByCommand?: boolean
}

function words({
  wanted,
  actual,
  version = '2.0.0',
  newest = '1.0.0',
  hid = [],
  isByCommand
}: Given) {
  const owned = new Set(actual.map(({ name }) => name))
  const { steps } = planIndexes({ wanted, actual: [id, ...actual], owned })
  return versionedSteps(steps, [id, ...actual], { version, newest, hidden: hid, isByCommand }).map(
    (step) =>
      `${step.action === 'modify' ? step.how : step.action} ${step.name.replace(/~.{6}$/, '~#')}`
  )
}

test('what a version hid goes with its next version, or with a command', (t) => {
  const given = { wanted: [byA], actual: [asActual(byA), hidden(byB)], newest: '2.0.0' }
  const hid = [{ name: 'by_b', version: '2.0.0' }]
  t.same(words({ ...given, hid }), [], 'a second start of the same version drops nothing')
  t.same(words({ ...given, hid, isByCommand: true }), ['drop by_b'])
  t.same(words({ ...given, hid, version: '2.1.0' }), ['drop by_b'])
  t.end()
})

const changed: ManifestIndex = { name: 'by_a', keys: { z: 1 } }
const built = { ...asActual(changed), name: 'by_a~0f0f0f' }
const by = (version: string) => [{ name: 'by_a', version }]

const table: readonly (Given & { readonly name: string; readonly steps: readonly string[] })[] = [
  {
    name: 'a changed index is built beside the old one, which is hidden',
    wanted: [changed],
    actual: [asActual(byA)],
    steps: ['create by_a~#', 'hide by_a']
  },
  {
    name: 'a second process of the version leaves it hidden',
    wanted: [changed],
    actual: [hidden(byA), built],
    newest: '2.0.0',
    hid: by('2.0.0'),
    steps: []
  },
  {
    name: 'the next version drops it',
    wanted: [changed],
    actual: [hidden(byA), built],
    newest: '2.0.0',
    version: '2.0.1',
    hid: by('2.0.0'),
    steps: ['drop by_a']
  },
  {
    name: 'an older version shows its index again and leaves the newer one',
    wanted: [byA],
    actual: [hidden(byA), built],
    newest: '2.0.0',
    version: '1.0.0',
    hid: by('2.0.0'),
    steps: ['unhide by_a']
  },
  {
    name: 'an older version builds what it misses, but nothing unique',
    wanted: [byA, byB, once],
    actual: [asActual(byB)],
    newest: '2.0.0',
    version: '1.0.0',
    steps: ['create by_a']
  },
  {
    name: 'an older version takes the same index under another name for its own',
    wanted: [byA],
    actual: [{ ...asActual(byA), name: 'by_first' }],
    newest: '2.0.0',
    version: '1.0.0',
    steps: []
  },
  {
    name: 'an older version does not take a time limit back',
    wanted: [{ ...byA, ttlSeconds: 60 }],
    actual: [{ ...asActual(byA), expireAfterSeconds: 30 }],
    newest: '2.0.0',
    version: '1.0.0',
    steps: []
  },
  {
    name: 'what refuses documents while it is hidden goes at once when it is declared otherwise',
    wanted: [{ name: 'once', keys: { k: 1 } }],
    actual: [asActual(once)],
    steps: ['create once~#', 'drop once']
  },
  {
    name: 'a renamed index is replaced at once, because MongoDB refuses twins',
    wanted: [{ name: 'new_name', keys: { a: 1 } }],
    actual: [asActual(byA)],
    steps: ['drop by_a', 'create new_name']
  },
  {
    name: 'an index that was hidden before versions were on record is dropped',
    wanted: [],
    actual: [hidden(byA)],
    steps: ['drop by_a']
  }
]

for (const { name, steps, ...given } of table) {
  test(name, async (t) => {
    t.same(words(given), steps)
  })
}

test('versions are compared by number, and a pre-release is before its release', async (t) => {
  const order = ['0.9.0', '1.0.0-beta.2', '1.0.0-beta.10', '1.0.0', '1.2.0', '1.10.0', '2.0.0']
  for (const [at, one] of order.entries()) {
    for (const [other, two] of order.entries()) {
      t.equal(Math.sign(compareVersions(one, two)), Math.sign(at - other), `${one} ${two}`)
    }
  }
  t.equal(compareVersions('1.0.0+a', '1.0.0+b'), 0)
})

test('whatever was made, an older version drops, hides and retimes nothing', async (t) => {
  const index = fc.record({
    name: fc.constantFrom('i1', 'i2', 'i3'),
    keys: fc.constantFrom({ a: 1 as const }, { b: 1 as const }, { c: 1 as const }),
    ttlSeconds: fc.constantFrom(60, 120)
  })
  const many = fc.uniqueArray(index, { selector: ({ name }) => name, maxLength: 3 })
  fc.assert(
    fc.property(many, many, (wanted, there) => {
      const actual = there.map((one) => asActual(one))
      const done = words({ wanted, actual, version: '1.0.0', newest: '1.0.1' })
      return done.every((step) => /^(create|unhide) /.test(step))
    })
  )
  t.pass()
})
