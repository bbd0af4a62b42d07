// Reads broadcasts: the list, one with its progress, and what became of each recipient.

import { type NewestPage, type PageOfRows, readNewest } from '@keelson/sdk'
import { waitingMails } from '../../delivery/outages/measure-waiting.ts'
import type { BroadcastRow, VariantResult } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import { dedupeKeys } from '../../ledger/send-id.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { SendStatus } from '../../ledger/send-status.ts'
import { groupsOfArm, isOfRest } from './arms.ts'
import { countMails, countsOf, type MailCounts, type MailGroup } from './count-mails.ts'
import { decideAtOf } from './decide-step.ts'
import { countLeftOut, type LeftOutCounts } from './left-out.ts'
import {
  type StatusBreakdown,
  statusBreakdown,
  stopCountsOf,
  variantResultsOf
} from './measure-broadcast.ts'
import { keptMails } from './measure-kept.ts'
import { type Progress, progressOf } from './progress-of-broadcast.ts'
import { recentMinutes } from './recent-minutes.ts'
import { countRetryable } from './retry-broadcast.ts'
import { type Significance, significanceOf } from './significance.ts'
import { countedSince, metersOf, type StopMeter } from './stop-rules.ts'
import { type BroadcastWait, waitsOf } from './waits-of-broadcast.ts'

const MAX_PAGE = 1000

/** A page of at most 200 broadcasts, the newest first. */
export function listBroadcasts(
  { collections }: Pick<MailerContext, 'collections'>,
  page: NewestPage = {}
): Promise<PageOfRows<BroadcastRow>> {
  return readNewest(collections.broadcasts, {}, { ...page, time: 'createdAt', maxLimit: 200 })
}

/** A broadcast with its progress. */
export interface BroadcastDetail {
  readonly broadcast: BroadcastRow
  /** Mails queued so far. */
  readonly stats: { readonly total: number }
  readonly statusBreakdown: StatusBreakdown
  readonly capProgress: {
    /** null: no cap. */
    readonly recipientCap: number | null
    readonly sendsSoFar: number
    /** null: no cap. */
    readonly remaining: number | null
  }
  /** Failed mails that a retry would send. */
  readonly retryable: number
  /** Contacts of the segment that got no mail, so far. */
  readonly leftOut: LeftOutCounts
  /** Mails and recipients that wait, by what for. */
  readonly waiting: readonly BroadcastWait[]
  /** What came of the split test, as its winner was chosen by; left out without one. */
  readonly variants?: readonly VariantResult[]
  /** By waves, how fast, until when. */
  readonly progress: Progress
  /** How far each stop rule is from its limit; none where they are off. */
  readonly stopMeters: readonly StopMeter[]
  /** When the winner of the split test is chosen; left out without one, and before its mails are queued. */
  readonly decidesAt?: Date
  /** How far its mails came. */
  readonly results: BroadcastResults
}

/** null when the slug is unknown. */
export async function readBroadcast(
  context: MailerContext,
  slug: string
): Promise<BroadcastDetail | null> {
  const broadcast = await context.collections.broadcasts.findOne({ slug })
  if (broadcast === null) return null
  const { _id, splitTest, splitResults, recipientCap, queuedCount } = broadcast
  const [breakdown, groups, leftOut, forProviders, minutes] = await Promise.all([
    statusBreakdown(context, _id),
    countMails(context, _id),
    countLeftOut(context, _id),
    waitingMails(context, _id),
    recentMinutes(context, slug)
  ])
  const [retryable, kept] = await Promise.all([
    breakdown.failed === undefined ? 0 : countRetryable(context, broadcast),
    keptMails(context, _id, breakdown)
  ])
  const variants = splitResults ?? (splitTest && variantResultsOf(groups, splitTest))
  const results = resultsOf(broadcast, groups)
  const { handed, failed, suppressed, cancelled } = results.total
  const stopped = countedSince(stopCountsOf(breakdown, groups), broadcast.stopBase)
  const remaining = recipientCap === undefined ? null : Math.max(0, recipientCap - queuedCount)
  const total = Object.values(breakdown).reduce((sum, count) => sum + count, 0)
  return {
    broadcast,
    stats: { total },
    statusBreakdown: breakdown,
    retryable,
    leftOut,
    capProgress: { recipientCap: recipientCap ?? null, sendsSoFar: queuedCount, remaining },
    waiting: waitsOf(broadcast, { breakdown, forProviders, kept }, context.clock.now()),
    progress: progressOf(broadcast, {
      handed,
      ended: failed + suppressed + cancelled,
      minutes,
      now: context.clock.now()
    }),
    stopMeters: metersOf(broadcast.stopRules, stopped),
    results,
    ...(broadcast.testQueuedAt !== undefined && { decidesAt: decideAtOf(broadcast) }),
    ...(variants !== undefined && { variants })
  }
}

/** What became of one recipient. */
export type RecipientOutcome = Pick<
  SendRow,
  | '_id'
  | 'externalId'
  | 'emailAtSend'
  | 'templateSlug'
  | 'arm'
  | 'status'
  | 'queuedAt'
  | 'sentAt'
  | 'deliveredAt'
  | 'openedAt'
  | 'firstClickAt'
  | 'humanOpenedAt'
  | 'humanClickedAt'
  | 'bouncedAt'
  | 'complainedAt'
  | 'unsubscribedAt'
  | 'exitReason'
  | 'errorMessage'
  | 'hold'
  | 'waitingFor'
  | 'waiting'
>

