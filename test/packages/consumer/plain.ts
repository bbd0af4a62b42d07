// The factories of the packages on a plain Fastify app, without the kernel.
import { createOAuthHost } from '@keelson/oauth'
import { createIngest, createTelemetry } from '@keelson/telemetry'
import { createDashboard } from '@keelson/telemetry-dashboard'
import Fastify, { type FastifyInstance } from 'fastify'
import type { MongoClient } from 'mongodb'

/** Starts the app on databases of the client. */
export async function startPlain(
  client: MongoClient
): Promise<{ readonly app: FastifyInstance; readonly url: string }> {
  const app = Fastify()
  const telemetry = createTelemetry({
    connection: client.db('packages_telemetry'),
    registry: { 'order.placed': { kind: 'event', subjects: ['user'] } }
  })
  await telemetry.syncIndexes()
  const resolveViewer = () => ({ tenantId: 'acme', role: 'admin' as const })
  const viewerAdapter = { resolveViewer }
  await app.register(createDashboard({ telemetry, mountPath: '/telemetry', viewerAdapter }), {
    prefix: '/telemetry'
  })
  await app.register(createIngest({ telemetry }), { prefix: '/ingest' })
  const oauth = createOAuthHost({
    issuer: 'http://127.0.0.1:3000',
    connection: client.db('packages_oauth'),
    resources: [{ id: 'http://127.0.0.1:3000/api', label: 'API', scopes: ['read'] }],
    scopes: ['openid', { id: 'read', label: 'Read your data' }],
    consentUrl: '/consent',
    loginUrl: '/login',
    resolveUser: () => ({ id: 'ada' }),
    loadUser: (id) => ({ id: String(id) }),
    signing: { autoGenerate: true }
  })
  await oauth.syncIndexes()
  await app.register(oauth.routes.discovery)
  await app.register(oauth.routes.oauth, { prefix: '/oauth' })
  app.get('/api/me', { preHandler: oauth.protect(['read']) }, async () => ({ ok: true }))
  await telemetry.emit('order.placed', {
    tenantId: 'acme',
    subjects: [{ type: 'user', id: 'ada' }]
  })
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) }
}
