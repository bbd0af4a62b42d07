// Handles recorded events: starts runs of flows, wakes runs that wait for them, and tells listeners.
import type { BatchHandler, ItemResult } from '@keelson/sdk'
import { AWAITS_CONFIRMATION } from '../../audience/contacts/confirm-subscription.ts'
import { findSubscriptions } from '../../audience/contacts/find-subscriptions.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { EventRow, NotEntered } from '../../ledger/event-rows.ts'
import { groupedBy } from '../../ledger/grouped-by.ts'
import { tellListeners } from '../event-listeners.ts'
import {
  decideEntries,
  type EnteredFlow,
  type EnteringContact,
  type FlowEntry,
  flowsOf,
  newRun
} from './decide-entries.ts'
import { transactionalFlows } from './transactional-flows.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** How soon an event looks again at a contact whose run a worker holds. */
const BUSY_MS = 1_000
/** An event is given up when its contact did not confirm for so long. */
const CONFIRM_WITHIN = 90 * DAY
/** How soon events come again to a listener that failed, and for how long. */
const TELL_AGAIN_MS = 60_000
const TELL_WITHIN = 3 * DAY

/** Handles the queue of events. Whatever it does is keyed by the event, so repeating it is harmless. */
export function createEventHandler(context: MailerContext): BatchHandler<EventRow> {
  return {
    batch: (claimed) =>
      handleEvents(
        context,
        claimed.map(({ item }) => item)
      )
  }
}

async function handleEvents(
  context: MailerContext,
  events: readonly EventRow[]
): Promise<ReadonlyMap<string, ItemResult>> {
  const now = context.clock.now()
  // Before runs are started: those of this batch do not wait for its events.
  const busy = await wakeRuns(context, events)
  const { entries, notEntered } = await decideAll(context, events)
  await startRuns(context, entries)
  const isTold = await tellListeners(context, events)
  return new Map(
    events.map((event): [string, ItemResult] => {
      if (busy.has(event.externalId))
        return [event._id, { state: 'scheduled', dueAt: new Date(now.getTime() + BUSY_MS) }]
      const result = resultOf(event, notEntered.get(event) ?? [], now)
      return [event._id, isTold ? result : toldAgain(event, result, now)]
    })
  )
}

/** Starts runs in one command. Entries that have a run already are left as they are. */
export async function startRuns(
  { queues, clock }: MailerContext,
  entries: readonly FlowEntry[]
): Promise<void> {
  const now = clock.now()
  const runs = new Map(entries.map((entry) => newRun(entry, now)).map((run) => [run._id, run]))
  if (runs.size > 0) await queues.flowRuns.add([...runs.values()])
}

/**
 * Makes the runs due that wait for these events; each then looks whether its event came in time.
 *
 * @returns contacts with a run that a worker holds: it may be about to wait, so their events come again
 */
async function wakeRuns(
  { collections, queues }: MailerContext,
  events: readonly EventRow[]
): Promise<ReadonlySet<string>> {
  const externalIds = [...new Set(events.map(({ externalId }) => externalId))]
  // First: a run that is claimed later reads the events itself.
  const held = await collections.flowRuns
    .find(
      { externalId: { $in: externalIds }, status: 'active', state: 'leased' },
      { projection: { externalId: 1 } }
    )
    .toArray()
  const waitingFor = [...groupedBy(events, ({ name }) => name)].map(([name, group]) => ({
    waitingFor: name,
    externalId: { $in: group.map(({ externalId }) => externalId) }
  }))
  await queues.flowRuns.reschedule({ $or: waitingFor })
  return new Set(held.map(({ externalId }) => externalId))
}

/** The runs that events start, and the flows that their contacts do not enter. */
export async function decideAll(
  context: MailerContext,
  events: readonly EventRow[]
): Promise<{
  readonly entries: readonly FlowEntry[]
  readonly notEntered: ReadonlyMap<EventRow, readonly NotEntered[]>
}> {
  const flows = await startedFlows(context, events)
  const concerned = events.filter((event) => flowsOf(event, flows).length > 0)
  const entries: FlowEntry[] = []
  const notEntered = new Map<EventRow, readonly NotEntered[]>()
  if (concerned.length === 0) return { entries, notEntered }
  const contactOf = await enteringContacts(context, flows, concerned)
  for (const event of concerned) {
    const decided = decideEntries(event, flows, contactOf(event))
    entries.push(...decided.entries)
    if (decided.notEntered.length > 0) notEntered.set(event, decided.notEntered)
  }
  return { entries, notEntered }
}

