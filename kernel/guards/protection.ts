// The protection of a route by its scopes: the preHandler that `oauth.protect/v1` makes for them.
import { createBoundedMap } from '@keelson/sdk'
import { oauthPeople } from '@keelson/sdk/contracts/oauth-people'
import { oauthProtect, type Protect, type Protection } from '@keelson/sdk/contracts/oauth-protect'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { errors } from '../errors/errors.ts'
import type { RouteOwner } from '../http/owner.ts'
import type { Capabilities } from '../platform/capabilities.ts'
import type { PlannedRoute } from '../platform/platform.ts'

type ScopesOf = (request: FastifyRequest) => readonly string[]

/** Sets of scopes whose preHandlers are kept for one route. */
const MAX_SETS = 256

export interface RouteProtection {
  /** The preHandler for a request; undefined refuses it. */
  protect(request: FastifyRequest): Protection | undefined
  /** The scopes depend on the request, so its body must be parsed first. */
  readonly isLate: boolean
}

/** Undefined for a route that takes no access tokens. */
export function protectionOf(
  owner: RouteOwner,
  planned: PlannedRoute,
  route: RouteOptions,
  capabilities: Capabilities
): RouteProtection | undefined {
  const { key, declared } = planned
  if (declared.auth === 'viewer' || declared.auth === 'admin')
    return personProtection(owner, planned, route, capabilities)
  if (declared.auth !== 'bearer') return undefined
  const { scopes: configured } = (route.config ?? {}) as { scopes?: ScopesOf }
  const scopesOf = owner.scopes.get(key) ?? configured
  const all = declared.scopes ?? []
  let protect: Protect | undefined
  let whole: Protection | undefined
  owner.arm.push(() => {
    protect = capabilities.value(oauthProtect)
    if (protect !== undefined) protect = atPath(protect, route.url)
    // Made at the start in any case, so that an unknown scope ends it.
    whole = protect?.(all)
  })
  if (scopesOf === undefined) return { isLate: false, protect: () => whole }
  const made = createBoundedMap<string, Protection>(MAX_SETS)
  return {
    isLate: true,
    protect(request) {
      const needed = [...new Set(scopesOf(request))].sort()
      const unknown = needed.find((scope) => !all.includes(scope))
      if (unknown !== undefined) {
        const { plugin } = owner
        throw errors.KRN_SCOPE_UNDECLARED({
          plugin,
          path: planned.path,
          route: key,
          scope: unknown
        })
      }
      const id = needed.join(' ')
      const known = made.get(id)
      if (known !== undefined) return known
      const fresh = protect?.(needed)
      if (fresh !== undefined) made.set(id, fresh)
      return fresh
    }
  }
}

/** Scopes, for the resource that a route belongs to. */
const atPath =
  (protect: Protect, path: string): Protect =>
  (scopes) =>
    protect(scopes, { path })

/**
 * A viewer or admin route that names scopes takes access tokens too, where a plugin checks them for its resource. One
 * that has no such resource or scope leaves the route to people who are signed in.
 */
function personProtection(
  owner: RouteOwner,
  { declared }: PlannedRoute,
  { url }: RouteOptions,
  capabilities: Capabilities
): RouteProtection | undefined {
  const { scopes = [] } = declared
  if (scopes.length === 0) return undefined
  let whole: Protection | undefined
  owner.arm.push(() => {
    if (capabilities.value(oauthPeople) === undefined) return
    try {
      whole = capabilities.value(oauthProtect)?.(scopes, { resource: url })
    } catch {
      whole = undefined
    }
  })
  return { isLate: false, protect: () => whole }
}
