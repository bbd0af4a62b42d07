// Queues the mails of a broadcast, page by page, from the last checkpoint on.
import type { Lease } from '@keelson/sdk'
import { pageOfSegment, type SegmentPage } from '../../audience/segments/page-of-segment.ts'
import { queueSends } from '../../delivery/sends/queue-sends.ts'
import { normalAddress } from '../../ledger/address.ts'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { type LeftOut, leftOutId, recordLeftOut } from '../../ledger/left-out.ts'
import { dedupeKeys, sendIdOf } from '../../ledger/send-id.ts'
import { pauseBroadcast, templatesOf } from './pause-broadcasts.ts'
import { type PageFacts, type PagePlan, planPage } from './plan-page.ts'

/** The broadcast of a process that died goes on after this. */
const LEASE = { seconds: 60 }

/**
 * Queues mails until all are queued, the cap or the end of a wave is reached, the broadcast is not sending any more, or `isOver`.
 * Mails and checkpoint are one transaction: after a crash it goes on where the last one ended.
 *
 * @returns the broadcast as it is then; undefined when another process has it
 */
export async function enqueueRecipients(
  context: MailerContext,
  broadcastId: string,
  isOver: () => boolean
): Promise<BroadcastRow | undefined> {
  const queued = await context.lease(`broadcast/${broadcastId}`, LEASE, (lease) =>
    enqueuePages(context, broadcastId, { lease, isOver })
  )
  return queued.held ? queued.value : undefined
}

async function enqueuePages(
  context: MailerContext,
  _id: string,
  { lease, isOver }: { readonly lease: Lease; readonly isOver: () => boolean }
): Promise<BroadcastRow | undefined> {
  let broadcast = await context.collections.broadcasts.findOne({ _id, status: 'sending' })
  if (broadcast === null) return undefined
  const categories = await categoriesOf(context, broadcast)
  while (broadcast.cursor !== null && broadcast.nextWaveAt === undefined && !isOver()) {
    const { plan, after } = await enqueuePage(context, broadcast, { categories, lease })
    if (after === undefined) break
    broadcast = after
    if (!plan.isCapReached) continue
    if (after.nextWaveAt === undefined) await pauseFull(context, broadcast)
    break
  }
  return broadcast
}

async function enqueuePage(
  context: MailerContext,
  broadcast: BroadcastRow,
  { categories, lease }: { readonly categories: PageFacts['categories']; readonly lease: Lease }
): Promise<{ readonly plan: PagePlan; readonly after: BroadcastRow | undefined }> {
  const { config, clock } = context
  const page = await readPage(context, broadcast, { cursor: broadcast.cursor, categories })
  const plan = planPage(broadcast, page, {
    ...(comesAgain(broadcast) ? await knownMails(context, broadcast, page) : NONE_KNOWN),
    idOf: idsFor(context, broadcast),
    homeZone: config.contactPolicy?.defaultTimezone ?? 'UTC',
    categories,
    now: clock.now()
  })
  return { plan, after: await writePage(context, broadcast, { plan, lease }) }
}

/** Whether a page may hold contacts whose mail an earlier wave or a test has brought. */
const comesAgain = ({ recipientCap, wavePlan, waves = [], splitPhase }: BroadcastRow): boolean =>
  recipientCap !== undefined || wavePlan !== undefined || waves.length > 1 || splitPhase === 'rest'

/** Where a page begins, and the categories of the templates. */
export interface Place {
  /** Left out: the first page. */
  readonly cursor?: string | null | undefined
  readonly categories: PageFacts['categories']
}

/** A page of the contacts that a broadcast may reach. */
export function readPage(
  context: MailerContext,
  { segmentDefinition, order, leavesOut }: BroadcastRow,
  { cursor, categories }: Place
): Promise<SegmentPage> {
  const category = commonCategory(categories)
  return pageOfSegment(context, segmentDefinition, {
    ...(category !== undefined && { category }),
    ...(typeof cursor === 'string' && { cursor }),
    ...(leavesOut !== undefined && { onlyMailed: true }),
    ...(order !== undefined && { sort: order })
  })
}

/** The keys that the mails of a page have. */
export function keysOf({ _id }: BroadcastRow, { members }: SegmentPage): readonly string[] {
  return members.map(({ contact }) => dedupeKeys.broadcast(_id, contact.externalId))
}

const NONE_KNOWN = { known: new Set<string>(), knownIds: new Set<string>() }

