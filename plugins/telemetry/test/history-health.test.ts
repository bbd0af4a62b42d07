// What `/health/plugins`, and so `keelson doctor`, says of history: damaged and missing segments, a cache that cannot be written.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePlugin, type Host } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import { Binary } from 'mongodb'
import { type Test, test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { telemetryHandle } from '../handle.ts'
import { internalsOf } from '../internals.ts'
import telemetryPlugin from '../plugin.ts'
import type { Telemetry } from '../telemetry.ts'
import { HISTORY_SPEC, recordAt, writeRecords } from './history-rows.ts'

const DAY = 86_400_000
const SEAL_EVERY = 5 * 60_000

async function open(t: Test, cacheDir: string) {
  let store: Telemetry | undefined
  const user = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'user',
      name: 'User',
      version: '0.1.0',
      kernel: '^1.0.0',
      description: 'Uses the store.',
      license: 'MIT',
      requires: { telemetry: '^0.1.0' },
      uses: ['telemetry.store/v1']
    },
    register(host: Host) {
      store = host.use(telemetryHandle)
    }
  })
  const host = await createTestHost({
    plugin: telemetryPlugin,
    config: { registry: HISTORY_SPEC, history: { cacheDir, threads: 1 } },
    plugins: [user]
  })
  t.teardown(() => host.close())
  if (store === undefined) throw new Error('no store')
  const telemetry = store
  const start = host.clock.now().getTime() - 6 * DAY
  await writeRecords(
    telemetry,
    Array.from({ length: 40 }, (_, n) => recordAt(n, start))
  )
  const checked = async () => {
    const found = (await host.health()).find(({ id }) => id === 'telemetry')
    return found?.checks?.find(({ name }) => name === 'history')
  }
  const range = { from: new Date(start - DAY), to: new Date(start + 9 * DAY) }
  return { host, telemetry, checked, range }
}

async function openFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-history-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('the job seals by default, and health names the times of damaged and of missing segments', async (t) => {
  const { host, telemetry, checked } = await open(t, await openFolder(t))
  await host.clock.advance(SEAL_EVERY)
  t.equal((await telemetry.historyUse()).sealedRows, 40)
  t.match(await checked(), { state: 'ok' })
  const parts = host.db.collection('telemetry_segments')
  const damage = [
    () =>
      parts.updateMany(
        { segment: { $exists: true } },
        { $set: { data: new Binary(Buffer.from('x')) } }
      ),
    () => parts.deleteMany({ segment: { $exists: true } })
  ]
  for (const act of damage) {
    await act()
    await host.clock.advance(SEAL_EVERY)
    t.match(await checked(), {
      state: 'failing',
      reason: /^Sealed records are missing or damaged, from .* to .*restore them from a backup/
    })
  }
})

test('health names a cache that cannot be written, while records are sealed and read', async (t) => {
  const file = join(await openFolder(t), 'file')
  await writeFile(file, '')
  const { host, telemetry, checked, range } = await open(t, join(file, 'cache'))
  await host.clock.advance(SEAL_EVERY)
  t.equal((await telemetry.historyUse()).sealedRows, 40)
  const queries = createQueries({ telemetry, cacheMs: 0 })
  const { items, truncated } = await queries.records('*', { ...range, limit: 200 })
  t.same([items.length, truncated], [40, false])
  t.match(await checked(), { state: 'degraded', reason: /cannot be written.*history\.cacheDir/ })
  t.same(internalsOf(telemetry).history.damage(), [])
})
