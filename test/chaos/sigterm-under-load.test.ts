// SIGTERM under load: requests in hand are answered, what was acknowledged is there at the next start.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { startHost, until } from '../hosts/processes.ts'
import { idsAt, startWriting } from '../hosts/requests.ts'

test('a host stopped under load loses nothing it acknowledged and ends with 0', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-chaos-'))
  const host = await startHost({ dataDir })
  t.teardown(async () => {
    await host.kill()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 40, retryDelay: 500 })
  })
  const writer = startWriting(host.url, 'load')
  await until('some writes', 20_000, async () =>
    writer.acknowledged.length > 100 ? true : undefined
  )
  t.equal(await host.stop(), 0)
  await writer.stop()
  const again = await startHost({ dataDir })
  t.teardown(() => again.kill())
  const rows = await idsAt(again.url, '/rows')
  t.same(
    writer.acknowledged.filter((id) => !rows.has(id)),
    []
  )
  const handled = await until('every queued item handled', 60_000, async () => {
    const done = await idsAt(again.url, '/done')
    return writer.acknowledged.every((id) => done.has(id)) ? done : undefined
  })
  t.ok(handled.size >= writer.acknowledged.length)
})
