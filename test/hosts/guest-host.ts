// An app of one route, and with `storage` the platform beside it with eleven plugins. A measurement runs it.
import Fastify from 'fastify'

const { storage } = JSON.parse(process.argv[2] ?? '{}') as { readonly storage?: { uri: string } }

/** Each needs these alone. */
const settings = {
  telemetry: {
    mount: '/ingest',
    config: { registry: { 'page.viewed': { kind: 'event', attrs: ['path'] } } }
  },
  'telemetry-dashboard': { mount: '/telemetry' },
  oauth: {
    mount: '/oauth',
    config: {
      issuer: 'http://127.0.0.1:3000',
      resources: [
        { id: '/mcp', label: 'Tools', scopes: ['telemetry:read', 'mail:read', 'mail:write'] }
      ],
      scopes: [
        { id: 'telemetry:read', label: 'Read telemetry' },
        { id: 'mail:read', label: 'Read mails' },
        { id: 'mail:write', label: 'Write mails' }
      ],
      defaultScopes: ['telemetry:read']
    }
  },
  mailer: {
    mount: '/m',
    config: {
      publicUrl: 'http://127.0.0.1:3000',
      unsubscribeSecret: 'the secret of a measurement',
      senderAddress: 'Acme, 1 Main Street',
      fromDefaults: { name: 'Acme', email: 'hello@acme.test' },
      defaultProvider: 'smtp',
      providers: { smtp: { url: 'smtp://127.0.0.1:2525' } }
    }
  },
  agent: {
    mount: '/agent',
    config: { tokens: [{ token: 'a token of a measurement', actor: 'agent:demo' }] }
  },
  'circuit-breaker': {},
  'list-hygiene': {},
  'block-lists': {},
  postmaster: {},
  snds: {},
  dmarc: {}
}

const app = Fastify({ logger: { level: 'warn', stream: process.stderr } })
app.get('/', () => 'the app')
if (storage !== undefined) {
  const { default: keelson } = await import('@keelson/kernel')
  await app.register(keelson, {
    config: { storage, plugins: settings },
    resolveViewer: () => ({ tenantId: '*', role: 'admin', viewerRef: 'user:u1' })
  })
}
process.once('SIGTERM', () => {
  void app.close().then(() => process.exit(0))
})
process.on('message', () => process.send?.(process.memoryUsage()))
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
