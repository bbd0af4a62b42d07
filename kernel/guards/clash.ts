// Two owners of one route: named, with the setting that moves one of them, before Fastify refuses it.
import type { KeelsonError } from '@keelson/sdk'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { errors } from '../errors/errors.ts'
import { KERNEL_OWNER, ownerOf, type RouteOwner } from '../http/owner.ts'
import { routeKey } from '../platform/addresses.ts'
import { groupOf, isAtOrBelow, type KernelAddresses } from '../platform/kernel-addresses.ts'

const HOST = 'the host'

export interface Claims {
  /** Notes the owner of a route. Throws KRN_ADDRESS_TAKEN or KRN_ROUTE_TAKEN when it has one already. */
  claim(scope: FastifyInstance, route: RouteOptions): void
}

export interface ClaimOptions {
  addresses(): KernelAddresses
  /** Plugins with their mounts, to name the setting that moves one. */
  plugins(): readonly { readonly id: string; readonly mount: string }[]
}

/** Routes that were there before the kernel count as the host's. */
export function createClaims(app: FastifyInstance, options: ClaimOptions): Claims {
  const owners = new Map<string, string>()
  return {
    claim(scope, route) {
      const owner = nameOf(ownerOf(scope))
      for (const method of [route.method].flat()) {
        // Fastify adds the HEAD of a GET by itself, and only where there is none.
        if (method === 'HEAD') continue
        const key = routeKey(method, route.url)
        const { constraints = {} } = route
        const isTaken = app.hasRoute({ method, url: route.url, constraints })
        if (!isTaken) {
          owners.set(formOf(key), owner)
          continue
        }
        const error = clashOf(
          { key, url: route.url, owner, other: owners.get(formOf(key)) ?? HOST },
          options
        )
        if (error !== undefined) throw error
      }
    }
  }
}

/** Parameters of one place have one form, whatever they are called. */
const formOf = (key: string): string => key.replace(/:[A-Za-z_]\w*/g, ':')

const nameOf = (owner: RouteOwner | typeof KERNEL_OWNER | undefined): string => {
  if (owner === undefined) return HOST
  return owner === KERNEL_OWNER ? KERNEL_OWNER : owner.plugin
}

interface Clash {
  readonly key: string
  readonly url: string
  readonly owner: string
  readonly other: string
}

/** Undefined when both are the host's or the same plugin's: Fastify says that well enough. */
function clashOf(clash: Clash, { addresses, plugins }: ClaimOptions): KeelsonError | undefined {
  const { key: route, url, owner, other } = clash
  if (owner === other) return undefined
  if (owner === KERNEL_OWNER || other === KERNEL_OWNER) {
    const group = groupOf(addresses(), url)
    const mounted = plugins().find(({ mount }) => isAtOrBelow(url, mount))
    const setting = group === undefined ? `plugins.${mounted?.id}.mount` : `addresses.${group}`
    const foreign = owner === KERNEL_OWNER ? other : owner
    return errors.KRN_ADDRESS_TAKEN({ route, other: foreign, setting })
  }
  const [plugin, second] = owner === HOST ? [other, HOST] : [owner, other]
  return errors.KRN_ROUTE_TAKEN({ plugin, route, other: second })
}
