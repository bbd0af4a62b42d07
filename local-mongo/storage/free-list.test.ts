// LMDB's list of free pages: what lmdb-js makes of it by default ends the process or fails a commit.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { temporaryFolder } from '../engine/open-engine.test.data.ts'
import { openDatabases } from './databases.ts'
import { type Opened, wearOut } from './free-list.test.data.ts'
import { toStorageError } from './storage-error.ts'

const ALONE = fileURLToPath(new URL('./free-list.test.data.js', import.meta.url))

/** Shapes that fail a commit, or end the process, when the list is kept between transactions. */
const FAILING = [
  { stride: 12, values: 8_000 },
  { stride: 14, values: 8_000 },
  { stride: 16, values: 10_000 },
  { stride: 20, values: 10_000 },
  { stride: 18, values: 12_000 },
  { stride: 20, values: 12_000 },
  { stride: 22, values: 14_000 },
  { stride: 24, values: 16_000 }
]
const ABORTING = [
  { stride: 20, values: 20_000 },
  { stride: 14, values: 12_000 }
]

test('no commit fails over the list of free pages', async (t) => {
  for (const shape of FAILING) {
    const path = join(await temporaryFolder(t), 'data.mdb')
    const openFile = (): Opened => {
      const root = openDatabases(path).root as unknown as Opened['root'] & {
        childTransaction(change: () => void): Promise<unknown>
      }
      const fail = async (error: unknown) => {
        throw await toStorageError(error)
      }
      return { root, write: (change) => root.childTransaction(change).catch(fail) }
    }
    const isWhole = await t.resolves(wearOut(openFile, shape), `${shape.stride} of ${shape.values}`)
    // After a failed commit the next may end this process.
    if (!isWhole) return
  }
})

test('no process is ended over the list of free pages', async (t) => {
  for (const { stride, values } of ABORTING) {
    const path = join(await temporaryFolder(t), 'data.mdb')
    const child = spawn(process.execPath, [ALONE, path, String(stride), String(values)], {
      stdio: ['ignore', 'ignore', 'inherit']
    })
    t.same(await once(child, 'exit'), [0, null], `${stride} of ${values}`)
  }
})
