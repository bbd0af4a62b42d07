// mailer.event-listener/v1: learns of the events of contacts, as flows do.
import {
  defineExtensionPoint,
  type ExtensionPoint,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'

/** An event that was recorded: each once, however often it was fired with the same key. */
export interface ContactEvent {
  readonly id: string
  readonly name: string
  readonly externalId: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly occurredAt: Date
}

/** What a listener gets beside the events. */
export interface ListenerContext {
  readonly now: Date
  /** Aborted when the time limit (30 s) is over. */
  readonly signal: AbortSignal
}

/** Code that events are given to. */
export interface EventListener {
  /** Unique among the listeners: kebab-case. */
  readonly name: string
  /**
   * Called with a batch of at most some hundred events, after flows have seen them, in one process at a time for each
   * event. It must be safe to repeat, because every event comes at least once: after a crash, and when an event
   * waits for its contact. A throw or a time-out is logged, and the batch comes again after a minute, for at most
   * 72 hours.
   */
  onEvents(events: readonly ContactEvent[], context: ListenerContext): Promise<void>
}

/** Owned by the mailer. */
export const mailerEventListener: ExtensionPoint<EventListener> =
  defineExtensionPoint<EventListener>(
    'mailer.event-listener/v1',
    Type.Object({
      name: Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 64 }),
      ...requiredFunctions('onEvents')
    })
  )
