// Compacting a data folder: nothing is lost, whatever happens meanwhile.
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'tap'
import { plain } from '../bson/arbitrary-values.test.data.ts'
import { openEnvironment } from '../storage/environment.ts'
import { leakPages } from '../storage/free-list.test.data.ts'
import { openTree } from '../storage/index-entries.ts'
import { FIRST_FREE_TREE, splitTree } from '../storage/tree-keys.ts'
import { compactingFolder } from './backup.ts'
import { compactData } from './compact.ts'
import { openEngine } from './open.ts'
import {
  type Cleaner,
  contextOf,
  openTestEngine,
  TestCollection,
  temporaryFolder
} from './open-engine.test.data.ts'

const NAMES = ['data.mdb', 'data.mdb-lock']

/** A folder with documents, of which every third is gone, and a collection that was dropped. */
async function filledFolder(t: Cleaner) {
  const folder = await temporaryFolder(t)
  const engine = await openEngine(folder)
  const c = new TestCollection(engine, { db: 'd', collection: 'c' })
  await c.index({ n: 1 })
  await c.index({ u: 1 }, { unique: true })
  await c.index({ kind: 1, n: 1 })
  const documents = Array.from({ length: 3_000 }, (_, n) => ({
    _id: n,
    n: n % 3,
    u: `u${n}`,
    kind: 'event',
    text: 'x'.repeat(n % 300)
  }))
  await c.insert(documents)
  await c.delete({ n: 0 })
  const dropped = new TestCollection(engine, { db: 'd', collection: 'dropped' })
  await dropped.insert(documents)
  await engine.dropCollection(dropped.ns, contextOf())
  const kept = await c.find()
  await engine.close()
  return { folder, kept }
}

test('a compacted folder has the same documents on fewer pages', async (t) => {
  const { folder, kept } = await filledFolder(t)
  const result = await compactData(folder)
  if ('problem' in result) throw new Error(result.problem)
  t.ok(result.bytesAfter < result.bytesBefore / 2, JSON.stringify(result))
  t.equal((await stat(join(folder, 'data.mdb'))).size, result.bytesAfter)
  t.equal((await stat(join(folder, 'data.mdb'))).mode & 0o777, 0o600)
  t.same(await readdir(folder), NAMES)
  const engine = await openTestEngine(t, {}, folder)
  const c = new TestCollection(engine, { db: 'd', collection: 'c' })
  t.same(await c.find(), kept)
  t.match(await engine.check(), { ok: true, documents: kept.length, leakedPages: 0 })
  await c.insert([{ _id: 'new', u: 'new' }])
})

test('leaked pages are reported by check and validate, kept by a backup, and given back', async (t) => {
  const folder = await temporaryFolder(t)
  await leakPages(join(folder, 'data.mdb'))
  const engine = await openEngine(folder)
  const c = new TestCollection(engine, { db: 'd', collection: 'c' })
  await c.insert([{ _id: 1 }])
  const { leakedPages, pages } = await engine.check()
  t.ok(leakedPages > 0 && leakedPages < pages, `${leakedPages} of ${pages}`)
  t.match(plain(await engine.validate(c.ns, contextOf())), { leakedPages, valid: true })
  const backup = await temporaryFolder(t)
  await engine.backup(backup)
  await engine.close()
  for (const dir of [folder, backup]) {
    t.hasProp(await compactData(dir), 'bytesAfter')
    const again = await openTestEngine(t, {}, dir)
    t.match(await again.check(), { ok: true, documents: 1, leakedPages: 0 })
  }
})

test('a folder without a data file stays without one', async (t) => {
  const folder = await temporaryFolder(t)
  t.same(await compactData(folder), { bytesBefore: 0, bytesAfter: 0 })
  t.same(await readdir(folder), [])
})

test('what is left of compacting when the process ended is removed at the next start', async (t) => {
  const { folder, kept } = await filledFolder(t)
  await mkdir(compactingFolder(folder))
  await writeFile(join(compactingFolder(folder), 'data.mdb'), 'half')
  const engine = await openTestEngine(t, {}, folder)
  t.same(await readdir(folder), NAMES)
  t.match(await engine.check(), { ok: true, documents: kept.length })
})

test('damaged data is left as it is', async (t) => {
  const { folder } = await filledFolder(t)
  const environment = openEnvironment(join(folder, 'data.mdb'))
  await environment.write((view) => {
    const walk = openTree(view, splitTree(FIRST_FREE_TREE + 1))
    const entry = walk.next()
    walk.close()
    if (entry !== undefined) view.remove(entry.key)
  })
  await environment.close()
  const { ino } = await stat(join(folder, 'data.mdb'))
  t.match(await compactData(folder), { problem: /no entry in index/ })
  t.equal((await stat(join(folder, 'data.mdb'))).ino, ino)
  t.same(await readdir(folder), NAMES)
})
