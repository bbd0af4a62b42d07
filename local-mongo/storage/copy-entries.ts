// Writes all entries of a data file into a new one, in their order: its pages are full, and none are lost.
// LMDB's own compacting copy refuses files that have lost pages (mdb_env_copyfd1 in mdb.c).
import { NAMES_FROM, openDatabases, openRoot, type ValueDatabase } from './databases.ts'
import { numberOfKey, TREE, treeOf } from './tree-keys.ts'
import type { Entry } from './view.ts'

/** Put in one transaction; a longer value is put alone. */
const TRANSACTION_BYTES = 16 * 1024 * 1024

type Put = (entry: Entry) => unknown

function putAll(root: ValueDatabase, entries: Iterable<Entry>, put: Put): void {
  const walk = entries[Symbol.iterator]()
  let step = walk.next()
  while (step.done !== true) {
    root.transactionSync(() => {
      let bytes = 0
      while (step.done !== true && bytes < TRANSACTION_BYTES) {
        put(step.value)
        bytes += step.value.key.length + step.value.value.length
        step = walk.next()
      }
    })
  }
}

/** The root's own entries first: how all others are kept depends on them. */
async function copyRoot(source: string, target: string, isKept: (key: Uint8Array) => boolean) {
  const from = openRoot(source)
  const to = openRoot(target)
  const entries = from.getRange({ end: Uint8Array.of(NAMES_FROM) })
  putAll(to, entries, ({ key, value }) => isKept(key) && to.putSync(key, value))
  await to.close()
  await from.close()
}

/** Neither file may be open. `discarded` are trees that are left out. */
export async function copyEntries(
  source: string,
  target: string,
  discarded: ReadonlySet<number>
): Promise<void> {
  const isKept = (key: Uint8Array) => {
    const tree = treeOf(key)
    return !discarded.has(tree === TREE.garbage ? numberOfKey(key) : tree)
  }
  await copyRoot(source, target, isKept)
  const from = openDatabases(source)
  const to = openDatabases(target)
  const pairs = [[from.values, to.values], ...from.slots.map((slot, n) => [slot, to.slots[n]])]
  for (const [old, fresh] of pairs as [ValueDatabase, ValueDatabase][]) {
    // In files of format 1 the root has all values.
    if (old === from.root) continue
    putAll(to.root, old.getRange({}), ({ key, value }) => isKept(key) && fresh.putSync(key, value))
  }
  putAll(
    to.root,
    from.entries.getRange({} as never),
    ({ key, value }) => isKept(key) && to.entries.putSync(key, value)
  )
  await to.root.close()
  await from.root.close()
}