const SHOWN: { readonly [field in keyof RecipientOutcome]-?: 1 } = {
  _id: 1,
  externalId: 1,
  emailAtSend: 1,
  templateSlug: 1,
  arm: 1,
  status: 1,
  queuedAt: 1,
  sentAt: 1,
  deliveredAt: 1,
  openedAt: 1,
  firstClickAt: 1,
  humanOpenedAt: 1,
  humanClickedAt: 1,
  bouncedAt: 1,
  complainedAt: 1,
  unsubscribedAt: 1,
  exitReason: 1,
  errorMessage: 1,
  hold: 1,
  waitingFor: 1,
  waiting: 1
}

/** Which recipients of a broadcast to list. */
export interface RecipientPage {
  /** Only mails in this status. */
  readonly status?: SendStatus
  /** Only mails that a person should look at: unknown, failed, bounced, complained about. */
  readonly needsLook?: boolean
  /** `nextCursor` of the page before. */
  readonly after?: string
  /** Default 200, maximum 1000. */
  readonly limit?: number
}

/** What came of a broadcast so far. */
export interface BroadcastResults {
  readonly total: MailCounts
  /** Without a split test: left out. */
  readonly variants?: readonly (MailCounts & {
    readonly name: string
    readonly templateSlug: string
    /** In the place of that of the template. */
    readonly subject?: string
    readonly isWinner: boolean
  })[]
  /** Mails of the winner to those who waited for it: no part of the test. Left out while there are none. */
  readonly rest?: MailCounts
  /** Whether the arms differ by more than chance, by what the winner is chosen by. */
  readonly significance?: Significance
}

/** Counts of all mails, and of each variant of a split test; null when the slug is unknown. */
export async function readResults(
  context: MailerContext,
  slug: string
): Promise<BroadcastResults | null> {
  const broadcast = await context.collections.broadcasts.findOne({ slug })
  if (broadcast === null) return null
  return resultsOf(broadcast, await countMails(context, broadcast._id))
}

function resultsOf(
  { splitTest, winner }: BroadcastRow,
  groups: readonly MailGroup[]
): BroadcastResults {
  const total = countsOf(groups)
  if (splitTest === undefined) return { total }
  const variants = splitTest.variants.map((variant) => {
    const { name, templateSlug, subject } = variant
    const counts = countsOf(groupsOfArm(groups, variant))
    return { name, templateSlug, ...defined({ subject }), isWinner: name === winner, ...counts }
  })
  const { winner: by } = splitTest
  const significance = significanceOf(
    variants.map(({ name, handed, openedByPeople, clickedByPeople }) => {
      return { name, handed, reactions: by === 'human_opens' ? openedByPeople : clickedByPeople }
    })
  )
  const others = groups.filter(isOfRest)
  const rest = others.length === 0 ? undefined : countsOf(others)
  return { total, variants, ...defined({ rest, significance }) }
}

/** A page of recipients. */
export interface Recipients {
  readonly recipients: readonly RecipientOutcome[]
  /** Left out on the last page. */
  readonly nextCursor?: string
}

/**
 * What became of each recipient, in the order of contacts. A mail keeps its place whatever happens to it, so
 * the pages together hold each one once.
 */
export async function listRecipients(
  { collections }: Pick<MailerContext, 'collections'>,
  broadcastId: string,
  { status, needsLook, after = '', limit = 200 }: RecipientPage = {}
): Promise<Recipients> {
  if (needsLook === true && status === undefined)
    return listNeedsLook({ collections }, broadcastId, { after, limit })
  const size = Math.min(Math.max(Math.trunc(limit) || 1, 1), MAX_PAGE)
  const [filter, order] =
    status === undefined
      ? [keysAfter(broadcastId, after), 'dedupeKey']
      : [{ broadcastId, status, externalId: { $gt: after } }, 'externalId']
  const recipients = await collections.sends
    .find<RecipientOutcome>(filter, { projection: SHOWN })
    .sort({ [order]: 1 })
    .limit(size)
    .toArray()
  const last = recipients.at(-1)
  if (last === undefined || recipients.length < size) return { recipients }
  return { recipients, nextCursor: last.externalId }
}

const NEEDS_LOOK = ['unknown', 'failed', 'bounced', 'complained'] as const

/** One status after the other, each in the order of contacts; the cursor names both. */
async function listNeedsLook(
  context: Pick<MailerContext, 'collections'>,
  broadcastId: string,
  { after, limit }: Required<Pick<RecipientPage, 'after' | 'limit'>>
): Promise<Recipients> {
  const [from = '', ...contact] = after.split(':')
  const start = Math.max(0, (NEEDS_LOOK as readonly string[]).indexOf(from))
  const recipients: RecipientOutcome[] = []
  for (const [at, status] of NEEDS_LOOK.slice(start).entries()) {
    const place = at === 0 ? contact.join(':') : ''
    const page = { status, after: place, limit: limit - recipients.length }
    const found = await listRecipients(context, broadcastId, page)
    recipients.push(...found.recipients)
    const { nextCursor } = found
    if (nextCursor !== undefined) return { recipients, nextCursor: `${status}:${nextCursor}` }
  }
  return { recipients }
}

/** The mails of a broadcast by their keys, which end with the contact and are indexed already. */
function keysAfter(broadcastId: string, externalId: string) {
  const first = dedupeKeys.broadcast(broadcastId, '')
  // `;` follows `:` in the order of texts.
  const end = `${first.slice(0, -1)};`
  return { dedupeKey: { $gt: first + externalId, $lt: end } }
}
