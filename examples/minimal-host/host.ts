// The smallest host: a Fastify app, the kernel, one plugin. Start it, then open /hello.
import keelson from '@keelson/kernel'
import { definePlugin } from '@keelson/sdk'
import Fastify from 'fastify'

const hello = definePlugin({
  manifest: {
    manifestVersion: 1,
    id: 'hello',
    name: 'Hello',
    version: '1.0.0',
    kernel: '^1.0.0',
    description: 'Counts its visitors.',
    license: 'MIT',
    routes: [{ method: 'GET', path: '/', auth: 'public', summary: 'Greets and counts.' }],
    collections: [{ name: 'hello_visits', indexes: [] }]
  },
  register(host) {
    const visits = host.collection('hello_visits')
    host.route({
      method: 'GET',
      path: '/',
      handler: async () => {
        await visits.insertOne({ at: host.clock.now() })
        return { hello: 'world', visits: await visits.countDocuments() }
      }
    })
  }
})

const app = Fastify({ logger: { level: 'warn' }, requestTimeout: 60_000 })
await app.register(keelson, {
  config: { storage: { dataDir: '.keelson' }, plugins: { hello: { enabled: true } } },
  plugins: [hello]
})
console.log(await app.listen({ port: Number(process.env['PORT'] || 3001) }))
process.once('SIGTERM', () => app.close())
process.once('SIGINT', () => app.close())