/** The id of the mail of a broadcast to an address. */
function idsFor({ config }: MailerContext, { _id }: BroadcastRow): PageFacts['idOf'] {
  return (email) => sendIdOf(config.unsubscribeSecret, dedupeKeys.broadcastAddress(_id, email))
}

/**
 * What is known of the contacts of a page: those whose mail is queued, or who are left out, by the key of
 * their mail; and the mails to their addresses.
 */
export async function knownMails(
  context: MailerContext,
  broadcast: BroadcastRow,
  page: SegmentPage
): Promise<Pick<PageFacts, 'known' | 'knownIds'>> {
  const { sends, leftOut } = context.collections
  const { _id: broadcastId } = broadcast
  const idOf = idsFor(context, broadcast)
  const contacts = page.members.map(({ contact }) => contact)
  const others = page.excluded.map(({ contact }) => contact)
  const keys = [...contacts, ...others].map(({ externalId }) =>
    dedupeKeys.broadcast(broadcastId, externalId)
  )
  const ids = contacts.map(({ email }) => idOf(normalAddress(email)))
  const [mails, out] = await Promise.all([
    sends
      .find({ $or: [{ dedupeKey: { $in: [...keys] } }, { _id: { $in: ids } }] })
      .project<{ readonly _id: string; readonly dedupeKey: string }>({ dedupeKey: 1 })
      .batchSize(keys.length * 2 + 1)
      .toArray(),
    leftOut
      .find({
        _id: { $in: contacts.map(({ externalId }) => leftOutId({ broadcastId, externalId })) }
      })
      .batchSize(contacts.length + 1)
      .toArray()
  ])
  const known = [
    ...mails.map(({ dedupeKey }) => dedupeKey),
    // Whatever else left a contact out, it is a member now.
    ...out
      .filter(({ reason }) => reason === 'same_address')
      .map(({ externalId }) => dedupeKeys.broadcast(broadcastId, externalId))
  ]
  return { known: new Set(known), knownIds: new Set(mails.map(({ _id }) => _id)) }
}

/** Undefined when the broadcast is not sending any more: then nothing is written, nor when the lease is lost. */
function writePage(
  context: MailerContext,
  { _id }: BroadcastRow,
  { plan, lease }: { readonly plan: PagePlan; readonly lease: Lease }
): Promise<BroadcastRow | undefined> {
  const { broadcasts } = context.collections
  const { sends, fields, leftOut } = plan
  return context.withTransaction(async (session) => {
    await lease.keep(session)
    const { added, ids } = await queueSends(context, sends, { session })
    // An address that an earlier page brought: the key of this contact has no mail.
    const late = sends.flatMap(({ dedupeKey, externalId }): LeftOut[] =>
      ids.has(dedupeKey) ? [] : [{ broadcastId: _id, externalId, reason: 'same_address' }]
    )
    await recordLeftOut(context, [...leftOut, ...late], { session })
    const after = await broadcasts.findOneAndUpdate(
      { _id, status: 'sending' },
      { $set: fields, $inc: { queuedCount: added, ...laterMails(context, sends, ids) } },
      { session, returnDocument: 'after' }
    )
    if (after !== null) return after
    await session.abortTransaction()
    return undefined
  })
}

/** Counts by time for `laterMails`, of the mails that are not due yet. */
function laterMails(
  { clock }: MailerContext,
  sends: PagePlan['sends'],
  ids: ReadonlyMap<string, string>
): Readonly<Record<string, number>> {
  const now = clock.now()
  const later: Record<string, number> = {}
  for (const { dedupeKey, dueAt } of sends) {
    if (dueAt === undefined || dueAt <= now || !ids.has(dedupeKey)) continue
    const field = `laterMails.${dueAt.getTime()}`
    later[field] = (later[field] ?? 0) + 1
  }
  return later
}

async function pauseFull(context: MailerContext, { _id, recipientCap }: BroadcastRow) {
  const message = `${recipientCap} mails are queued: the cap is reached.`
  await pauseBroadcast(context, { _id }, { code: 'cap_reached', by: 'mailer', message })
}

/** Opt-outs of a category count for everybody when all variants have it; the hand-off checks each mail. */
export function commonCategory(categories: PageFacts['categories']): string | undefined {
  const [first, ...others] = new Set(categories.values())
  return others.length === 0 ? first : undefined
}

/** The categories of the templates that its mails are made from. */
export async function categoriesOf(
  { templates }: Pick<MailerContext, 'templates'>,
  broadcast: BroadcastRow
): Promise<PageFacts['categories']> {
  const published = await templates.load(templatesOf(broadcast))
  return new Map([...published].map(([slug, { category }]) => [slug, category]))
}