async function enteringContacts(
  context: MailerContext,
  flows: readonly EnteredFlow[],
  events: readonly EventRow[]
): Promise<(event: EventRow) => EnteringContact> {
  const externalIds = [...new Set(events.map(({ externalId }) => externalId))]
  const [subscriptions, before] = await Promise.all([
    findSubscriptions(context, externalIds),
    flowsBefore(context, flows, externalIds)
  ])
  const isSubscribed = (id: string) => subscriptions.get(id)?.status === 'subscribed'
  const openFlows = externalIds.every(isSubscribed)
    ? new Set<string>()
    : await transactionalFlows(
        context,
        flows.map(({ _id }) => _id)
      )
  return ({ externalId }) => {
    const { status = null, emailAtSubscribe: email = null } = subscriptions.get(externalId) ?? {}
    return { status, email, flowsBefore: before.get(externalId) ?? new Set(), openFlows }
  }
}

async function startedFlows(
  { collections }: MailerContext,
  events: readonly EventRow[]
): Promise<readonly EnteredFlow[]> {
  const names = [...new Set(events.map(({ name }) => name))]
  return collections.flows
    .find(
      { enabled: true, 'trigger.type': 'event', 'trigger.eventName': { $in: names } },
      { projection: { slug: 1, version: 1, enabled: 1, enabledAt: 1, trigger: 1 } }
    )
    .toArray()
}

/** The flows with `once` that contacts were in before, aborted runs included. */
export async function flowsBefore(
  { collections }: MailerContext,
  flows: readonly EnteredFlow[],
  externalIds: readonly string[]
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const once = flows.filter(({ trigger }) => trigger.once).map(({ _id }) => _id)
  const before = new Map<string, Set<string>>()
  if (once.length === 0) return before
  const runs = await collections.flowRuns
    .find(
      { externalId: { $in: [...externalIds] }, flowId: { $in: once } },
      { projection: { externalId: 1, flowId: 1 } }
    )
    .toArray()
  for (const { externalId, flowId } of runs) {
    const flowIds = before.get(externalId) ?? new Set()
    before.set(externalId, flowIds.add(flowId))
  }
  return before
}

/**
 * The flows that the contact does not enter stay with the event. One that awaits a confirmation comes again:
 * the confirmation makes it due, and looking again now and then, ever more rarely, covers one that came
 * between the look at the subscription and this result.
 */
function resultOf(event: EventRow, notEntered: readonly NotEntered[], now: Date): ItemResult {
  const age = now.getTime() - event.occurredAt.getTime()
  const awaits = notEntered.some(({ reason }) => reason === 'pending_doi')
  const noted = noteOf(event, notEntered)
  if (!awaits || age > CONFIRM_WITHIN)
    return noted === undefined ? { state: 'done' } : { state: 'done', update: [noted] }
  const pause = Math.min(Math.max(age, HOUR), 7 * DAY)
  return {
    state: 'scheduled',
    dueAt: new Date(now.getTime() + pause),
    update: [{ $set: { reason: AWAITS_CONFIRMATION } }, ...(noted === undefined ? [] : [noted])]
  }
}

/** The event comes again soon, for a listener that failed. */
function toldAgain({ createdAt }: EventRow, result: ItemResult, now: Date): ItemResult {
  if (now.getTime() - createdAt.getTime() > TELL_WITHIN) return result
  const update = 'update' in result ? result.update : undefined
  return {
    state: 'scheduled',
    dueAt: new Date(now.getTime() + TELL_AGAIN_MS),
    ...(update !== undefined && { update })
  }
}

/** Undefined where the row says so already. */
function noteOf({ notEntered: known }: EventRow, notEntered: readonly NotEntered[]) {
  if (notEntered.length > 0) return { $set: { notEntered: { $literal: notEntered } } }
  return known === undefined ? undefined : { $unset: 'notEntered' }
}
