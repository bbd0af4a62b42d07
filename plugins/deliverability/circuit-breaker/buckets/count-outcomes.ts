// Counts what happened to mails into buckets, each outcome once: counts and cursor change together.
import type { MailOutcome, MailOutcomeType } from '@keelson/mailer/contracts'
import type { AnyBulkWriteOperation, ClientSession } from 'mongodb'
import { aggregateOf, type BreakerContext } from '../breaker-context.ts'
import { AGGREGATE_ID, type BucketKey, type BucketRow, bucketId, newBucket } from './bucket-row.ts'
import { addToWindow, type CountedEvent, type Counter, minuteWindow, weekWindow } from './window.ts'

/** Outcomes of one transaction. */
const PAGE = 5_000

const COUNTER_OF: Readonly<Partial<Record<MailOutcomeType, Counter>>> = {
  accepted: 'sent',
  delivered: 'delivered',
  soft_bounce: 'softBounced',
  hard_bounce: 'hardBounced',
  complaint: 'complained',
  send_failed: 'failedToSend'
}

/** Something to be counted in a bucket. */
interface BucketEvent extends CountedEvent {
  readonly key: BucketKey
}

/** Counts all outcomes since the last call, page by page, until the signal ends it. Safe in several processes. */
export async function countOutcomes(context: BreakerContext, signal?: AbortSignal): Promise<void> {
  const aggregate = aggregateOf(context)
  const updatedAt = context.clock.now()
  await aggregate.updateOne(
    { _id: AGGREGATE_ID },
    { $set: { updatedAt }, $setOnInsert: { cursor: null, minutes: [], hours: [] } },
    { upsert: true }
  )
  while (signal?.aborted !== true) {
    const { cursor: after = null } = (await aggregate.findOne({ _id: AGGREGATE_ID })) ?? {}
    const page = await context.mailer.outcomes({ limit: PAGE, ...(after !== null && { after }) })
    if (page.items.length === 0) return
    const events = page.items.flatMap(eventOf)
    await context.withTransaction(async (session) => {
      const moved = await aggregate.updateOne(
        { _id: AGGREGATE_ID, cursor: after },
        { $set: { cursor: page.cursor } },
        { session }
      )
      // Another process has counted this page.
      if (moved.modifiedCount === 1) await countEvents(context, events, session)
    })
    if (page.items.length < PAGE) return
  }
}

/**
 * Counts one thing that happened to the mail of a bucket, for hosts that count what is not in the feed of
 * outcomes. Each call counts.
 */
export async function recordHealthCounter(
  context: BreakerContext,
  counted: BucketKey & { readonly counter: Counter; readonly times?: number; readonly at?: Date }
): Promise<void> {
  const { senderDomain, kind, counter, times = 1, at = context.clock.now() } = counted
  const event = { key: { senderDomain, kind }, counter, times, at: at.getTime() }
  await context.withTransaction((session) => countEvents(context, [event], session))
}

function eventOf({ type, occurredAt, senderDomain, kind }: MailOutcome): BucketEvent[] {
  const counter = COUNTER_OF[type]
  if (counter === undefined) return []
  return [{ key: { senderDomain, kind }, counter, at: occurredAt.getTime() }]
}

/** Adds to the slots of the buckets and of the aggregate, within the caller's transaction. */
async function countEvents(
  context: BreakerContext,
  events: readonly BucketEvent[],
  session: ClientSession
): Promise<void> {
  if (events.length === 0) return
  const { health, clock } = context
  const now = clock.now()
  const byBucket = new Map<string, BucketEvent[]>()
  for (const event of events) {
    const id = bucketId(event.key)
    const known = byBucket.get(id)
    if (known === undefined) byBucket.set(id, [event])
    else known.push(event)
  }
  const ids = [...byBucket.keys(), AGGREGATE_ID]
  const stored = await health.find({ _id: { $in: ids } }, { session }).toArray()
  const rows = new Map(stored.map((row) => [row._id, row]))
  const operations = [...byBucket].flatMap(([id, [first, ...more]]) => {
    if (first === undefined) return []
    const slots = addSlots(context, rows.get(id), [first, ...more])
    return upsertOf(newBucket(first.key, now), slots)
  })
  await health.bulkWrite(operations, { session })
  await aggregateOf(context).updateOne(
    { _id: AGGREGATE_ID },
    { $set: addSlots(context, rows.get(AGGREGATE_ID), events), $setOnInsert: { cursor: null } },
    { session, upsert: true }
  )
}

type Slots = Pick<BucketRow, 'minutes' | 'hours' | 'updatedAt'>

function upsertOf(fresh: BucketRow, slots: Slots): AnyBulkWriteOperation<BucketRow> {
  const { _id, minutes: _minutes, hours: _hours, updatedAt: _updatedAt, ...rest } = fresh
  return {
    updateOne: { filter: { _id }, update: { $set: slots, $setOnInsert: rest }, upsert: true }
  }
}

/** The slots of a row with the events; those from before a resume do not count. */
function addSlots(
  { settings, clock }: BreakerContext,
  row: BucketRow | undefined,
  events: readonly CountedEvent[]
): Slots {
  const updatedAt = clock.now()
  const now = updatedAt.getTime()
  const since = row?.manuallyResumedAt?.getTime() ?? 0
  const counted = events.filter(({ at }) => at >= since)
  const { minutes = [], hours = [] } = row ?? {}
  return {
    minutes: addToWindow(minutes, counted, { ...minuteWindow(settings.windowMinutes), now }),
    hours: addToWindow(hours, counted, { ...weekWindow, now }),
    updatedAt
  }
}
