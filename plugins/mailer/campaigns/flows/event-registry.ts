// Registered events: by which rule each is kept from being recorded twice.
import { randomUUID } from 'node:crypto'
import { Type } from '@keelson/sdk'
import type { DedupePolicy } from '../../contracts/mailer-core.ts'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'

/** An event that flows may start on. */
export interface RegisteredEvent {
  readonly name: string
  readonly dedupePolicy: DedupePolicy
}

/** The registered events of one process. */
export interface EventRegistry {
  /** The latest registration of a name counts. @throws MLR_INPUT_INVALID */
  register(event: RegisteredEvent): void
  policyOf(name: string): DedupePolicy | undefined
  list(): readonly RegisteredEvent[]
}

const schema = Type.Object({
  name: inputs.eventName,
  dedupePolicy: Type.Enum(['once-per-contact', 'once-per-day', 'every-time'])
})

/** Makes a registry without events. Every process registers its events at start. */
export function createEventRegistry(): EventRegistry {
  const events = new Map<string, DedupePolicy>()
  return {
    register(event) {
      const { name, dedupePolicy } = checkedInput('registerEvent', schema, event)
      events.set(name, dedupePolicy)
    },
    policyOf: (name) => events.get(name),
    list: () => [...events].map(([name, dedupePolicy]) => ({ name, dedupePolicy }))
  }
}

/** The key of an event by its policy: two events with one key are the same event. */
export function dedupeKeyOf(
  policy: DedupePolicy,
  { name, externalId }: { readonly name: string; readonly externalId: string },
  now: Date
): string {
  // The contact is escaped, so that no other pair of contact and name has the same key.
  const key = `${externalId.replaceAll('%', '%25').replaceAll(':', '%3A')}:${name}`
  switch (policy) {
    case 'once-per-contact':
      return key
    case 'once-per-day':
      return `${key}:${now.toISOString().slice(0, 10)}`
    case 'every-time':
      return `${key}:${randomUUID()}`
  }
}
