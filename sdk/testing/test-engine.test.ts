// Where tests find a database.
// Runs in its own process: it looks at the engine that a process starts first.
import { existsSync } from 'node:fs'
import { test } from 'tap'
import { holdTestEngine, testStorage } from './test-engine.ts'

const never = async (): Promise<never> => {
  throw new Error('not to be started')
}

test('MONGODB_URI is used when it is set', async (t) => {
  const uri = 'mongodb://db.example:27017'
  const first = await testStorage({ MONGODB_URI: uri }, never)
  const second = await testStorage({ MONGODB_URI: uri }, never)
  t.match(first, { uri, database: /^test_[0-9a-f]{20}$/ })
  t.not(first.database, second.database)
})

test('else one engine is started for the process, and its folder goes with it', async (t) => {
  const started: string[] = []
  let isClosed = false
  const start = async ({ dataDir }: { readonly dataDir: string }) => {
    started.push(dataDir)
    return {
      async close() {
        isClosed = true
      }
    }
  }
  const first = await testStorage({ MONGODB_URI: '' }, start)
  const second = await testStorage({}, start)
  t.equal(first.dataDir, second.dataDir)
  t.same(started, [first.dataDir])
  t.ok(existsSync(first.dataDir ?? ''))
  process.once('exit', () => {
    if (!isClosed || existsSync(first.dataDir ?? '')) process.exitCode = 1
  })
})

test('the engine of the test run is joined when it names one, and its folder stays', async (t) => {
  const dataDir = t.testdir({})
  const start = async (options: { readonly dataDir: string }) => {
    t.equal(options.dataDir, dataDir)
    return { close: async () => {} }
  }
  const held = await holdTestEngine(start, { KEELSON_TEST_DATA_DIR: dataDir })
  t.equal(held.dataDir, dataDir)
})
