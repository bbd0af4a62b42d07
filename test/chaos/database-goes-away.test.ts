// A database that goes away for 30 s and comes back: readiness says so, nothing acknowledged is lost.
// Runs beside the others: it waits for much of its time.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'tap'
import { freePort, startEngine, startHost, until } from '../hosts/processes.ts'
import { idsAt, readiness, startWriting, write } from '../hosts/requests.ts'

const AWAY_MS = 30_000

test('a host lives through 30 s without its database', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-chaos-'))
  const port = await freePort()
  const engine = await startEngine(dataDir, port)
  const host = await startHost({ uri: engine.uri })
  t.teardown(async () => {
    await host.kill()
    await engine.kill()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 40, retryDelay: 500 })
  })
  const writer = startWriting(host.url, 'before')
  await until('writes', 20_000, async () => (writer.acknowledged.length > 50 ? true : undefined))
  await engine.kill()
  await until('readiness turning red', 25_000, async () =>
    (await readiness(host.url)) === 503 ? true : undefined
  )
  t.equal((await fetch(`${host.url}/health/live`)).status, 200, 'it still lives')
  await delay(AWAY_MS)
  t.equal(host.child.exitCode, null, 'it did not end')
  const back = await startEngine(dataDir, port)
  t.teardown(() => back.kill())
  await until('readiness turning green', 30_000, async () =>
    (await readiness(host.url)) === 200 ? true : undefined
  )
  t.equal(await write(host.url, 'after'), undefined)
  await writer.stop()
  const rows = await idsAt(host.url, '/rows')
  t.same(
    writer.acknowledged.filter((id) => !rows.has(id)),
    []
  )
  await until('the queue going on', 60_000, async () =>
    (await idsAt(host.url, '/done')).has('after') ? true : undefined
  )
  t.equal(await host.stop(), 0)
})
