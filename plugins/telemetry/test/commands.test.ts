// keelson telemetry forget and usage, without a running host.
import { type CommandHost, type PluginCommand, runTransaction } from '@keelson/sdk'
import { testDatabase } from '@keelson/sdk/testing'
import type { ClientSession, Document } from 'mongodb'
import { test } from 'tap'
import commands from '../commands/commands.ts'
import { createTelemetry } from '../create-telemetry.ts'
import { completeErasures } from '../erasure/requests.ts'
import { rememberRegistry } from '../storage/remember-registry.ts'
import type { StorageCollections } from '../storage/storage.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

async function open(t: Parameters<typeof testDatabase>[0], config: object = { pepper: 'p' }) {
  const { db, client } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: db, pepper: 'p' })
  await telemetry.syncIndexes()
  const collections = telemetry.collections as unknown as StorageCollections
  const host = {
    id: 'telemetry',
    config,
    log: { info: () => undefined },
    clock: { now: () => new Date() },
    collection: (name: string) => db.collection(name),
    withTransaction: <T>(fn: (session: ClientSession) => Promise<T>) => runTransaction(client, fn)
  } as unknown as CommandHost
  const run = (name: string, args: readonly string[] = [], options = {}) => {
    const command = commands.find((one) => one.name === name) as PluginCommand
    return command.run(host, { args, options, signal: new AbortController().signal })
  }
  return { db, telemetry, collections, run }
}

const emitOne = (telemetry: ReturnType<typeof createTelemetry>, id: string) =>
  telemetry.emit('account.activated', { tenantId: 'acme', subjects: [{ type: 'user', id }] })

test('forget erases with the names that the last host knew, and a running host completes it', async (t) => {
  const { db, telemetry, collections, run } = await open(t)
  await emitOne(telemetry, 'u7700')
  await telemetry.flush()
  await collections.checkpoints.deleteOne({ _id: '$registry' })
  await t.rejects(run('forget', ['acme', 'user:u7700']), { code: 'TEL_NEVER_STARTED' })
  await rememberRegistry(collections, telemetry.registry, new Date())
  const views = db.collection<{ _id: string } & Document>('telemetry_views')
  await views.insertOne({ _id: 'v', tenantId: 'acme', ownerRef: 'user:u7700', shared: false })
  const answer = await run('forget', ['acme', 'user:u7700'])
  t.match(answer, { json: { deleted: 1, rollups: 1 }, text: /still name the subject: 0/ })
  t.notMatch(JSON.stringify(answer), /u7700/)
  t.equal(await views.countDocuments(), 1)
  t.equal(await completeErasures(telemetry, collections), 1)
  t.equal(await views.countDocuments(), 0)
  t.equal(await completeErasures(telemetry, collections), 0)
})

test('forget says what is wrong with its use', async (t) => {
  const { telemetry, collections, run } = await open(t)
  await rememberRegistry(collections, telemetry.registry, new Date())
  t.match(await run('forget', ['acme']), { wrongUse: /tenant and the subject/ })
  t.match(await run('forget', ['acme', 'u7700']), { wrongUse: /subject ref/ })
  t.match(await run('forget', ['*', 'user:u7700']), { wrongUse: /whole platform/ })
})

test('usage shows what each collection holds, and how long each kind is kept', async (t) => {
  const { telemetry, run } = await open(t, { retention: { error: 30, event: null } })
  await emitOne(telemetry, 'u1')
  await telemetry.flush()
  const answer = await run('usage')
  const { json, text } = answer as { json: unknown; text: string }
  const { collections, kinds } = json as Awaited<ReturnType<typeof telemetry.storageUse>>
  const rows = (collections as readonly Document[]).find(({ name }) => name === 'telemetry')
  t.match(rows, { documents: 1, indexes: Number })
  t.ok(Number(rows?.['bytes']) > 0)
  t.same(
    kinds.map(({ kind, records, retentionDays }) => [kind, records, retentionDays]),
    [
      ['event', 1, null],
      ['error', 0, 30],
      ['span', 0, 90],
      ['state', 0, 730],
      ['usage', 0, null]
    ]
  )
  t.match(text, /telemetry_rollups {2}\d+ documents/)
  t.match(await run('usage', [], { tenant: 'globex' }), { json: { kinds: [{ records: 0 }] } })
})

test('backfill recounts the families that the last host knew, and names what it cannot', async (t) => {
  const { db, telemetry, run } = await open(t)
  await emitOne(telemetry, 'u1')
  await telemetry.flush()
  await db.collection('telemetry_rollups').deleteMany({ as: 'activated' })
  const answer = await run('backfill', [], { family: 'activated' })
  t.match(answer, {
    json: { items: [{ family: 'activated', documents: 1, isDone: true }] },
    text: /activated: 1 documents made or corrected from 1 records/
  })
  t.equal(await db.collection('telemetry_rollups').countDocuments({ as: 'activated' }), 1)
  t.match(await run('backfill', [], { family: 'none' }), { wrongUse: /no rollup family "none"/ })
  t.match(await run('backfill', [], { from: 'soon' }), { wrongUse: /must be times/ })
})

test('regroup says what it would do, does it, and takes one tenant', async (t) => {
  const { telemetry, run } = await open(t)
  for (const tenantId of ['acme', 'globex']) {
    await telemetry.emit('app.error', {
      tenantId,
      error: { type: 'E', message: 'm', fingerprint: '00000000000000aa' }
    })
  }
  await telemetry.flush()
  t.match(await run('regroup', [], { 'dry-run': true }), {
    json: { dryRun: true, records: 2, moved: 2 },
    text: /2 of 2 error records would move .*Nothing was changed/s
  })
  t.match(await run('regroup', [], { tenant: 'acme' }), { json: { records: 1, moved: 1 } })
  t.match(await run('regroup'), {
    json: { dryRun: false, records: 2, moved: 1 },
    text: /^1 of 2 error records moved to another issue\./
  })
})
