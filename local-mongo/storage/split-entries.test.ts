// Split entries read as if each lay whole in one ordered map, whatever the range and the direction.
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { temporaryFolder } from '../engine/open-engine.test.data.ts'
import { type End, endAt } from './entry-range.ts'
import { openEnvironment } from './environment.ts'
import { splitIndexKey, splitTree, textOfKey, treeKey, treeStart } from './tree-keys.ts'
import { NOTHING, type View, type Walk } from './view.ts'

const TREE = splitTree(300)

/** Parts end in 0 and hold none before: none begins another. */
const part = fc
  .array(fc.constantFrom(1, 2, 254, 255), { maxLength: 3 })
  .map((bytes) => Buffer.from([...bytes, 0]))
const entry = fc
  .tuple(part, part, part, part)
  .map(([a, b, c, id]) => splitIndexKey(TREE, Buffer.concat([a, b, c]), id, a.length + b.length))

/** An end after some of the parts, with where the shared ones end when it goes beyond them. */
const end: fc.Arbitrary<End> = fc
  .tuple(part, part, part, fc.integer({ min: 0, max: 3 }))
  .map(([a, b, c, parts]) => ({
    bytes: treeKey(TREE, Buffer.concat([a, b, c].slice(0, parts))),
    split: parts < 2 ? undefined : 4 + a.length + b.length
  }))

function textsOf(walk: Walk): string[] {
  const found: string[] = []
  for (let one = walk.next(); one !== undefined; one = walk.next()) found.push(textOfKey(one.key))
  walk.close()
  return found
}

function expected(entries: readonly Uint8Array[], low: End, high: End, reverse: boolean): string[] {
  const within = [...new Set(entries.map(textOfKey))].filter(
    (text) => text >= textOfKey(low.bytes) && text < textOfKey(high.bytes)
  )
  within.sort()
  return reverse ? within.reverse() : within
}

test('any range of split entries reads as from one ordered map, also from where it was left', async (t) => {
  const environment = openEnvironment(join(await temporaryFolder(t), 'data.mdb'))
  t.teardown(() => environment.close())
  const tree = [{ bytes: treeStart(TREE) }, { bytes: treeStart(TREE + 1) }] as const
  const other = splitIndexKey(TREE + 1, Buffer.of(1, 0, 1, 0), Buffer.of(9), 2)
  await environment.write((view) => view.putEntry(TREE + 1, other))
  const readsRightly = (view: View, entries: readonly Uint8Array[], low: End, high: End) =>
    [false, true].every((reverse) => {
      const wanted = expected(entries, low, high, reverse)
      const found = textsOf(view.entries({ low, high }, reverse))
      if (found.join() !== wanted.join()) return false
      const middle = wanted[Math.floor(wanted.length / 2)]
      if (middle === undefined) return true
      const last = Buffer.from(middle, 'latin1')
      const rest = reverse
        ? { low, high: endAt(last, 'before') }
        : { low: endAt(last, 'beyond'), high }
      const left = textsOf(view.entries(rest, reverse))
      return left.join() === wanted.slice(wanted.indexOf(middle) + 1).join()
    })
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 40 }),
      fc.array(fc.tuple(end, end), { minLength: 3, maxLength: 3 }),
      async (entries, ranges) => {
        await environment.write((view) => {
          for (const one of entries) view.putEntry(TREE, one)
        })
        const snapshot = environment.snapshot()
        const isRight = ranges.every(([low, high]) => readsRightly(snapshot, entries, low, high))
        snapshot.close()
        const counted = environment.live.countRange(tree[0].bytes, tree[1].bytes)
        await environment.write((view) => {
          for (const one of entries) view.remove(one)
        })
        const left = textsOf(environment.live.entries({ low: tree[0], high: tree[1] }, false))
        return isRight && counted === new Set(entries.map(textOfKey)).size && left.length === 0
      }
    ),
    { numRuns: 150 }
  )
  t.ok(environment.live.has(other), 'the tree beside it is left alone')
})

test('a split entry is found, put twice without harm, and removed once', async (t) => {
  const environment = openEnvironment(join(await temporaryFolder(t), 'data.mdb'))
  t.teardown(() => environment.close())
  const one = splitIndexKey(TREE, Buffer.from('shared|own'), Buffer.from('id'), 7)
  await environment.write((view) => {
    t.equal(view.get(one), undefined)
    view.putEntry(TREE, one)
    view.put(one, NOTHING)
    t.ok(view.has(one), 'seen before the commit')
  })
  t.same(environment.live.get(one), NOTHING)
  t.equal(environment.live.countRange(treeStart(TREE), treeStart(TREE + 1)), 1)
  await environment.write((view) => {
    view.remove(one)
    view.remove(one)
  })
  t.equal(environment.live.has(one), false)
})

test('ten thousand values of one key are read from both ends', async (t) => {
  const environment = openEnvironment(join(await temporaryFolder(t), 'data.mdb'))
  t.teardown(() => environment.close())
  const entries = Array.from({ length: 10_000 }, (_, n) => {
    const own = Buffer.alloc(9)
    own.writeUInt32BE(n, 0)
    return splitIndexKey(TREE, Buffer.concat([Buffer.from('k'), own]), Buffer.from('id'), 1)
  })
  await environment.write((view) => {
    for (const one of entries) view.putEntry(TREE, one)
  })
  const range = { low: { bytes: treeStart(TREE) }, high: { bytes: treeStart(TREE + 1) } }
  const texts = entries.map(textOfKey)
  t.equal(textsOf(environment.live.entries(range, false)).join(), texts.join())
  t.equal(textsOf(environment.live.entries(range, true)).join(), texts.reverse().join())
})
