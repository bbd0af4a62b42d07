// What a token reaches: its scopes, and the addresses that its routes open. Pure.

/** `mail:read` reads and simulates; `mail:write` does all the rest. */
export type AgentScope = 'mail:read' | 'mail:write'

/** Every scope there is. */
export const AGENT_SCOPES: readonly AgentScope[] = ['mail:read', 'mail:write']

/** What a token may do. */
export interface Reach {
  readonly scopes: readonly AgentScope[]
  /** Addresses below the mount that it may call, as `/templates/*`. Left out: all. */
  readonly routes?: readonly string[]
}

/** `mail:write` includes `mail:read`. */
export const holds = ({ scopes }: Pick<Reach, 'scopes'>, scope: string): boolean =>
  scopes.includes(scope as AgentScope) || (scope === 'mail:read' && scopes.includes('mail:write'))

/** A pattern that ends in `/*` stands for everything below it. */
export const coversPath = ({ routes }: Pick<Reach, 'routes'>, path: string): boolean =>
  routes === undefined || routes.some((route) => covers(route, path))

function covers(route: string, path: string): boolean {
  if (!route.endsWith('/*')) return route === path
  const base = route.slice(0, -2)
  return path === base || path.startsWith(`${base}/`)
}

/** Whether a token that reaches `wide` reaches all that `narrow` does. */
export function reachesAll(wide: Reach, narrow: Reach): boolean {
  if (!narrow.scopes.every((scope) => holds(wide, scope))) return false
  if (narrow.routes === undefined) return wide.routes === undefined
  return narrow.routes.every((route) => wide.routes?.some((one) => coversRoute(one, route)) ?? true)
}

/** What a pattern opens is below what it says before its star, which may be a star of an address itself. */
function coversRoute(wide: string, narrow: string): boolean {
  if (!narrow.endsWith('/*')) return covers(wide, narrow)
  return wide.endsWith('/*') && covers(wide, narrow.slice(0, -2))
}
