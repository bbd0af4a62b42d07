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

test('every connection keeps what files say of themselves, and none their bytes', async (t) => {
  const engine = await open(t)
  const settings = ['parquet_metadata_cache', 'enable_external_file_cache', 'TimeZone']
  const sql = `SELECT concat_ws(' ', ${settings.map((name) => `current_setting('${name}')`).join(', ')})`
  for (const _turn of [1, 2]) {
    t.same(await engine.use((session) => session.texts(sql)), ['true false UTC'])
  }
})

test('lists of numbers and of texts, flags and empty cells are read as they are', async (t) => {
  const engine = await open(t)
  const sql =
    "SELECT i % 2 = 0, CASE WHEN i = 1 THEN 'one' END, (i / 2)::DOUBLE, list_transform(range(i * 40), lambda x: x::DOUBLE), list_transform(range(i), lambda x: 'n' || x) FROM range(3) one(i) ORDER BY i"
  const rows = await engine.use((session) => session.rows(sql, [], (cells) => [...cells]))
  const numbers = (length: number) => Array.from({ length }, (_, at) => at)
  t.same(
    rows.map((cells) => cells.map((cell) => (cell instanceof Float64Array ? [...cell] : cell))),
    [
      [true, null, 0, [], []],
      [false, 'one', 0.5, numbers(40), ['n0']],
      [true, null, 1, numbers(80), ['n0', 'n1']]
    ]
  )
  t.ok(rows[2]?.[3] instanceof Float64Array, 'a long list is not one object for each number')
})
