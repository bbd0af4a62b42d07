// The storage engine is a package that only a host without a connection string needs.
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startLocalMongo } from '@keelson/local-mongo'
import tap, { test } from 'tap'
import { silentLog } from '../schedule/testing/silent-log.ts'
import { connectStorage } from './connect.ts'
import { startEngine } from './engine.ts'

// Most of what these tests do is wait, so they do it side by side.
tap.jobs = 8

const run = promisify(execFile)
const HOST = fileURLToPath(new URL('./testing/host-without-engine.js', import.meta.url))

/** Starts a host in a process in which neither the engine nor lmdb can be found. */
async function hostWithoutEngine(storage: object): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await run(process.execPath, [HOST, JSON.stringify(storage)], {
    // Outside of the repository, where the engine could be found from the folder of the config.
    cwd: tmpdir()
  })
  return JSON.parse(stdout)
}

test('a host with a connection string starts without the engine and lmdb', async (t) => {
  const engine = await startLocalMongo({ dataDir: t.testdir(), port: 0 })
  t.teardown(() => engine.close())
  t.same(await hostWithoutEngine({ uri: engine.uri }), { ready: true })
})

test('a host without a connection string and engine is refused with what to install', async (t) => {
  const refused = await hostWithoutEngine({ dataDir: t.testdir() })
  t.match(refused, { code: 'KRN_ENGINE_MISSING', remedy: /npm install @keelson\/local-mongo/ })
})

const ENGINE = `import { basename } from 'node:path'
export const startEngine = async ({ dataDir }) => ({
  uri: 'mongodb://127.0.0.1:9/?serverSelectionTimeoutMS=50&appName=' + basename(dataDir),
  close: async () => {}
})
`

test('storage.engine names another package, looked up from the folder of the config', async (t) => {
  const baseDir = t.testdir({
    node_modules: {
      'own-engine': {
        'package.json': '{"name":"own-engine","type":"module","exports":"./index.js"}',
        'index.js': ENGINE
      }
    }
  })
  const options = { baseDir, dataDir: '/far/away', log: () => {} }
  const engine = await startEngine({ ...options, engine: 'own-engine' })
  t.match(engine.uri, /appName=away$/)
})

test('storage.engine may be a path from the config', async (t) => {
  const baseDir = t.testdir({ 'engine.mjs': ENGINE })
  const storage = { engine: './engine.mjs', dataDir: 'data' }
  const error = await connectStorage(storage, { baseDir, log: silentLog }).catch((caught) => caught)
  t.match(error, { code: 'KRN_STORAGE_UNREACHABLE', message: /the engine \.\/engine\.mjs/ })
})

test('a package that exports no startEngine is refused by name', async (t) => {
  const baseDir = t.testdir({ 'engine.mjs': 'export const start = 1' })
  const options = { engine: './engine.mjs', baseDir, dataDir: baseDir, log: () => {} }
  await t.rejects(startEngine(options), { code: 'KRN_ENGINE_INVALID', message: /startEngine/ })
})

test('an engine that cannot be loaded is refused with the reason', async (t) => {
  const baseDir = t.testdir({ 'engine.mjs': 'throw new Error("no native part")' })
  const options = { engine: './engine.mjs', baseDir, dataDir: baseDir, log: () => {} }
  await t.rejects(startEngine(options), { code: 'KRN_ENGINE_INVALID', message: /no native part/ })
})
