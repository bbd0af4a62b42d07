// Which flows an event starts. Pure.
import { createHash } from 'node:crypto'
import type { SubscriptionStatus } from '../../contracts/mailer-core.ts'
import type { EventRow, NotEntered, NotEnteredReason } from '../../ledger/event-rows.ts'
import { FIRST_PATH } from '../../ledger/flow-paths.ts'
import type { FlowRow, FlowRunRow } from '../../ledger/flow-rows.ts'

/** The part of a flow that decides who enters. */
export type EnteredFlow = Pick<
  FlowRow,
  '_id' | 'slug' | 'version' | 'enabled' | 'enabledAt' | 'trigger'
>

/** A contact who enters a flow. */
export interface FlowEntry {
  readonly flow: EnteredFlow
  readonly externalId: string
  readonly email: string | null
  readonly triggerEvent: FlowRunRow['triggerEvent']
  /** The same key is the same entry of the flow. */
  readonly key: string
  readonly chain?: number
}

/** The part of an event that decides. */
export type StartingEvent = Pick<
  EventRow,
  'name' | 'externalId' | 'properties' | 'dedupeKey' | 'occurredAt' | 'chain'
>

/** What is known of the contact of an event. */
export interface EnteringContact {
  readonly status: SubscriptionStatus | null
  readonly email: string | null
  /** Ids of the flows that the contact was in before. */
  readonly flowsBefore: ReadonlySet<string>
  /** Ids of the flows that take contacts without a subscription: they send transactional mail. */
  readonly openFlows: ReadonlySet<string>
}

/** What an event comes to. */
export interface EntryDecision {
  readonly entries: readonly FlowEntry[]
  /** Flows that the contact does not enter, and why. `pending_doi`: not before it confirms. */
  readonly notEntered: readonly NotEntered[]
}

/** The flows that an event concerns: enabled when it occurred. */
export function flowsOf<T extends EnteredFlow>(event: StartingEvent, flows: readonly T[]): T[] {
  return flows.filter(
    ({ trigger, enabled, enabledAt, version }) =>
      enabled &&
      version > 0 &&
      trigger.type === 'event' &&
      trigger.eventName === event.name &&
      (enabledAt === undefined || event.occurredAt >= enabledAt)
  )
}

/** Which of the flows that an event concerns the contact enters. */
export function decideEntries(
  event: StartingEvent,
  flows: readonly EnteredFlow[],
  contact: EnteringContact
): EntryDecision {
  const { externalId, name, properties, dedupeKey: key, chain } = event
  const triggerEvent = { name, properties }
  const entries: FlowEntry[] = []
  const notEntered: NotEntered[] = []
  for (const flow of flowsOf(event, flows)) {
    const reason = reasonAgainst(flow, contact)
    if (reason !== undefined) notEntered.push({ flow: flow.slug, reason })
    else
      entries.push({
        flow,
        externalId,
        email: contact.email,
        key,
        triggerEvent,
        ...(chain !== undefined && { chain })
      })
  }
  return { entries, notEntered }
}

function reasonAgainst(
  { _id, trigger }: EnteredFlow,
  { status, flowsBefore, openFlows }: EnteringContact
): NotEnteredReason | undefined {
  if (trigger.once && flowsBefore.has(_id)) return 'was_in_it'
  if (status === 'subscribed' || openFlows.has(_id)) return undefined
  return status ?? 'not_subscribed'
}

/**
 * The row of a new run. Its id derives from flow and entry, or from flow and contact where a contact enters
 * only once, so that the same entry never starts two.
 */
export function newRun(
  { flow, externalId, email, triggerEvent, key, chain }: FlowEntry,
  now: Date
): FlowRunRow {
  const entry = flow.trigger.once ? ['once', externalId] : ['entry', key]
  const id = createHash('sha256')
    .update(JSON.stringify([flow._id, ...entry]))
    .digest('hex')
  return {
    _id: id.slice(0, 24),
    flowId: flow._id,
    flowSlug: flow.slug,
    flowVersion: flow.version,
    externalId,
    emailAtEntry: email,
    triggerEvent,
    triggerDedupeKey: key,
    ...(chain !== undefined && { chain }),
    status: 'active',
    path: FIRST_PATH,
    history: [{ at: now, path: FIRST_PATH, action: 'entered' }],
    enteredAt: now
  }
}
