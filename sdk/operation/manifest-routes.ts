// The entries of plugin.json that operations are: written by the build, compared at start. Pure.
import type { ManifestRoute } from '../manifest/schema.ts'
import type { Operation } from './operation.ts'

type Facts = Omit<Operation<never>, 'run'>

/** The entry of one operation. */
export function manifestRouteOf(operation: Facts): ManifestRoute {
  const { id, method, path, base, access, effect, summary, rateLimit, bodyLimit, upload } =
    operation
  const { auth, permission, scopes, tenants } = access
  return {
    id,
    method,
    ...(base === undefined ? { path } : { at: `${base}${path}` }),
    auth,
    ...(permission !== undefined && { permission }),
    ...(scopes !== undefined && { scopes: [...scopes] }),
    ...(tenants !== undefined && { tenants }),
    effect,
    ...(rateLimit !== undefined && { rateLimit }),
    ...(bodyLimit !== undefined && { bodyLimit }),
    ...(upload?.kind === 'form' && { multipart: true }),
    summary
  }
}

/** How plugin.json and the code differ in one operation. */
export interface OperationDrift {
  readonly id: string
  /** Where in plugin.json, as `routes[3].effect`; `routes` for an operation that is missing there. */
  readonly path: string
  /** What is wrong, as the rest of a sentence. */
  readonly problem: string
}

/** Where the entries with an id and the operations of the code differ, both ways; empty when they agree. */
export function operationDrift(
  routes: readonly ManifestRoute[],
  operations: readonly Facts[]
): readonly OperationDrift[] {
  const entries = new Map(
    routes.flatMap((route, index) =>
      route.id === undefined ? [] : [[route.id, { route, path: `routes[${index}]` }] as const]
    )
  )
  const ids = new Set(operations.map(({ id }) => id))
  const missing = operations.flatMap((operation) => {
    const entry = entries.get(operation.id)
    if (entry === undefined)
      return { id: operation.id, path: 'routes', problem: 'is missing in plugin.json' }
    return fieldDrift(operation, entry.route, entry.path)
  })
  const strange = [...entries].flatMap(([id, { path }]) =>
    ids.has(id) ? [] : { id, path, problem: 'is no operation of the code' }
  )
  return [...missing, ...strange]
}

function fieldDrift(
  operation: Facts,
  route: ManifestRoute,
  path: string
): readonly OperationDrift[] {
  const wanted = Object.entries(manifestRouteOf(operation))
  const given = new Map(Object.entries(route))
  const keys = new Set([...wanted.map(([key]) => key), ...given.keys()])
  const byKey = new Map(wanted)
  return [...keys].flatMap((key) => {
    const [own, declared] = [JSON.stringify(byKey.get(key)), JSON.stringify(given.get(key))]
    if (own === declared) return []
    const problem = `is ${declared ?? 'missing'} in plugin.json and ${own ?? 'not given'} in the code`
    return { id: operation.id, path: `${path}.${key}`, problem }
  })
}

/** The routes of plugin.json with the entries of operations as the code has them: others stay, first. */
export function withOperations(
  routes: readonly ManifestRoute[],
  operations: readonly Facts[]
): readonly ManifestRoute[] {
  return [...routes.filter(({ id }) => id === undefined), ...operations.map(manifestRouteOf)]
}
