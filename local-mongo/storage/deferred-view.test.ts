// Entries that are held back: every way to look at them sees them.
import { test } from 'tap'
import { DeferredView } from './deferred-view.ts'
import { sharedIndexKey, treeKey, treeStart } from './tree-keys.ts'
import { NOTHING, type WriteView } from './view.ts'

const text = (key: Uint8Array) => Buffer.from(key).toString('hex')
const id = Buffer.from('id')
const key = (tree: number, value: string) => sharedIndexKey(tree, Buffer.from(value), id)

/** A view that notes what reaches it. */
function openNoted() {
  const stored = new Map<string, Uint8Array>()
  const order: string[] = []
  const view: WriteView = {
    get: (at) => stored.get(text(at)),
    has: (at) => stored.has(text(at)),
    range: () => ({ next: () => undefined, close: () => undefined }),
    entries: () => ({ next: () => undefined, close: () => undefined }),
    countRange: () => stored.size,
    put(at, value) {
      order.push(text(at))
      stored.set(text(at), value)
    },
    putEntry: (_tree, at) => view.put(at, NOTHING),
    putIfAbsent(at, value) {
      if (stored.has(text(at))) return false
      view.put(at, value)
      return true
    },
    remove: (at) => stored.delete(text(at))
  }
  return { view: new DeferredView(view), stored, order }
}

test('entries wait, and come tree by tree', (t) => {
  const { view, stored, order } = openNoted()
  const keys = [key(70, 'a'), key(71, 'a'), key(70, 'b'), key(71, 'b')]
  for (const [position, at] of keys.entries()) view.putEntry(70 + (position % 2), at)
  t.equal(stored.size, 0)
  view.flush()
  t.same(
    order,
    [keys[0], keys[2], keys[1], keys[3]].map((at) => text(at as Uint8Array))
  )
  t.end()
})

const WHOLE = { low: { bytes: treeStart(70) }, high: { bytes: treeStart(71) } }

const looks: readonly (readonly [
  string,
  (view: DeferredView, at: Uint8Array) => unknown,
  unknown
])[] = [
  ['get', (view, at) => view.get(at)?.length, 0],
  ['has', (view, at) => view.has(at), true],
  ['putIfAbsent', (view, at) => view.putIfAbsent(at, NOTHING), false],
  ['remove', (view, at) => view.remove(at) ?? view.has(at), false],
  ['entries', (view) => view.entries(WHOLE, false).next(), undefined],
  ['countRange', (view) => view.countRange(treeStart(70), treeStart(71)), 1]
]
for (const [name, look, expected] of looks) {
  test(`${name} sees an entry that waits`, (t) => {
    const { view } = openNoted()
    view.putEntry(70, key(70, 'a'))
    t.equal(look(view, key(70, 'a')), expected)
    t.end()
  })
}

test('a range sees all entries, a put writes only those of the same tree early', (t) => {
  const { view, stored } = openNoted()
  view.putEntry(70, key(70, 'a'))
  view.putEntry(71, key(71, 'a'))
  view.put(treeKey(70, Buffer.from('x')), NOTHING)
  t.equal(stored.size, 2)
  view.range(treeStart(1), treeStart(2), false).close()
  t.equal(stored.size, 3)
  t.end()
})
