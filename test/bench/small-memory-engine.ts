// A process with an engine that opens its file anew as often as it can. With KEELSON_KEEP_FREE_LIST=1 it keeps
// LMDB's list of free pages between transactions, as lmdb-js does by default.

const [dataDir = '', listen = ''] = process.argv.slice(2)

const load = (path: string) =>
  import(new URL(`../../../local-mongo/dist/${path}`, import.meta.url).href)
const { openEngine } = await load('engine/open.js')
const { startServer } = await load('server/server.js')
if (process.env['KEELSON_KEEP_FREE_LIST'] === '1') {
  const { ROOT_OPTIONS } = await load('storage/databases.js')
  ROOT_OPTIONS.maxFreeSpaceToRetain = 75_000
}
// Less than any process has: pages are let go whenever enough are mapped.
const engine = await openEngine(dataDir, { mostResident: 1 })
const endpoint = { kind: 'socket', path: listen }
const server = await startServer({ engine, endpoint, log: () => {} })
process.on('SIGTERM', async () => {
  await server.close()
  await engine.close()
  process.exit(0)
})
process.stdin.once('close', () => process.exit(0)).resume()
console.log('ready')
