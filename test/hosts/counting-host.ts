// A host with one plugin that writes and counts; says its address to the parent process.
import keelson from '@keelson/kernel'
import { definePlugin } from '@keelson/sdk'
import Fastify from 'fastify'

const storage = JSON.parse(process.argv[2] ?? '{}') as { dataDir?: string; uri?: string }

const counting = definePlugin({
  manifest: {
    manifestVersion: 1,
    id: 'counting',
    name: 'Counting',
    version: '1.0.0',
    kernel: '^1.0.0',
    description: 'Writes a row for each request.',
    license: 'MIT',
    mount: '/',
    routes: [
      { method: 'POST', path: '/rows/:id', auth: 'public', summary: 'Writes a row.' },
      { method: 'GET', path: '/rows', auth: 'public', summary: 'Lists the ids of the rows.' },
      { method: 'GET', path: '/done', auth: 'public', summary: 'Lists the handled items.' }
    ],
    collections: [
      { name: 'counting_rows', indexes: [] },
      { name: 'counting_items', indexes: [] },
      { name: 'counting_done', indexes: [] }
    ],
    // A short lease: tests wait until the items of a killed host are free again.
    queues: [{ name: 'items', collection: 'counting_items', leaseSeconds: 2, batch: 20 }]
  },
  register(host) {
    const rows = host.collection<{ _id: string; at: Date }>('counting_rows')
    const done = host.collection<{ _id: string; times: number }>('counting_done')
    const queue = host.queue('items', async (item) => {
      await done.updateOne({ _id: item._id }, { $inc: { times: 1 } }, { upsert: true })
    })
    host.route({
      method: 'POST',
      path: '/rows/:id',
      handler: async (request) => {
        const { id } = request.params as { id: string }
        await rows.updateOne({ _id: id }, { $set: { at: host.clock.now() } }, { upsert: true })
        await queue.add([{ _id: id }])
        return { id }
      }
    })
    host.route({
      method: 'GET',
      path: '/rows',
      handler: async () => ({ ids: (await rows.find().toArray()).map(({ _id }) => _id) })
    })
    host.route({
      method: 'GET',
      path: '/done',
      handler: async () => ({ ids: (await done.find().toArray()).map(({ _id }) => _id) })
    })
  }
})

const app = Fastify({ logger: { level: 'warn', stream: process.stderr } })
await app.register(keelson, {
  config: { storage, plugins: { counting: { enabled: true } } },
  plugins: [counting]
})
process.once('SIGTERM', () => {
  void app.close().then(() => process.exit(0))
})
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
