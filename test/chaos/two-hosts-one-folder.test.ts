// Two hosts on one data folder share the engine; killing the one that started it costs the other nothing.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { startHost } from '../hosts/processes.ts'
import { idsAt, write } from '../hosts/requests.ts'

test('a second host on a data folder shares the engine, also after the first was killed', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-chaos-'))
  const first = await startHost({ dataDir })
  const second = await startHost({ dataDir })
  t.teardown(async () => {
    await Promise.all([first.kill(), second.kill()])
    await rm(dataDir, { recursive: true, force: true, maxRetries: 40, retryDelay: 500 })
  })
  t.equal(await write(first.url, 'by-the-first'), undefined)
  t.ok((await idsAt(second.url, '/rows')).has('by-the-first'), 'the second reads it')
  await first.kill()
  t.equal(await write(second.url, 'after-the-kill'), undefined)
  const rows = await idsAt(second.url, '/rows')
  t.ok(rows.has('by-the-first') && rows.has('after-the-kill'))
  t.equal(await second.stop(), 0)
})
