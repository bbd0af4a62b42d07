// A host on the packages: the kernel with telemetry, dashboard, OAuth and a stranger's plugin.
import keelson, { keelsonOf } from '@keelson/kernel'
import { defineConfig } from '@keelson/sdk'
import { oauthProtect } from '@keelson/sdk/contracts/oauth-protect'
import Fastify, { type FastifyInstance } from 'fastify'
import greetings, { greeter } from './greetings.ts'

/** The viewer of each request: the app's own sign-in would be here. */
const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' } as const

/** Starts the platform; `storage` and `embedOrigins` come from who starts it. */
export async function startHost(
  uri: string,
  origins: string
): Promise<{ readonly app: FastifyInstance; readonly url: string }> {
  const app = Fastify()
  await app.register(keelson, {
    config: defineConfig({
      storage: { uri, database: 'packages_kernel' },
      auth: { embedOrigins: origins },
      plugins: {
        telemetry: {
          mount: '/ingest',
          config: { requestSpans: { tenantId: 'acme', service: 'packages' } }
        },
        'telemetry-dashboard': { mount: '/telemetry' },
        oauth: {
          config: {
            issuer: 'http://127.0.0.1:3000',
            adminTenants: ['acme'],
            resources: [{ id: '/api', scopes: ['read'] }],
            scopes: [{ id: 'openid' }, { id: 'read', label: 'Read your data' }]
          }
        },
        greetings: { config: { word: 'Ahoy' } }
      }
    }),
    plugins: [greetings],
    resolveViewer: () => viewer
  })
  const access = keelsonOf(app)
  app.get('/own', async () => ({ text: access.use(greeter).greet('host') }))
  app.get('/guarded', { preHandler: access.use(oauthProtect)(['read']) }, async () => 'in')
  // @ts-expect-error: `confg` is not an option
  void (() => app.register(keelson, { confg: {} }))
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) }
}
