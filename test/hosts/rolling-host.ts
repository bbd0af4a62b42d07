// A host with one plugin from a folder; says its address to the parent process.
import keelson from '@keelson/kernel'
import Fastify from 'fastify'

const { storage, folder } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly storage: { readonly uri: string; readonly database: string }
  readonly folder: string
}

const app = Fastify({ logger: { level: 'warn', stream: process.stderr } })
await app.register(keelson, { config: { storage, plugins: { days: { package: folder } } } })
process.once('SIGTERM', () => {
  void app.close().then(() => process.exit(0))
})
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
