// What is wrong with the scopes of a declared route: reading gives no power to change. Pure.
import type { ManifestRoute } from '@keelson/sdk'

type Route = Pick<ManifestRoute, 'id' | 'method' | 'auth' | 'effect' | 'scopes'>

/** The rest of a sentence about `scopes` of a route; undefined when they are right. */
export function scopeProblem(route: Route): string | undefined {
  const { id, auth, scopes = [] } = route
  if (scopes.length === 0)
    return auth === 'bearer' ? 'is missing: the route is of band bearer' : undefined
  const isForPeople = auth === 'viewer' || auth === 'admin'
  if (auth !== 'bearer' && !isForPeople && id === undefined)
    return `names scopes, but the route is of band ${auth}`
  // A bearer route that is not an operation may ask for other scopes at each request.
  const isChecked = isForPeople || id !== undefined
  if (!isChecked || !changes(route) || !scopes.every(isForReading)) return undefined
  return `names only scopes for reading (${scopes.join(', ')}), but the route changes something`
}

const changes = ({ method, effect }: Route): boolean =>
  effect === undefined ? method !== 'GET' && method !== 'HEAD' : effect !== 'read'

/** `orders:read`, and a name without a verb such as `email`. */
const isForReading = (scope: string): boolean =>
  !/[:./]/.test(scope) || /[:./_-]read(-?only)?$/i.test(scope)
