// One trivial route, on bare Fastify or on the kernel; says its address to the parent process.
import keelson from '@keelson/kernel'
import { definePlugin } from '@keelson/sdk'
import Fastify from 'fastify'
import { Type } from 'typebox'

const [kind = 'bare', dataDir = '.'] = process.argv.slice(2)
const app = Fastify()
const answer = { hello: 'world' }
const schema = { response: { 200: Type.Object({ hello: Type.String() }) } }

if (kind === 'bare') {
  app.get('/trivial', { schema }, async () => answer)
} else {
  const trivial = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'trivial',
      name: 'Trivial',
      version: '1.0.0',
      kernel: '^1.0.0',
      description: 'One route.',
      license: 'MIT',
      mount: '/',
      routes: [{ method: 'GET', path: '/trivial', auth: 'public', summary: 'Answers.' }]
    },
    register: (host) => {
      host.route({ method: 'GET', path: '/trivial', schema, handler: async () => answer })
    }
  })
  await app.register(keelson, {
    config: { storage: { dataDir }, plugins: { trivial: { enabled: true } } },
    plugins: [trivial]
  })
}
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.(`${address}/trivial`)
process.once('SIGTERM', () => {
  void app.close().then(() => process.exit(0))
})
