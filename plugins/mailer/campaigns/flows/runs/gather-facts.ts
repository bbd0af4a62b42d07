// Fetches the facts of many runs at once: one query per kind, whatever the number of runs.
import type { Filter } from 'mongodb'
import { findSubscriptions } from '../../../audience/contacts/find-subscriptions.ts'
import { withTags } from '../../../audience/contacts/tags.ts'
import { findEngagement, findLastEvents } from '../../../audience/segments/find-behaviour.ts'
import type { MailerContext } from '../../../ledger/context.ts'
import type { EventRow } from '../../../ledger/event-rows.ts'
import type { FlowRunRow } from '../../../ledger/flow-rows.ts'
import type { FactKind, Questions, RunFacts } from '../interpret/facts.ts'
import { transactionalOf } from '../transactional-flows.ts'

/** A run that asks for facts, and what its definition may ask. */
export interface AskingRun {
  readonly run: FlowRunRow
  readonly questions: Questions
}

/** Facts by the id of the run. */
export type FactsByRun = Map<string, RunFacts>

/** Rows that one query may bring. */
const MOST_ROWS = 100_000

/** What every run needs: its contact and the subscription. */
export async function gatherContacts(
  context: MailerContext,
  runs: readonly FlowRunRow[]
): Promise<FactsByRun> {
  const ids = contactIds(runs)
  const [found, subscriptions] = await Promise.all([
    context.adapter.getBatch(ids),
    findSubscriptions(context, ids)
  ])
  const tagged = await withTags(context, [...found.values()])
  const contacts = new Map(tagged.map((contact) => [contact.externalId, contact]))
  return new Map(
    runs.map(({ _id, externalId }) => [
      _id,
      {
        contact: contacts.get(externalId) ?? null,
        subscription: subscriptions.get(externalId)?.status ?? null
      }
    ])
  )
}

/** Adds one kind of facts to those of the runs that ask for it. */
export async function gatherKind(
  context: MailerContext,
  kind: FactKind,
  asking: readonly AskingRun[],
  facts: FactsByRun
): Promise<void> {
  const found = await READERS[kind](context, asking)
  for (const { run } of asking)
    facts.set(run._id, { ...(facts.get(run._id) as RunFacts), ...found(run) })
}

type Reader = (
  context: MailerContext,
  asking: readonly AskingRun[]
) => Promise<(run: FlowRunRow) => Partial<RunFacts>>

const READERS: Readonly<Record<FactKind, Reader>> = {
  events: readEvents,
  engagement: readEngagement,
  awaited: readAwaited,
  transactional: readTransactional
}

const contactIds = (runs: readonly FlowRunRow[]) => [
  ...new Set(runs.map(({ externalId }) => externalId))
]

async function readEvents(context: MailerContext, asking: readonly AskingRun[]) {
  const names = new Set(asking.flatMap(({ questions }) => [...questions.events]))
  const ids = contactIds(asking.map(({ run }) => run))
  const events = await findLastEvents(context, ids, [...names])
  return ({ externalId }: FlowRunRow) => ({ events: events.get(externalId) ?? new Map() })
}

async function readEngagement(context: MailerContext, asking: readonly AskingRun[]) {
  const anyTemplate = asking.some(({ questions }) => questions.templates === null)
  const slugs = new Set(asking.flatMap(({ questions }) => [...(questions.templates ?? [])]))
  const ids = contactIds(asking.map(({ run }) => run))
  const engagement = await findEngagement(context, ids, anyTemplate ? null : [...slugs])
  return ({ externalId }: FlowRunRow) => ({ engagement: engagement.get(externalId) ?? [] })
}

async function readTransactional(context: MailerContext, asking: readonly AskingRun[]) {
  const transactional = await transactionalOf(
    context,
    asking.flatMap(({ questions }) => questions.sends)
  )
  return () => ({ transactional })
}

/** Whether the events that runs wait for came within their wait; the one that started a run never counts. */
async function readAwaited({ collections }: MailerContext, asking: readonly AskingRun[]) {
  const waiting = asking.map(({ run }) => run).filter(({ waitingMatch }) => canCome(waitingMatch))
  if (waiting.length === 0) return () => ({ awaited: false })
  const properties = waiting.flatMap(({ waitingMatch }) => waitingMatch?.property ?? [])
  const rows = await collections.events
    .find(
      { $or: waiting.map(awaitedQuery) },
      {
        projection: {
          externalId: 1,
          name: 1,
          occurredAt: 1,
          dedupeKey: 1,
          ...Object.fromEntries(properties.map((name) => [`properties.${name}`, 1]))
        }
      }
    )
    .limit(MOST_ROWS)
    .toArray()
  return (run: FlowRunRow) => ({ awaited: rows.some((event) => isAwaited(run, event)) })
}

/** An event with a property that the start of the run does not have never comes. */
const canCome = (match: FlowRunRow['waitingMatch']) => match?.value !== null

/** The events that a run waits for. */
export function awaitedQuery(run: FlowRunRow): Filter<EventRow> {
  const { externalId, waitingFor = '', waitingMatch, waitSince, enteredAt, nextActionAt } = run
  return {
    externalId,
    name: waitingFor,
    occurredAt: { $gte: waitSince ?? enteredAt, $lte: nextActionAt ?? new Date(0) },
    dedupeKey: { $ne: run.triggerDedupeKey },
    ...(waitingMatch && { [`properties.${waitingMatch.property}`]: { $eq: waitingMatch.value } })
  }
}

function isAwaited(run: FlowRunRow, event: EventRow): boolean {
  const { externalId, waitingFor, waitingMatch, waitSince, nextActionAt, triggerDedupeKey } = run
  return (
    canCome(waitingMatch) &&
    event.externalId === externalId &&
    event.name === waitingFor &&
    event.dedupeKey !== triggerDedupeKey &&
    (waitSince === undefined || event.occurredAt >= waitSince) &&
    (nextActionAt === undefined || event.occurredAt <= nextActionAt) &&
    (waitingMatch === undefined || event.properties?.[waitingMatch.property] === waitingMatch.value)
  )
}
