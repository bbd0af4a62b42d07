// One engine for all tests of a process: it is started once, and not for each test.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'

let folder: Promise<string> | undefined

/** The data folder of the engine. It ends, and the folder goes, when the process has nothing left to do. */
export function heldEngineFolder(): Promise<string> {
  folder ??= holdEngine()
  return folder
}

async function holdEngine(): Promise<string> {
  const shared = process.env['KEELSON_TEST_DATA_DIR']
  if (shared) return joinEngine(shared)
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-test-'))
  const engine = await startLocalMongo({ dataDir })
  process.once('beforeExit', async () => {
    await engine.close()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  })
  return dataDir
}

/** Uses the engine that the test run keeps for this worker. */
async function joinEngine(dataDir: string): Promise<string> {
  const engine = await startLocalMongo({ dataDir })
  process.once('beforeExit', () => void engine.close())
  return dataDir
}
