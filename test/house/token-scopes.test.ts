// Which routes of our plugins access tokens open: those of embeddable pages, and a reading scope opens no change.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'

interface Route {
  readonly id?: string
  readonly method: string
  readonly path?: string
  readonly at?: string
  readonly auth: string
  readonly effect?: string
  readonly scopes?: readonly string[]
}

interface Manifest {
  readonly id: string
  readonly routes?: readonly Route[]
  readonly pages?: readonly { readonly id: string; readonly embed?: boolean }[]
}

// Seen from test/dist/house.
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..')

const manifests = ['plugins', 'plugins/deliverability', 'examples', 'examples/platform']
  .flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => join(parent, name)))
  .filter((folder) => existsSync(join(ROOT, folder, 'plugin.json')))
  .map((folder) => ({
    isOurs: folder.startsWith('plugins'),
    ...(JSON.parse(readFileSync(join(ROOT, folder, 'plugin.json'), 'utf8')) as Manifest)
  }))

const routes = manifests.flatMap(({ id: plugin, routes = [], pages = [], isOurs }) =>
  routes.map((route) => ({
    ...route,
    plugin,
    isOurs,
    key: route.id ?? `${route.method} ${route.at ?? route.path}`,
    isOfPages: pages.length > 0,
    isForPeople: route.auth === 'viewer' || route.auth === 'admin'
  }))
)

const changes = ({ method, effect }: Route): boolean =>
  effect === undefined ? method !== 'GET' : effect !== 'read'

/** Why routes of a plugin with pages take a session alone: by how their key, or `plugin key`, begins. */
const SESSION_ONLY: Readonly<Record<string, string>> = {
  agent: 'A token would make or change other tokens.',
  oauth: 'A token would show, extend or end what tokens may do; consent needs the person.',
  platform: 'Its page cannot be embedded: plugins and their settings are changed with a session.',
  'telemetry-dashboard telemetry-dashboard.keys.': 'A key outlives the token that makes it.',
  'telemetry-dashboard telemetry-dashboard.subjects.erase': 'Nothing takes an erasure back.'
}

test('routes that the embeddable pages of our plugins call take tokens, or say why not', (t) => {
  const used = new Set<string>()
  const unexplained = routes
    .filter(({ isOurs, isOfPages, isForPeople }) => isOurs && isOfPages && isForPeople)
    .filter(({ scopes = [] }) => scopes.length === 0)
    .filter(({ plugin, key }) => {
      const reason = Object.keys(SESSION_ONLY).find(
        (start) => start === plugin || `${plugin} ${key}`.startsWith(start)
      )
      if (reason !== undefined) used.add(reason)
      return reason === undefined
    })
    .map(({ plugin, key }) => `${plugin} ${key}`)
  t.same(unexplained, [])
  t.same([...used].sort(), Object.keys(SESSION_ONLY).sort(), 'each reason has a route')
  t.end()
})

test('no scope that opens reading alone opens a change, over all plugins', (t) => {
  const people = routes.filter(({ isForPeople, scopes = [] }) => isForPeople && scopes.length > 0)
  const [changing, reading] = [people.filter(changes), people.filter((route) => !changes(route))]
  t.ok(changing.length > 50 && reading.length > 50)
  const held = new Set(
    reading.flatMap(({ scopes = [] }) => scopes).filter((one) => /:read$/.test(one))
  )
  t.same([...held].sort(), ['mail:read', 'telemetry:read'])
  t.same(
    changing
      .filter(({ scopes = [] }) => scopes.every((one) => held.has(one)))
      .map(({ key }) => key),
    []
  )
  const writes = new Set(changing.flatMap(({ scopes = [] }) => scopes))
  t.same([...writes].sort(), ['mail:write', 'telemetry:write'])
  t.end()
})
