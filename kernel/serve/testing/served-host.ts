// A host for tests of `keelson serve`: two plugins, one switched off, and a route that takes its time.
import Fastify from 'fastify'
import keelson from '../../index.ts'

const app = Fastify({ logger: { level: 'warn', stream: process.stderr } })
app.get('/slow', async (request) => {
  await new Promise((resolve) => setTimeout(resolve, Number((request.query as { ms?: string }).ms)))
  return { pid: process.pid }
})
app.get('/pid', async () => ({ pid: process.pid }))
await app.register(keelson, { config: process.env['KEELSON_CONFIG'] ?? '' })
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.once('SIGTERM', () => void app.close())
