// A plugin with a route of each band that asks who is looking; the routes answer the viewer.
import { samplePlugin } from './fake-host.ts'
import { sampleRoute } from './sample-manifest.ts'

/** `/open` and `/anonymous` are public, `/mine` is for viewers, `/admin` for administrators. */
export const guarded = samplePlugin(
  'alpha',
  {
    routes: [
      sampleRoute('GET', '/open'),
      sampleRoute('GET', '/anonymous'),
      sampleRoute('GET', '/mine', { auth: 'viewer' }),
      sampleRoute('POST', '/mine', { auth: 'viewer' }),
      sampleRoute('GET', '/admin', { auth: 'admin' })
    ]
  },
  {
    register(host) {
      const handler = async (_request: unknown, _reply: unknown, context: { viewer: unknown }) =>
        context.viewer ?? {}
      host.route({ method: 'GET', path: '/open', viewer: 'optional', handler })
      host.route({ method: 'GET', path: '/anonymous', handler })
      for (const path of ['/mine', '/admin']) host.route({ method: 'GET', path, handler })
      host.route({ method: 'POST', path: '/mine', handler })
    }
  }
)
