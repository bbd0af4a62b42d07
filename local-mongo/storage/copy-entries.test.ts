// A copy of all entries reads as the file does.
import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { open } from 'lmdb'
import { test } from 'tap'
import { type Cleaner, temporaryFolder } from '../engine/open-engine.test.data.ts'
import { copyEntries } from './copy-entries.ts'
import { openEnvironment } from './environment.ts'
import { openTree } from './index-entries.ts'
import {
  numberKey,
  slotTree,
  splitIndexKey,
  splitTree,
  TREE,
  treeKey,
  treeStart
} from './tree-keys.ts'
import type { View, Walk } from './view.ts'

const bytesOf = (text: string) => Buffer.from(text)
const INDEX = splitTree(80)

function textOf(walk: Walk): string[] {
  const all: string[] = []
  for (let entry = walk.next(); entry !== undefined; entry = walk.next()) {
    all.push([entry.key, entry.value].map((part) => Buffer.from(part).toString('hex')).join(' '))
  }
  return all
}

/** Everything in a file, as text. */
function contentOf(view: View, slot: number): string[] {
  const trees = [0, slotTree(64, slot)]
  return [
    ...trees.flatMap((tree) => textOf(view.range(treeStart(tree), treeStart(tree + 200), false))),
    ...textOf(openTree(view, INDEX))
  ]
}

async function pathsOf(t: Cleaner): Promise<[string, string]> {
  const folder = await temporaryFolder(t)
  return [join(folder, 'data.mdb'), join(folder, 'copy.mdb')]
}

test('a copy has every entry, whatever dictionary it was written with, but none of discarded trees', async (t) => {
  const [path, copy] = await pathsOf(t)
  const environment = openEnvironment(path)
  const fill = (from: number) =>
    environment.write((view) => {
      for (let n = from; n < from + 400; n++) {
        const id = bytesOf(String(n).padStart(5, '0'))
        const value = Buffer.concat([bytesOf('what they have in common '.repeat(8)), id])
        view.put(treeKey(70, id), value)
        view.put(treeKey(slotTree(64, 9), id), randomBytes(n % 50 === 0 ? 30_000 : 100))
        view.putEntry(INDEX, splitIndexKey(INDEX, Buffer.concat([id.subarray(0, 3), id]), id, 3))
      }
    })
  await fill(0)
  await environment.learn(70, bytesOf('what they have in common'))
  await fill(400)
  const before = contentOf(environment.live, 9)
  t.equal(before.length, 3 * 800)
  await environment.write((view) => {
    view.put(numberKey(TREE.garbage, 90), Buffer.alloc(0))
    view.put(treeKey(90, bytesOf('left')), Buffer.alloc(100_000))
  })
  await environment.close()
  await copyEntries(path, copy, new Set([90]))
  t.ok((await stat(copy)).size < (await stat(path)).size)
  const again = openEnvironment(copy)
  t.same(contentOf(again.live, 9), before)
  t.same([...(again.learned() ?? [])], [70])
  await again.close()
})

test('a copy of a file of format 1 is of format 1', async (t) => {
  const [path, copy] = await pathsOf(t)
  const made = open<Uint8Array, Uint8Array>({
    path,
    noSubdir: true,
    keyEncoding: 'binary',
    encoding: 'binary'
  })
  made.putSync(treeKey(TREE.settings, bytesOf('format')), bytesOf('1'))
  for (let n = 0; n < 300; n++) {
    made.putSync(treeKey(70, bytesOf(String(n).padStart(5, '0'))), Buffer.alloc(200, 250 + (n % 6)))
  }
  await made.close()
  const environment = openEnvironment(path)
  const before = contentOf(environment.live, 9)
  t.equal(before.length, 301)
  await environment.close()
  await copyEntries(path, copy, new Set())
  const again = openEnvironment(copy)
  t.same(contentOf(again.live, 9), before)
  t.equal(again.learned(), undefined)
  await again.close()
})
