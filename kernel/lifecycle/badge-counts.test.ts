// Numbers of the navigation: they come with it, for those who may read them.
import { operation, withOperations } from '@keelson/sdk'
import { Type } from '@keelson/sdk/typebox'
import { test } from 'tap'
import type { ShellOptions } from '../shell/page.ts'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'
import { sampleRoute } from '../testing/sample-manifest.ts'

/** Each answers what the test puts here. */
const answers: Record<string, () => unknown> = {}

const badge = (name: string, auth: 'viewer' | 'admin' = 'viewer') =>
  operation({
    id: `alpha.${name}.count`,
    method: 'GET',
    path: `/${name}/count`,
    summary: 'How many there are',
    access: { auth },
    effect: 'read',
    answer: Type.Object({ count: Type.Integer() }),
    run: (_input, { actor }) =>
      (answers[name]?.() ?? { count: actor.tenantId.length }) as { count: number }
  })

const operations = [badge('mine'), badge('all', 'admin'), badge('broken'), badge('slow')]
const BY_ROUTE = '/own/count'

const page = (id: string, path: string) => ({
  id,
  element: `alpha-${id}`,
  module: `./${id}.js`,
  title: id,
  role: 'viewer',
  nav: { section: 'S', badge: path }
})

const alpha = samplePlugin(
  'alpha',
  {
    routes: [...withOperations([], operations), sampleRoute('GET', BY_ROUTE, { auth: 'viewer' })],
    pages: [...operations.map(({ path }) => path), BY_ROUTE].map((path, at) => page(`p${at}`, path))
  },
  {
    operations,
    register(host) {
      host.serve(operations, host)
      host.route({ method: 'GET', path: BY_ROUTE, handler: () => ({ count: 9 }) })
    }
  }
)

test('numbers come with the navigation, to those who may read them, without those that fail or are slow', async (t) => {
  let shell: ShellOptions | undefined
  await fakeHost(t, {
    plugins: [alpha],
    seams: {
      registerShell: async (_app, options) => {
        shell = options
        return { placePages() {}, notFound: (_request, reply) => reply.code(404).send() }
      }
    }
  })
  const countsFor = async (viewer: { tenantId: string; role: string } | null) => {
    const routes = (await shell?.routesFor(viewer)) ?? []
    const counts = (await shell?.badgeCounts?.(viewer, routes)) ?? []
    return Object.fromEntries(counts.map(({ badge: path, count }) => [path, count]))
  }
  answers['broken'] = () => {
    throw new Error('no luck')
  }
  answers['slow'] = () => new Promise(() => undefined)
  const person = { tenantId: 'acme', role: 'viewer' }
  t.same(await countsFor(person), { '/mine/count': 4 })
  t.same(await countsFor({ ...person, role: 'admin' }), { '/mine/count': 4, '/all/count': 4 })
  t.same(await countsFor(null), {})
  answers['broken'] = () => ({ count: 7 })
  answers['slow'] = () => ({ count: 0 })
  t.same(await countsFor(person), { '/mine/count': 4, '/broken/count': 7, '/slow/count': 0 })
})
