// Which mails a page of a segment brings, and where enqueueing goes on after it. Pure.

import type { SegmentPage } from '../../audience/segments/page-of-segment.ts'
import type { MailContact } from '../../contracts/mailer-core.ts'
import type { NewSend } from '../../delivery/sends/queue-sends.ts'
import { isMailable, normalAddress } from '../../ledger/address.ts'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import { dedupeKeys, sendIdOf } from '../../ledger/send-id.ts'
import { localDueAt } from './local-time.ts'
import { templateOfMail } from './split-test.ts'

/** What is known when a page is planned. */
export interface PageFacts {
  /** Ids of mails of the page that are queued already; needed where there is a cap. */
  readonly known: ReadonlySet<string>
  /** The zone whose clock time counts where recipients' zones are respected. */
  readonly homeZone: string
  /** Category by template. */
  readonly categories: ReadonlyMap<string, string | undefined>
  readonly now: Date
}

/** What to do with a page. */
export interface PagePlan {
  readonly sends: readonly NewSend[]
  /** The cap leaves contacts of the page out: it is read again when the cap is raised. */
  readonly isCapReached: boolean
  /** What is written about the broadcast. */
  readonly fields: Pick<BroadcastRow, 'cursor' | 'splitPhase' | 'testQueuedAt'>
}

/** Plans a page. A contact that two pages bring gets one mail: its id derives from broadcast and contact. */
export function planPage(broadcast: BroadcastRow, page: SegmentPage, facts: PageFacts): PagePlan {
  const { recipientCap = Number.POSITIVE_INFINITY, queuedCount } = broadcast
  const mails = new Map<string, NewSend>()
  for (const { contact } of page.members) {
    const id = sendIdOf(dedupeKeys.broadcast(broadcast._id, contact.externalId))
    const templateSlug = facts.known.has(id) ? undefined : templateOfMail(broadcast, id)
    if (templateSlug !== undefined) mails.set(id, newSend(broadcast, contact, templateSlug, facts))
  }
  const fresh = [...mails.values()]
  const sends = fresh.slice(0, Math.max(0, recipientCap - queuedCount))
  const isCapReached = sends.length < fresh.length
  const { cursor } = broadcast
  if (isCapReached) return { sends, isCapReached, fields: cursor === undefined ? {} : { cursor } }
  return { sends, isCapReached, fields: fieldsAfter(broadcast, page, facts.now) }
}

function fieldsAfter(
  { splitPhase }: BroadcastRow,
  { nextCursor }: SegmentPage,
  now: Date
): PagePlan['fields'] {
  if (nextCursor !== undefined) return { cursor: nextCursor }
  if (splitPhase !== 'test') return { cursor: null }
  return { cursor: null, splitPhase: 'deciding', testQueuedAt: now }
}

function newSend(
  broadcast: BroadcastRow,
  { externalId, email, timezone }: MailContact,
  templateSlug: string,
  { homeZone, categories, now }: PageFacts
): NewSend {
  const { _id, slug, respectRecipientTimezone, scheduledAt = now } = broadcast
  const category = categories.get(templateSlug)
  const dueAt = respectRecipientTimezone ? localDueAt(scheduledAt, timezone, homeZone) : now
  return {
    dedupeKey: dedupeKeys.broadcast(_id, externalId),
    lane: 'bulk',
    externalId,
    ...(isMailable(email) && { emailAtSend: normalAddress(email) }),
    kind: 'marketing',
    ...(category !== undefined && { category }),
    templateSlug,
    broadcastId: _id,
    broadcastSlug: slug,
    dueAt: dueAt > now ? dueAt : now
  }
}
