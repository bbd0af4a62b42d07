// The protection of a bearer route: the preHandler that `oauth.protect/v1` makes for its scopes.
import { createBoundedMap } from '@keelson/sdk'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { errors } from '../errors/errors.ts'
import { BEARER_CAPABILITY } from '../platform/agreement.ts'
import type { PlannedRoute } from '../platform/platform.ts'
import type { Capabilities } from '../plugin-lifecycle/capabilities.ts'
import type { RouteOwner } from './owner.ts'

type Protect = (scopes: readonly string[]) => unknown
type ScopesOf = (request: FastifyRequest) => readonly string[]

/** Sets of scopes whose preHandlers are kept for one route. */
const MAX_SETS = 256

export interface RouteProtection {
  /** The preHandler for a request; anything but a function refuses it. */
  protect(request: FastifyRequest): unknown
  /** The scopes depend on the request, so its body must be parsed first. */
  readonly isLate: boolean
}

/** Undefined for a route that is not a bearer route. */
export function protectionOf(
  owner: RouteOwner,
  planned: PlannedRoute,
  route: RouteOptions,
  capabilities: Capabilities
): RouteProtection | undefined {
  const { key, declared } = planned
  if (declared.auth !== 'bearer') return undefined
  const { scopes: configured } = (route.config ?? {}) as { scopes?: ScopesOf }
  const scopesOf = owner.scopes.get(key) ?? configured
  const all = declared.scopes ?? []
  let protect: Protect | undefined
  let whole: unknown
  owner.arm.push(() => {
    const provided = capabilities.value(BEARER_CAPABILITY)
    if (typeof provided !== 'function') return
    protect = provided as Protect
    // Made at the start in any case, so that an unknown scope ends it.
    whole = protect(all)
  })
  if (scopesOf === undefined) return { isLate: false, protect: () => whole }
  const made = createBoundedMap<string, unknown>(MAX_SETS)
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
      made.set(id, fresh)
      return fresh
    }
  }
}
