// Walks over all subscriptions page by page, sums them up, and tags the sunset candidates.

import type { Subscriber } from '@keelson/mailer/contracts'
import { type Lease, systemActor } from '@keelson/sdk'
import type { AnyBulkWriteOperation, Filter } from 'mongodb'
import type { ContactRow } from '../counts/contact-row.ts'
import type { HygieneContext, WalkRow } from '../rows.ts'
import { type HygieneReport, reportOf } from './report.ts'
import { addContact, EMPTY_TALLY, isRecent, isSunset, type Tally } from './tally.ts'

/** Sets and takes the tag. */
const SUNSET = systemActor('list-hygiene', 'sunset')

const PAGE = 1_000
/** The walk of a process that died goes on after this. */
const LEASE = { seconds: 60 }
const FRESH = { startedAt: null, after: null, tally: null }

/**
 * Goes on with the walk, or begins one. Undefined when the signal ended it, or another process walks: the
 * next call goes on where this one ended.
 */
export async function walkContacts(
  context: HygieneContext,
  signal: AbortSignal
): Promise<HygieneReport | undefined> {
  const walked = await context.lease('walk', { ...LEASE, signal }, (lease) =>
    walkPages(context, lease)
  )
  return walked.held ? walked.value : undefined
}

async function walkPages(
  context: HygieneContext,
  lease: Lease
): Promise<HygieneReport | undefined> {
  let walk = (await context.walk.findOne({ _id: 'walk' })) ?? { _id: 'walk' as const, ...FRESH }
  while (!lease.signal.aborted) {
    const { tally, after, isLast } = await walkPage(context, walk)
    const startedAt = walk.startedAt ?? context.clock.now()
    if (isLast) return finish(context, lease, tally)
    walk = { _id: 'walk', startedAt, after, tally }
    await lease.keep()
    await context.walk.replaceOne({ _id: 'walk' }, walk, { upsert: true })
  }
  return undefined
}

function finish(
  { walk, reports, clock, withTransaction }: HygieneContext,
  lease: Lease,
  tally: Tally
): Promise<HygieneReport> {
  const report = reportOf(tally, clock.now())
  return withTransaction(async (session) => {
    await lease.keep(session)
    await walk.replaceOne({ _id: 'walk' }, FRESH, { upsert: true, session })
    await reports.updateOne({ _id: 'report' }, { $set: { report } }, { upsert: true, session })
    return report
  })
}

interface WalkedPage {
  readonly tally: Tally
  readonly after: string | null
  readonly isLast: boolean
}

async function walkPage(context: HygieneContext, walk: WalkRow): Promise<WalkedPage> {
  const { mailer, contacts, clock } = context
  const now = clock.now()
  const { after } = walk
  const subscribers = await mailer.subscribers({ limit: PAGE, ...(after !== null && { after }) })
  const isLast = subscribers.length < PAGE
  const last = subscribers.at(-1)?.externalId ?? null
  const waiting = new Map(subscribers.map((subscriber) => [subscriber.externalId, subscriber]))
  const changes: AnyBulkWriteOperation<ContactRow>[] = []
  let tally = walk.tally ?? EMPTY_TALLY
  const visit = async (subscriber: Subscriber | undefined, row: ContactRow | undefined) => {
    tally = addContact(tally, { subscriber, row }, now)
    const change = await changeOf(context, subscriber, row, now)
    if (change !== undefined) changes.push(change)
    if (changes.length < PAGE) return
    await contacts.bulkWrite(changes.splice(0))
  }
  for await (const row of contacts.find(rangeOf(after, isLast ? null : last)).sort({ _id: 1 })) {
    await visit(waiting.get(row._id), row)
    waiting.delete(row._id)
  }
  for (const subscriber of waiting.values()) await visit(subscriber, undefined)
  if (changes.length > 0) await contacts.bulkWrite(changes)
  return { tally, after: last, isLast }
}

/** The rows between two contacts; those without a subscription are among them. */
function rangeOf(after: string | null, last: string | null): Filter<ContactRow> {
  const range = { ...(after !== null && { $gt: after }), ...(last !== null && { $lte: last }) }
  return Object.keys(range).length === 0 ? {} : { _id: range }
}

/** Forgets old days, sets or takes the tag; a row that says nothing any more goes. */
async function changeOf(
  { mailer, settings }: HygieneContext,
  subscriber: Subscriber | undefined,
  row: ContactRow | undefined,
  now: Date
): Promise<AnyBulkWriteOperation<ContactRow> | undefined> {
  const acting = mailer.as(SUNSET)
  const _id = subscriber?.externalId ?? row?._id ?? ''
  const tag = settings.sunsetTag || undefined
  const wanted = subscriber !== undefined && isSunset(subscriber, now) ? tag : undefined
  const { sunsetTag: has, days = {} } = row ?? {}
  if (has !== undefined && has !== wanted && subscriber !== undefined) await acting.untag(_id, has)
  if (wanted !== undefined && has !== wanted) await acting.tag(_id, wanted)
  const old = Object.keys(days).filter((day) => !isRecent(Number(day), now))
  const isEmpty = subscriber === undefined && old.length === Object.keys(days).length
  if (isEmpty) return row && { deleteOne: { filter: { _id } } }
  if (has === wanted && old.length === 0) return undefined
  const gone = [...old.map((day) => `days.${day}`), ...(wanted === undefined ? ['sunsetTag'] : [])]
  return {
    updateOne: {
      filter: { _id },
      update: {
        ...(wanted !== undefined && { $set: { sunsetTag: wanted } }),
        ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((path) => [path, ''])) })
      },
      upsert: true
    }
  }
}
