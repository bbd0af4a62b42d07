// The pages of a file are counted exactly: none are missing from a healthy one, whatever was done to it.
// Reads the inside of LMDB's files, so it fails when a later lmdb lays them out otherwise.
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { temporaryFolder } from '../engine/open-engine.test.data.ts'
import { copyEntries } from './copy-entries.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { leakPages } from './free-list.test.data.ts'
import { pageCounter } from './leaked-pages.ts'
import { slotTree, splitIndexKey, splitTree, treeKey } from './tree-keys.ts'

const bytesOf = (text: string) => Buffer.from(text)

/** The pages of a file that is open. */
async function countOf(environment: Environment) {
  const snapshot = environment.snapshot()
  try {
    return await environment.pageCounter()()
  } finally {
    snapshot.close()
  }
}

/** Entries that share their key: so many of them have a tree of their own. */
function entryOf(number: number): Uint8Array {
  const shared = bytesOf(String(number % 3))
  const key = Buffer.concat([shared, bytesOf(String(number).padStart(40, '0'))])
  return splitIndexKey(splitTree(70), key, bytesOf('id'), shared.length)
}

interface Step {
  readonly from: number
  readonly count: number
  readonly bytes: number
  readonly removes: boolean
}

function change(environment: Environment, { from, count, bytes, removes }: Step): Promise<void> {
  return environment.write((view) => {
    for (let i = from; i < from + count; i++) {
      const entry = entryOf(i)
      for (const tree of [65, slotTree(64, 5)]) {
        const key = treeKey(tree, bytesOf(String(i).padStart(6, '0')))
        if (removes) view.remove(key)
        else view.put(key, Buffer.alloc(bytes, i))
      }
      if (removes) view.remove(entry)
      else view.putEntry(splitTree(70), entry)
    }
  })
}

const steps = fc.array(
  fc.record({
    from: fc.nat(2_000),
    count: fc.integer({ min: 1, max: 800 }),
    bytes: fc.oneof(fc.nat(300), fc.integer({ min: 2_000, max: 40_000 })),
    removes: fc.boolean()
  }),
  { minLength: 5, maxLength: 15 }
)

test('a healthy file has no leaked pages, whatever was put, removed and read meanwhile', async (t) => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const environment = openEnvironment(join(await temporaryFolder(t), 'data.mdb'))
      for (const [n, step] of all.entries()) {
        const reader = environment.snapshot()
        await change(environment, step)
        if (n % 4 === 3) environment.reopen()
        reader.close()
      }
      const { pages, leaked } = await countOf(environment)
      const { bytes } = environment.usage()
      await environment.close()
      return leaked === 0 && pages * 4096 === bytes
    }),
    { numRuns: 12 }
  )
})

test('an empty file has its pages too', async (t) => {
  const environment = openEnvironment(join(await temporaryFolder(t), 'data.mdb'))
  t.match(await countOf(environment), { leaked: 0 })
  await environment.close()
})

test('a file whose list of free pages was kept between transactions has leaked pages, until it is copied', async (t) => {
  const folder = await temporaryFolder(t)
  const path = join(folder, 'data.mdb')
  await leakPages(path)
  const { pages, leaked } = await pageCounter(path)()
  t.ok(leaked > 0 && leaked < pages, `${leaked} of ${pages}`)
  const environment = openEnvironment(path)
  const copy = join(folder, 'copy.mdb')
  await environment.copyTo(copy)
  await environment.close()
  t.same((await pageCounter(copy)()).leaked, leaked, 'LMDB copies it with all its pages')
  const compact = join(folder, 'compact.mdb')
  await copyEntries(copy, compact, new Set())
  t.equal((await pageCounter(compact)()).leaked, 0)
})
