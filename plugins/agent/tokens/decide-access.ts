// Decides whether a caller may use an operation. Pure.
import type { AgentScope, Caller } from './token-register.ts'

/** What an operation asks for. */
export interface Wanted {
  readonly scope: AgentScope
  /** The address below the mount, as it was called. */
  readonly path: string
}

/** Why a caller may not. */
export type AccessRefusal = 'insufficient_scope' | 'route_not_allowed'

/** `mail:write` includes `mail:read`. A pattern that ends in `/*` stands for everything below it. */
export function accessRefusal(caller: Caller, { scope, path }: Wanted): AccessRefusal | undefined {
  const isScoped = caller.scopes.includes(scope) || caller.scopes.includes('mail:write')
  if (!isScoped) return 'insufficient_scope'
  const { routes } = caller
  return routes === undefined || routes.some((route) => covers(route, path))
    ? undefined
    : 'route_not_allowed'
}

function covers(route: string, path: string): boolean {
  if (!route.endsWith('/*')) return route === path
  const base = route.slice(0, -2)
  return path === base || path.startsWith(`${base}/`)
}
