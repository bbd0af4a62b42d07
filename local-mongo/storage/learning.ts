// Looks now and then what the documents of a collection have in common, for the dictionary.
import type { Collection } from './catalog.ts'
import type { Count } from './counts.ts'
import { dictionaryOf } from './dictionary.ts'
import type { Environment } from './environment.ts'
import { treeStart } from './tree-keys.ts'
import type { View } from './view.ts'

/** Less is not worth it, and would tell too much of few. */
const LEAST_DOCUMENTS = 256
const LEAST_BYTES = 64 * 1024
/** Of larger documents what they have in common is a small part, and reading many takes long. */
const LARGEST_DOCUMENTS = 8 * 1024
/** Read of a collection; a few documents may be far larger than most. */
const MOST_READ_BYTES = 8 * 1024 * 1024
/** Looked at from each end of a collection, and how many of them are taken. */
const LOOKED_AT = 512
const EVERY = 8

/** The collection that has most to gain; undefined when none is large enough. */
export function worthLearning(
  collections: Iterable<Collection>,
  countOf: (collection: number) => Count,
  learned: ReadonlySet<number>
): Collection | undefined {
  let best: Collection | undefined
  let most = LEAST_BYTES
  for (const collection of collections) {
    const { documents, bytes } = countOf(collection.id)
    if (learned.has(collection.id) || documents < LEAST_DOCUMENTS || bytes < most) continue
    if (bytes > documents * LARGEST_DOCUMENTS) continue
    best = collection
    most = bytes
  }
  return best
}

/** Nothing when what is read for it gets too much. */
function sample(view: View, { tree }: Collection): Uint8Array[] {
  const taken: Uint8Array[] = []
  let read = 0
  for (const reverse of [false, true]) {
    const walk = view.range(treeStart(tree), treeStart(tree + 1), reverse)
    for (let n = 0; n < LOOKED_AT; n++) {
      const entry = walk.next()
      if (entry === undefined) break
      read += entry.value.length
      if (read > MOST_READ_BYTES) {
        walk.close()
        return []
      }
      if (n % EVERY === 0) taken.push(entry.value)
    }
    walk.close()
  }
  return taken
}

/** Learns of one collection, when there is one to learn of and room in the dictionary. */
export async function learnOne(
  environment: Environment,
  collections: Iterable<Collection>,
  countOf: (collection: number) => Count
): Promise<void> {
  const learned = environment.learned()
  if (learned === undefined) return
  const collection = worthLearning(collections, countOf, learned)
  if (collection === undefined) return
  const { live } = environment
  await environment.learn(collection.id, dictionaryOf(sample(live, collection)))
}
