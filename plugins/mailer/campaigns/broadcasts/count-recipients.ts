// Counts who a broadcast would still mail, by the same pages that it is queued from.

import { countSegment } from '../../audience/segments/page-of-segment.ts'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { Refusal } from './change-broadcast.ts'
import { segmentFault } from './draft-broadcast.ts'
import { categoriesOf, commonCategory, keysOf, knownMails, readPage } from './enqueue-recipients.ts'
import { countHeld } from './measure-broadcast.ts'

/** Who is still to be mailed. */
export interface RecipientCounts {
  /** Within the cap. */
  readonly recipientCount: number
  /** As if there were no cap. */
  readonly uncappedRecipientCount: number
  /** Queued mails that go out when it is resumed. */
  readonly heldSends: number
}

/** What a count may assume, without being stored. */
export interface CountOptions {
  /** null: no cap. Default: that of the broadcast. */
  readonly recipientCap?: number | null
  /** For drafts. Default: that of the broadcast. */
  readonly segmentDefinition?: unknown
}

/** Counts recipients of a broadcast. */
export async function countBroadcast(
  context: MailerContext,
  slug: string,
  { recipientCap, segmentDefinition }: CountOptions = {}
): Promise<
  | ({ readonly ok: true; readonly alreadySent: number } & RecipientCounts)
  | Refusal<'not_found'>
  | (Refusal<'invalid_segment'> & { readonly message: string })
> {
  const broadcast = await context.collections.broadcasts.findOne({ slug })
  if (broadcast === null) return { ok: false, code: 'not_found' }
  const definition = segmentDefinition ?? broadcast.segmentDefinition
  const message = segmentFault(definition)
  if (message !== undefined) return { ok: false, code: 'invalid_segment', message }
  const asked = withCap({ ...broadcast, segmentDefinition: definition }, recipientCap)
  const counts = await countRecipients(context, asked)
  return { ok: true, alreadySent: broadcast.queuedCount, ...counts }
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
  const [uncappedRecipientCount, heldSends] = await Promise.all([
    queuedCount === 0 ? countAll(context, broadcast) : countRest(context, broadcast),
    countHeld(context, broadcast)
  ])
  const room = Math.max(0, recipientCap - queuedCount)
  return {
    recipientCount: Math.min(uncappedRecipientCount, room),
    uncappedRecipientCount,
    heldSends
  }
}

async function countAll(context: MailerContext, broadcast: BroadcastRow): Promise<number> {
  const category = commonCategory(await categoriesOf(context, broadcast))
  const { eligible } = await countSegment(
    context,
    broadcast.segmentDefinition,
    category === undefined ? {} : { category }
  )
  return eligible
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
