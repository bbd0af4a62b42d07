// @keelson/telemetry/vue: a plugin that provides the client and records what components throw.
import type { AdaptedClient } from './react.ts'

export type { AdaptedClient } from './react.ts'

/** The part of a Vue app that is used. */
export interface VueAppLike {
  readonly config: {
    // biome-ignore lint/suspicious/noExplicitAny: the instance's type is Vue's own
    errorHandler?: ((error: unknown, instance: any, info: string) => void) | null | undefined
  }
  // biome-ignore lint/suspicious/noExplicitAny: as Vue declares it
  provide(key: any, value: unknown): unknown
}

/** `inject(TELEMETRY)` in a component is the client. */
export const TELEMETRY: unique symbol = Symbol('keelson.telemetry')

/** `app.use(vueTelemetry(client))`. A handler that was there is still called. */
export function vueTelemetry(client: AdaptedClient): { install(app: VueAppLike): void } {
  return {
    install(app) {
      const former = app.config.errorHandler
      app.config.errorHandler = (error, instance, info) => {
        client.captureError(error, { body: info }, former !== undefined && former !== null)
        if (former) former(error, instance, info)
        // Vue leaves errors to the handler once there is one; they must not go unseen.
        else reportError(error)
      }
      app.provide(TELEMETRY, client)
    }
  }
}
