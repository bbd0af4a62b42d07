// Counts who a broadcast would still mail, by the same pages that it is queued from.

import type { Static } from '@keelson/sdk'
import { countSegment, type SegmentCount } from '../../audience/segments/page-of-segment.ts'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import type { Refusal } from './change-broadcast.ts'
import { mergedRules, segmentFault, type stopRulesSchema } from './draft-broadcast.ts'
import { categoriesOf, commonCategory, keysOf, knownMails, readPage } from './enqueue-recipients.ts'
import { countRiskyHeld } from './leave-out-risky.ts'
import { countHeld, stopCounts } from './measure-broadcast.ts'
import { type Breach, breachOf } from './stop-rules.ts'

/** Who is still to be mailed. */
export interface RecipientCounts {
  /** Within the cap. */
  readonly recipientCount: number
  /** As if there were no cap. */
  readonly uncappedRecipientCount: number
  /** Queued mails that go out when it is resumed. */
  readonly heldSends: number
  /** Of a broadcast that has queued nothing: what its segment selects, and who of it is left out. */
  readonly segment?: SegmentCount
}

/** What a count may assume, without being stored. */
export interface CountOptions {
  /** null: no cap. Default: that of the broadcast. */
  readonly recipientCap?: number | null
  /** For drafts. Default: that of the broadcast. */
  readonly segmentDefinition?: unknown
  /** Limits to change with the resume. */
  readonly stopRules?: Static<typeof stopRulesSchema>
  /** Without addresses that had no mail before: the stop rules begin to count anew. */
  readonly leaveOut?: 'never_mailed'
}

/** Counts recipients of a broadcast, and says which stop rule keeps it from going on. */
export async function countBroadcast(
  context: MailerContext,
  slug: string,
  options: CountOptions = {}
): Promise<
  | ({
      readonly ok: true
      readonly alreadySent: number
      readonly breach?: Breach
    } & RecipientCounts)
  | Refusal<'not_found'>
  | (Refusal<'invalid_segment'> & { readonly message: string })
> {
  const broadcast = await context.collections.broadcasts.findOne({ slug })
  if (broadcast === null) return { ok: false, code: 'not_found' }
  const definition = options.segmentDefinition ?? broadcast.segmentDefinition
  const message = segmentFault(definition)
  if (message !== undefined) return { ok: false, code: 'invalid_segment', message }
  const asked = resumed({ ...broadcast, segmentDefinition: definition }, options)
  const [counts, breach] = await Promise.all([
    countRecipients(context, asked),
    breachOfResume(context, broadcast, options)
  ])
  const { queuedCount: alreadySent } = broadcast
  return { ok: true, alreadySent, ...counts, ...(breach !== undefined && { breach }) }
}

/** A broadcast as it goes on. */
export function resumed(
  broadcast: BroadcastRow,
  { recipientCap, stopRules, leaveOut }: CountOptions
): BroadcastRow {
  const rules = mergedRules(broadcast.stopRules, stopRules)
  const capped = { ...withCap(broadcast, recipientCap), stopRules: rules }
  return leaveOut === undefined ? capped : { ...capped, leavesOut: leaveOut }
}

/** The stop rule that still keeps a broadcast from going on, with the limits that it would have. */
export async function breachOfResume(
  context: Pick<MailerContext, 'collections'>,
  broadcast: BroadcastRow,
  { stopRules, leaveOut }: CountOptions
): Promise<Breach | undefined> {
  const isStopped = broadcast.pauses?.some(({ code }) => code === 'stop_rule') === true
  if (!isStopped || leaveOut !== undefined) return undefined
  const rules = mergedRules(broadcast.stopRules, stopRules)
  return breachOf(rules, await stopCounts(context, broadcast))
}

/** A broadcast with another cap; null takes it away, undefined leaves it. */
export function withCap(broadcast: BroadcastRow, cap: number | null | undefined): BroadcastRow {
  if (cap === undefined) return broadcast
  const { recipientCap: _, ...rest } = broadcast
  return cap === null ? rest : { ...rest, recipientCap: cap }
}

/** Counts recipients of a broadcast that was read. */
export async function countRecipients(
  context: MailerContext,
  broadcast: BroadcastRow
): Promise<RecipientCounts> {
  const { recipientCap = Number.POSITIVE_INFINITY, queuedCount } = broadcast
  const segment = queuedCount === 0 ? await countAll(context, broadcast) : undefined
  const [uncappedRecipientCount, held, risky] = await Promise.all([
    segment?.eligible ?? countRest(context, broadcast),
    countHeld(context, broadcast),
    broadcast.leavesOut === undefined ? 0 : countRiskyHeld(context, broadcast._id)
  ])
  const room = Math.max(0, recipientCap - queuedCount)
  return {
    recipientCount: Math.min(uncappedRecipientCount, room),
    uncappedRecipientCount,
    heldSends: held - risky,
    ...(segment !== undefined && { segment })
  }
}

async function countAll(context: MailerContext, broadcast: BroadcastRow): Promise<SegmentCount> {
  const category = commonCategory(await categoriesOf(context, broadcast))
  const onlyMailed = broadcast.leavesOut !== undefined
  const { segmentDefinition } = broadcast
  return countSegment(context, segmentDefinition, { ...defined({ category }), onlyMailed })
}

/** After a split test enqueueing begins at the first page again. */
async function countRest(context: MailerContext, broadcast: BroadcastRow): Promise<number> {
  const isTest = broadcast.splitPhase === 'test' || broadcast.splitPhase === 'deciding'
  const categories = await categoriesOf(context, broadcast)
  let cursor = isTest ? undefined : broadcast.cursor
  let count = 0
  while (cursor !== null) {
    const page = await readPage(context, broadcast, { cursor, categories })
    const { known } = await knownMails(context, broadcast, page)
    count += [...new Set(keysOf(broadcast, page))].filter((key) => !known.has(key)).length
    cursor = page.nextCursor ?? null
  }
  return count
}
