// Records events of contacts: at once, or with a transaction of the host.
import { createHash, randomUUID } from 'node:crypto'
import type { BatchHandler } from '@keelson/sdk'
import { Type } from '@keelson/sdk'
import type { ClientSession } from 'mongodb'
import { errors } from '../../errors.ts'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { EventRow, OutboxRow } from '../../ledger/event-rows.ts'
import { dedupeKeyOf, type EventRegistry } from './event-registry.ts'

/** An event to be recorded. */
export interface FiredEvent {
  readonly name: string
  readonly externalId: string
  readonly properties?: Readonly<Record<string, unknown>> | undefined
  /** Default: derived by the policy of the registered name. */
  readonly dedupeKey?: string | undefined
}

type Payload = OutboxRow['payload']

const schema = Type.Object({
  name: inputs.eventName,
  externalId: inputs.externalId,
  properties: Type.Record(Type.String(), Type.Unknown()),
  dedupeKey: Type.Optional(inputs.dedupeKey)
})

/**
 * Records an event. A key that was recorded before changes nothing. Durable when it resolves.
 *
 * @throws MLR_INPUT_INVALID, MLR_EVENT_UNREGISTERED
 */
export async function fire(
  context: MailerContext,
  registry: EventRegistry,
  event: FiredEvent
): Promise<void> {
  await recordEvents(context, [payloadOf(context, registry, event)])
}

/** As `fire`, within a transaction: the event is recorded after the commit, by the outbox queue. */
export async function fireFromSession(
  context: MailerContext,
  registry: EventRegistry,
  event: FiredEvent,
  session: ClientSession
): Promise<void> {
  const payload = payloadOf(context, registry, event)
  const row = { _id: randomUUID(), payload, enqueuedAt: payload.occurredAt }
  await context.queues.outbox.add([row], { session })
}

/** Handles the outbox: what was written in transactions becomes events. */
export function createOutboxHandler(context: MailerContext): BatchHandler<OutboxRow> {
  return {
    async batch(claimed) {
      const payloads = claimed.map(({ item }) => item.payload)
      await recordEvents(context, payloads)
      return new Map(claimed.map(({ item }) => [item._id, { state: 'done' } as const]))
    }
  }
}

/** Records events in one command; those whose key is there already are left as they are. */
export async function recordEvents(
  { queues, clock }: MailerContext,
  payloads: readonly (Omit<Payload, 'type'> & Pick<EventRow, 'chain'>)[]
): Promise<void> {
  const createdAt = clock.now()
  const rows = payloads.map(
    ({ name, externalId, properties, dedupeKey, occurredAt, chain }): EventRow => ({
      _id: eventIdOf(dedupeKey),
      ...(chain !== undefined && { chain }),
      name,
      externalId,
      properties,
      dedupeKey,
      occurredAt,
      createdAt
    })
  )
  // Two events of one batch may have the same key.
  const once = new Map(rows.map((row) => [row._id, row]))
  await queues.events.add([...once.values()])
}

/** The same key is the same row: a duplicate meets its `_id`. */
const eventIdOf = (dedupeKey: string): string =>
  createHash('sha256').update(dedupeKey).digest('hex').slice(0, 32)

function payloadOf({ clock }: MailerContext, registry: EventRegistry, event: FiredEvent): Payload {
  const { properties = {}, ...rest } = event
  const given = { ...rest, properties }
  if (given.dedupeKey === undefined) delete given.dedupeKey
  const checked = checkedInput('fire', schema, given)
  const occurredAt = clock.now()
  const { name, externalId, dedupeKey = derivedKey(registry, checked, occurredAt) } = checked
  return { type: 'event', name, externalId, properties, dedupeKey, occurredAt }
}

function derivedKey(
  registry: EventRegistry,
  event: { readonly name: string; readonly externalId: string },
  now: Date
): string {
  const policy = registry.policyOf(event.name)
  if (policy === undefined) throw errors.MLR_EVENT_UNREGISTERED({ name: event.name })
  return dedupeKeyOf(policy, event, now)
}
