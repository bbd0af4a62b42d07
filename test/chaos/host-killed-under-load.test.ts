// kill -9 of host and engine under load, again and again: nothing acknowledged is lost.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { freePort, startEngine, startHost, until } from '../hosts/processes.ts'
import { idsAt, startWriting } from '../hosts/requests.ts'

test('what a host acknowledged outlives kill -9 of host and engine', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-chaos-'))
  const port = await freePort()
  t.teardown(() => rm(dataDir, { recursive: true, force: true, maxRetries: 40, retryDelay: 500 }))
  const acknowledged: string[] = []
  for (let cycle = 0; cycle < 4; cycle++) {
    const engine = await startEngine(dataDir, port)
    const host = await startHost({ uri: engine.uri })
    const writer = startWriting(host.url, `cycle-${cycle}`)
    await until('writes', 20_000, async () => (writer.acknowledged.length > 50 ? true : undefined))
    await Promise.all([engine.kill(), host.kill()])
    await writer.stop()
    acknowledged.push(...writer.acknowledged)
  }
  const engine = await startEngine(dataDir, port)
  const host = await startHost({ uri: engine.uri })
  t.teardown(async () => {
    await host.kill()
    await engine.kill()
  })
  const rows = await idsAt(host.url, '/rows')
  t.same(
    acknowledged.filter((id) => !rows.has(id)),
    []
  )
  await until('every queued item handled', 60_000, async () => {
    const done = await idsAt(host.url, '/done')
    return acknowledged.every((id) => done.has(id)) ? true : undefined
  })
})
