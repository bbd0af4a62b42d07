// DuckDB within its bounds: what a signal ends, and what it may not touch.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { type DuckDBModule, installedDuckDB } from './duckdb.ts'
import { createEngine } from './engine.ts'

const ENDLESS = 'SELECT count(*)::VARCHAR FROM range(1000000000000) one(i) WHERE i % 7 = 3'

async function open(t: Test) {
  const folders = [join(tmpdir(), 'keelson-engine-test')]
  const module = (await installedDuckDB.load()) as DuckDBModule
  const engine = createEngine(module, { folders, memoryMb: 64, threads: 1 })
  t.teardown(() => engine.close())
  return engine
}

test('a statement ends with its signal, and others go on', async (t) => {
  const engine = await open(t)
  const request = new AbortController()
  const read = engine.use((session) => session.texts(ENDLESS), request.signal)
  const other = engine.use((session) => session.texts("SELECT 'here'"))
  t.same(await other, ['here'])
  request.abort(new Error('the request is gone'))
  await t.rejects(read, { message: 'the request is gone' })
  await t.rejects(
    engine.use((session) => session.texts("SELECT 'later'"), request.signal),
    { message: 'the request is gone' }
  )
  t.same(await engine.use((session) => session.texts("SELECT 'again'")), ['again'])
})

test('files outside of its folders and other extensions are refused', async (t) => {
  const engine = await open(t)
  const refused = [
    "SELECT content FROM read_text('/etc/hostname')",
    "COPY (SELECT 1) TO '/tmp/outside.csv'",
    'INSTALL httpfs',
    "SET memory_limit = '8GB'",
    "ATTACH '/tmp/outside.db'"
  ]
  for (const sql of refused)
    await t.rejects(
      engine.use((session) => session.texts(sql)),
      sql
    )
})
