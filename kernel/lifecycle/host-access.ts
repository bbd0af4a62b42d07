// What the host's own code gets from the plugins: their capabilities, typed by the contract.
import type { Capability } from '@keelson/sdk'
import type { FastifyInstance } from 'fastify'
import { errors } from '../errors/errors.ts'
import type { Capabilities } from '../platform/capabilities.ts'

/** The capabilities of the plugins, for routes of the host. */
export interface Keelson {
  /**
   * A capability that a running plugin provides. It is there once `await app.register(keelson, …)` is
   * done, so that routes registered after it can use it.
   *
   * @throws KRN_HOST_USE_ABSENT when no running plugin provides it
   * @example
   * const telemetry = keelsonOf(app).use(telemetryStore)
   * app.get('/orders', { preHandler: keelsonOf(app).use(oauthProtect)(['orders:read']) }, handler)
   */
  use<T>(capability: Capability<T>): T
  /** The capability, or undefined when no running plugin provides it. */
  use<T>(capability: Capability<T>, options: { readonly optional: boolean }): T | undefined
}

/** The name of the decorator on the app. */
const NAME = 'keelson'

/** Decorates the app as `app.keelson`, unless the host has something of that name. */
export function offerAccess(app: FastifyInstance, access: Keelson): void {
  if (!app.hasDecorator(NAME)) app.decorate(NAME, access)
}

/** @throws KRN_HOST_USE_ABSENT */
export function createAccess(capabilities: Capabilities): Keelson {
  return {
    use<T>(capability: Capability<T>, { optional = false }: { optional?: boolean } = {}): T {
      const value = capabilities.value(capability)
      if (value === undefined && !optional) {
        throw errors.KRN_HOST_USE_ABSENT({ capability: capability.id })
      }
      return value as T
    }
  }
}
