// Queues the mails of a broadcast, page by page, from the last checkpoint on.
import { randomUUID } from 'node:crypto'
import { queueSends } from '../sends/queue-sends.ts'
import { dedupeKeys, sendIdOf } from '../sends/send-id.ts'
import type { BroadcastContext, SegmentPage } from './broadcast-context.ts'
import type { BroadcastRow } from './broadcast-row.ts'
import { queuedIds } from './measure-broadcast.ts'
import { pauseBroadcast, templatesOf } from './pause-broadcasts.ts'
import { type PageFacts, type PagePlan, planPage } from './plan-page.ts'

/** Contacts of a page: its mails are written in one transaction. */
export const PAGE = 2000
/** Renewed with each page; the broadcast of a process that died goes on after this. */
const LEASE_MS = 60_000

/**
 * Queues mails until all are queued, the cap is reached, the broadcast is not sending any more, or `isOver`.
 * Mails and checkpoint are one transaction: after a crash it goes on where the last one ended.
 *
 * @returns the broadcast as it is then; undefined when another process has it
 */
export async function enqueueRecipients(
  context: BroadcastContext,
  broadcastId: string,
  isOver: () => boolean
): Promise<BroadcastRow | undefined> {
  let broadcast = await takeLease(context, broadcastId)
  if (broadcast === undefined) return undefined
  const { lease = '' } = broadcast
  const categories = await categoriesOf(context, broadcast)
  try {
    while (broadcast.cursor !== null && !isOver()) {
      const { plan, after } = await enqueuePage(context, broadcast, categories)
      if (after === undefined) break
      broadcast = after
      if (!plan.isCapReached) continue
      await pauseFull(context, broadcast)
      break
    }
  } finally {
    await releaseLease(context, broadcastId, lease)
  }
  return broadcast
}

async function enqueuePage(
  context: BroadcastContext,
  broadcast: BroadcastRow,
  categories: PageFacts['categories']
): Promise<{ readonly plan: PagePlan; readonly after: BroadcastRow | undefined }> {
  const { config, clock } = context
  const page = await readPage(context, broadcast, broadcast.cursor ?? undefined)
  const isCapped = broadcast.recipientCap !== undefined
  const plan = planPage(broadcast, page, {
    known: isCapped ? await queuedIds(context, idsOf(broadcast, page)) : new Set(),
    homeZone: config.contactPolicy?.defaultTimezone ?? 'UTC',
    categories,
    now: clock.now()
  })
  return { plan, after: await writePage(context, broadcast, plan) }
}

/** The page of a broadcast's segment at a cursor. */
export function readPage(
  { segments }: BroadcastContext,
  { segmentDefinition, order }: BroadcastRow,
  cursor: string | undefined
): Promise<SegmentPage> {
  return segments.page(segmentDefinition, {
    limit: PAGE,
    ...(cursor !== undefined && { cursor }),
    ...(order !== undefined && { sort: order })
  })
}

/** The ids that the mails of a page have. */
export function idsOf({ _id }: BroadcastRow, { members }: SegmentPage): readonly string[] {
  return members.map(({ contact }) => sendIdOf(dedupeKeys.broadcast(_id, contact.externalId)))
}

/** Undefined when the lease is lost or the broadcast is not sending any more: then nothing is written. */
function writePage(
  context: BroadcastContext,
  { _id, lease }: BroadcastRow,
  { sends, fields }: PagePlan
): Promise<BroadcastRow | undefined> {
  const { broadcasts } = context.collections
  return context.withTransaction(async (session) => {
    const now = context.clock.now()
    const leaseUntil = new Date(now.getTime() + LEASE_MS)
    const held = await broadcasts.findOneAndUpdate(
      { _id, lease: lease ?? '', status: 'sending' },
      { $set: { ...fields, leaseUntil } },
      { session, returnDocument: 'after' }
    )
    if (held === null) return undefined
    const { added } = await queueSends(context, sends, { session })
    if (added === 0) return held
    await broadcasts.updateOne({ _id }, { $inc: { queuedCount: added } }, { session })
    return { ...held, queuedCount: held.queuedCount + added }
  })
}

async function pauseFull(context: BroadcastContext, { _id, recipientCap }: BroadcastRow) {
  const message = `${recipientCap} mails are queued: the cap is reached.`
  await pauseBroadcast(context, { _id }, { code: 'cap_reached', by: 'mailer', message })
}

async function categoriesOf(
  { templates }: BroadcastContext,
  broadcast: BroadcastRow
): Promise<PageFacts['categories']> {
  const published = await templates.load(templatesOf(broadcast))
  return new Map([...published].map(([slug, { category }]) => [slug, category]))
}

async function takeLease(
  { collections, clock }: BroadcastContext,
  _id: string
): Promise<BroadcastRow | undefined> {
  const now = clock.now()
  const leased = await collections.broadcasts.findOneAndUpdate(
    {
      _id,
      status: 'sending',
      $or: [{ leaseUntil: { $exists: false } }, { leaseUntil: { $lte: now } }]
    },
    { $set: { lease: randomUUID(), leaseUntil: new Date(now.getTime() + LEASE_MS) } },
    { returnDocument: 'after' }
  )
  return leased ?? undefined
}

async function releaseLease({ collections }: BroadcastContext, _id: string, lease: string) {
  await collections.broadcasts.updateOne({ _id, lease }, { $unset: { lease: '', leaseUntil: '' } })
}
