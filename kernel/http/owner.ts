// Whose routes are being registered: a mark on a Fastify scope that its child scopes inherit.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { PluginStatus } from '../health/plugin-state.ts'
import { routeKey } from '../platform/addresses.ts'
import type { PlannedRoute } from '../platform/platform.ts'

/** A plugin whose registered routes are held to its declared ones. */
export interface RouteOwner {
  readonly plugin: string
  readonly status: Pick<PluginStatus, 'downReason'>
  /** By `<METHOD> <address>`. */
  readonly declared: ReadonlyMap<string, PlannedRoute>
  /** Keys of declared routes that have been registered. */
  readonly registered: Set<string>
  readonly verifiers: Map<string, (request: FastifyRequest) => unknown>
  /** Of bearer routes whose scopes depend on the request. */
  readonly scopes: Map<string, (request: FastifyRequest) => readonly string[]>
  /** The tenants that a setting of the plugin lists, where `place` is `${setting}`. */
  tenantsAt(place: string): readonly string[]
  /** Run in the ready phase, when every capability is there. */
  readonly arm: (() => void)[]
}

/** The kernel's own routes are measured and otherwise left alone. */
export const KERNEL_OWNER = 'kernel'

const OWNER = Symbol('keelson.owner')

type OwnedInstance = FastifyInstance & { [OWNER]?: RouteOwner | typeof KERNEL_OWNER }

export function setOwner(scope: FastifyInstance, owner: RouteOwner | typeof KERNEL_OWNER): void {
  ;(scope as OwnedInstance)[OWNER] = owner
}

/** Undefined for routes of the host itself. */
export function ownerOf(scope: FastifyInstance): RouteOwner | typeof KERNEL_OWNER | undefined {
  return (scope as OwnedInstance)[OWNER]
}

/** Whether a declared route also stands for those below it. */
export const isWildcard = ({ key }: PlannedRoute): boolean => key.endsWith('/*')

/** The declared route of an operation: its address may be served in another form. */
export const declaredOperation = (
  declared: ReadonlyMap<string, PlannedRoute>,
  id: string
): PlannedRoute | undefined => [...declared.values()].find(({ declared }) => declared.id === id)

/**
 * The declared route that a registered one is: of the same address, or a wildcard above it, unless callers
 * bring access tokens, whose scopes each route names for itself. A HEAD that goes with a GET is the GET's.
 */
export function declaredRoute(
  declared: ReadonlyMap<string, PlannedRoute>,
  method: string,
  url: string
): PlannedRoute | undefined {
  const exact = declared.get(routeKey(method, url)) ?? wildcardAbove(declared, method, url)
  if (exact !== undefined || method !== 'HEAD') return exact
  return declaredRoute(declared, 'GET', url)
}

function wildcardAbove(
  declared: ReadonlyMap<string, PlannedRoute>,
  method: string,
  url: string
): PlannedRoute | undefined {
  const key = routeKey(method, url)
  return [...declared.values()].find(
    (planned) =>
      isWildcard(planned) &&
      key.startsWith(planned.key.slice(0, -1)) &&
      planned.declared.auth !== 'bearer'
  )
}
