// Files of segments on this machine: folders that cannot be written, files of others, and what the cache says of them.
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KeelsonError } from '@keelson/sdk'
import { type Test, test } from 'tap'
import { errors } from '../errors.ts'
import { hashOf, SegmentCache } from './cache.ts'

const BYTES = Buffer.from('bytes of a segment')
const ID = hashOf(BYTES)
const fetch = async () => BYTES

async function openFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-cache-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A folder that cannot be made: its parent is a file. */
async function blocked(t: Test): Promise<string> {
  const folder = await openFolder(t)
  await writeFile(join(folder, 'file'), '')
  return join(folder, 'file', 'cache')
}

const pathsOf = (cache: SegmentCache) =>
  cache.use([ID], fetch, async (paths) => [...paths.values()])

test('work runs again when a file was taken away or damaged meanwhile', async (t) => {
  const folder = await openFolder(t)
  const cache = new SegmentCache({ folders: [folder], maxBytes: 1e6 })
  for (const harm of [rm, (path: string) => writeFile(path, 'damaged')]) {
    let runs = 0
    const text = await cache.use([ID], fetch, async (paths) => {
      const path = paths.get(ID) ?? ''
      if (runs++ === 0) await harm(path)
      const found = await readFile(path, 'utf8')
      if (found !== String(BYTES)) throw new Error('not a file of columns')
      return found
    })
    t.same([text, runs], [String(BYTES), 2])
  }
})

test('a failure of work over files that are well is passed on, after one run', async (t) => {
  const folder = await openFolder(t)
  const cache = new SegmentCache({ folders: [folder], maxBytes: 1e6 })
  let runs = 0
  const failing = cache.use([ID], fetch, async () => {
    runs++
    throw new Error('the statement is wrong')
  })
  await t.rejects(failing, { message: 'the statement is wrong' })
  t.equal(runs, 1)
})

test('bytes that cannot be fetched are asked for once', async (t) => {
  const folder = await openFolder(t)
  const cache = new SegmentCache({ folders: [folder], maxBytes: 1e6 })
  let asked = 0
  const gone = async (): Promise<Uint8Array> => {
    asked++
    throw new Error('the database is away')
  }
  await t.rejects(
    cache.use([ID], gone, async () => undefined),
    { message: /is away/ }
  )
  t.equal(asked, 1)
})

test('a folder that cannot be written is named, and the next one is used', async (t) => {
  const [first, second] = [await blocked(t), await openFolder(t)]
  const cache = new SegmentCache({ folders: [first, second], maxBytes: 1e6 })
  t.same(await pathsOf(cache), [join(second, `${ID}.parquet`)])
  t.match(cache.problem, new RegExp(`${first} \\(ENOTDIR\\); the temporary folder`))
  t.equal(cache.isGivenUp, false)
})

test('a cache without a folder is given up, not the read, until there is room again', async (t) => {
  const folder = await blocked(t)
  const cache = new SegmentCache({ folders: [folder], maxBytes: 1e6 })
  t.same(await pathsOf(cache), [])
  t.equal(cache.isGivenUp, true)
  t.match(cache.problem, /cannot be written.*reads are without.*Make room there/)
  await rm(join(folder, '..'))
  await mkdir(folder, { recursive: true })
  t.same(await pathsOf(cache), [join(folder, `${ID}.parquet`)])
  t.same([cache.isGivenUp, cache.problem], [false, undefined])
})

test('a file is made in the next folder when that fails in one, but not when it is wrong', async (t) => {
  const folders = [await openFolder(t), await openFolder(t)] as const
  const cache = new SegmentCache({ folders, maxBytes: 1e6 })
  const made = await cache.withNewPath(async (path) => {
    if (path.startsWith(folders[0])) throw new Error('IO Error: No space left on device')
    return path
  })
  t.ok(made.startsWith(folders[1]))
  t.match(cache.problem, /No space left on device/)
  let tries = 0
  const wrong = cache.withNewPath(async () => {
    tries++
    throw errors.TEL_SEGMENT_WRONG({ problem: 'it has 1 of 2 records' })
  })
  await t.rejects(wrong, KeelsonError)
  t.equal(tries, 1)
})

test('files and folders of something else are left alone and named; parts of a process that was killed go', async (t) => {
  const folder = await openFolder(t)
  const part = '0f8fad5b-d9cb-469f-a165-70867728950e'
  const own = [`${part}.part`, `${ID}.parquet.${part}`]
  const foreign = ['notes.txt', 'data.parquet', 'x.part']
  for (const name of [...own, ...foreign]) {
    await writeFile(join(folder, name), '')
    await utimes(join(folder, name), 0, 0)
  }
  await mkdir(join(folder, 'folder'))
  await utimes(join(folder, 'folder'), 0, 0)
  const cache = new SegmentCache({ folders: [folder], maxBytes: 1e6 })
  t.equal((await pathsOf(cache)).length, 1)
  t.same((await readdir(folder)).sort(), [...foreign, 'folder', `${ID}.parquet`].sort())
  t.match(cache.problem, /has 4 files of something else/)
})
