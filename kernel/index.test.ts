// A whole host on the built-in engine.
import { definePlugin, type Host } from '@keelson/sdk'
import Fastify from 'fastify'
import { test } from 'tap'
import keelson, { KERNEL_API, kernelOf } from './index.ts'
import { heldEngineFolder } from './storage/testing/held-engine.ts'
import { sampleManifest, sampleRoute } from './testing/sample-manifest.ts'

interface Note {
  readonly _id: string
}

/** A plugin that hands out its host. */
function noting() {
  const seen: { host?: Host } = {}
  const plugin = definePlugin({
    manifest: sampleManifest('notes', {
      routes: [sampleRoute('GET', '/count')],
      collections: [{ name: 'notes', indexes: [{ name: 'by_at', keys: { at: 1 } }] }]
    }),
    register(host) {
      seen.host = host
      const notes = host.collection<Note>('notes')
      host.route({
        method: 'GET',
        path: '/count',
        handler: async () => ({ notes: await notes.countDocuments({}) })
      })
    }
  })
  return { plugin, seen }
}

test('a plugin serves from a database that was made as declared', async (t) => {
  const { plugin, seen } = noting()
  const app = Fastify()
  t.teardown(() => app.close())
  const storage = { dataDir: await heldEngineFolder(), database: 'kernel_whole' }
  await app.register(keelson, { config: { storage }, plugins: [plugin] })
  await app.ready()
  const { host } = seen
  if (host === undefined) throw new Error('the plugin was not registered')
  t.match(kernelOf(app).storage.description, 'engine')
  t.ok((await host.collection('notes').indexes()).some(({ name }) => name === 'by_at'))
  await host.withTransaction((session) =>
    host.collection<Note>('notes').insertOne({ _id: 'one' }, { session })
  )
  const aborted = host.withTransaction(async (session) => {
    await host.collection<Note>('notes').insertOne({ _id: 'two' }, { session })
    throw new Error('changed our mind')
  })
  await t.rejects(aborted, /changed our mind/)
  t.same((await app.inject('/notes/count')).json(), { notes: 1 })
  const { payload } = await app.inject('/metrics')
  t.match(payload, /keelson_db_commands_total\{plugin="notes",command="insert"\} [1-9]/)
  await kernelOf(app).storage.db.dropDatabase()
})

test('the API that plugins are held to has a version', async (t) => {
  t.equal(KERNEL_API, '1.0.0')
})
