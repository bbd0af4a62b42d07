// The plugins of this process that want to know of events.
import type { OAuthLogger } from '../config/host-code.ts'
import type { OAuthEvents, OAuthHappening } from '../contracts.ts'

export interface Listeners extends OAuthEvents {
  /** Calls each; what one throws is logged and stops no other. */
  tell(event: OAuthHappening): void
}

export function createListeners({ logger }: { readonly logger: OAuthLogger }): Listeners {
  const listeners = new Set<Parameters<OAuthEvents['subscribe']>[0]>()
  const call = async (listener: Parameters<OAuthEvents['subscribe']>[0], event: OAuthHappening) => {
    try {
      await listener(event)
    } catch (err) {
      logger.warn({ err, type: event.type }, 'a listener of events failed')
    }
  }
  return {
    subscribe(listener) {
      // Each subscription ends by itself, also where one function subscribes twice.
      const own: typeof listener = (event) => listener(event)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    tell(event) {
      for (const listener of listeners) void call(listener, event)
    }
  }
}
