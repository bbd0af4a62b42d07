// Which mails a page of a segment brings, and where enqueueing goes on after it. Pure.

import type { SegmentPage } from '../../audience/segments/page-of-segment.ts'
import type { MailContact } from '../../contracts/mailer-core.ts'
import type { NewSend } from '../../delivery/sends/queue-sends.ts'
import { isMailable, normalAddress } from '../../ledger/address.ts'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import { defined } from '../../ledger/defined.ts'
import type { LeftOut } from '../../ledger/left-out.ts'
import { dedupeKeys } from '../../ledger/send-id.ts'
import { NO_ARM } from '../../ledger/send-row.ts'
import type { Arm } from './arms.ts'
import { localDueAt } from './local-time.ts'
import { nextWaveAtOf, waveEndOf } from './plan-waves.ts'
import { armsOfPage } from './split-test.ts'

/** What is known when a page is planned. */
export interface PageFacts {
  /** Keys of mails of the page that are queued already; needed where an earlier wave or test had it. */
  readonly known: ReadonlySet<string>
  /** Ids of those mails, and of others to addresses of the page. */
  readonly knownIds: ReadonlySet<string>
  /** The id of the mail that an address gets. */
  idOf(email: string): string
  /** The zone whose clock time counts where recipients' zones are respected. */
  readonly homeZone: string
  /** Category by template. */
  readonly categories: ReadonlyMap<string, string | undefined>
  readonly now: Date
}

/** What to do with a page. */
export interface PagePlan {
  readonly sends: readonly NewSend[]
  /** Contacts that get no mail. Those whom marketing must not reach are named once the page is through. */
  readonly leftOut: readonly LeftOut[]
  /** The cap, or the end of a wave, leaves contacts of the page out: it is read again for those who follow. */
  readonly isCapReached: boolean
  /** What is written about the broadcast. */
  readonly fields: Pick<
    BroadcastRow,
    'cursor' | 'splitPhase' | 'splitCounts' | 'testQueuedAt' | 'nextWaveAt'
  >
}

/**
 * Plans a page. A contact that two pages bring gets one mail: its key names broadcast and contact. Contacts with
 * one address get one, which the first of them has: its id follows from the address.
 */
export function planPage(broadcast: BroadcastRow, page: SegmentPage, facts: PageFacts): PagePlan {
  const { recipientCap = Number.POSITIVE_INFINITY, queuedCount } = broadcast
  const arms = armsOfPage(broadcast, keysOfAddresses(broadcast, page, facts))
  const { mails, leftOut } = mailsOf(broadcast, page, { ...facts, armOf: arms.of })
  const waveEnd = waveEndOf(broadcast)
  const sends = mails.slice(0, Math.max(0, Math.min(recipientCap, waveEnd) - queuedCount))
  const isCapReached = sends.length < mails.length
  const { cursor } = broadcast
  if (isCapReached) {
    const nextWaveAt = waveEnd < recipientCap ? nextWaveAtOf(broadcast, facts.now) : undefined
    return { sends, leftOut, isCapReached, fields: defined({ cursor, nextWaveAt }) }
  }
  const { counts: splitCounts } = arms
  const fields = {
    ...fieldsAfter(broadcast, page, facts.now),
    ...(splitCounts !== undefined && { splitCounts })
  }
  // The page comes again for those who wait for the winner of a test.
  const others = broadcast.splitPhase === 'test' ? [] : excludedOf(broadcast, page, facts)
  return { sends, leftOut: [...leftOut, ...others], isCapReached, fields }
}

/** A contact who left after an earlier wave or test got its mail. */
function excludedOf(
  { _id: broadcastId }: BroadcastRow,
  { excluded }: SegmentPage,
  { known }: PageFacts
): readonly LeftOut[] {
  return excluded.flatMap(({ contact: { externalId }, reason, detail }): LeftOut[] => {
    if (known.has(dedupeKeys.broadcast(broadcastId, externalId))) return []
    return [{ broadcastId, externalId, reason, ...(detail !== undefined && { detail }) }]
  })
}

function mailsOf(
  broadcast: BroadcastRow,
  { members }: SegmentPage,
  facts: PageFacts & { armOf(key: string): Arm | undefined }
): { readonly mails: readonly NewSend[]; readonly leftOut: readonly LeftOut[] } {
  const mails = new Map<string, NewSend>()
  const taken = new Set(facts.knownIds)
  const leftOut: LeftOut[] = []
  for (const { contact } of members) {
    const { externalId } = contact
    const key = dedupeKeys.broadcast(broadcast._id, externalId)
    if (facts.known.has(key) || mails.has(key)) continue
    const id = idIn(contact, facts)
    if (id !== undefined && taken.has(id)) {
      leftOut.push({ broadcastId: broadcast._id, externalId, reason: 'same_address' })
      continue
    }
    const arm = facts.armOf(key)
    if (arm === undefined) continue
    mails.set(key, newSend(broadcast, contact, arm, facts))
    if (id !== undefined) taken.add(id)
  }
  return { mails: [...mails.values()], leftOut }
}

/** Keys of the mails that a page may bring: one of each contact, and of each address. */
function keysOfAddresses(
  { _id }: BroadcastRow,
  { members }: SegmentPage,
  facts: PageFacts
): readonly string[] {
  const byAddress = new Map<string, string>()
  for (const { contact } of members) {
    const key = dedupeKeys.broadcast(_id, contact.externalId)
    const address = idIn(contact, facts) ?? key
    if (!byAddress.has(address)) byAddress.set(address, key)
  }
  return [...new Set(byAddress.values())]
}

/** The id of the mail to a contact; undefined without an address. */
const idIn = ({ email }: MailContact, { idOf }: Pick<PageFacts, 'idOf'>): string | undefined =>
  isMailable(email) ? idOf(normalAddress(email)) : undefined

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
  contact: MailContact,
  { name: arm, templateSlug, texts, isRest }: Arm,
  facts: PageFacts
): NewSend {
  const { externalId, email, timezone } = contact
  const { homeZone, categories, now } = facts
  const id = idIn(contact, facts)
  const { _id, slug, respectRecipientTimezone, scheduledAt = now } = broadcast
  const category = categories.get(templateSlug)
  const dueAt = respectRecipientTimezone ? localDueAt(scheduledAt, timezone, homeZone) : now
  return {
    dedupeKey: dedupeKeys.broadcast(_id, externalId),
    lane: 'bulk',
    externalId,
    ...(id !== undefined && { id, emailAtSend: normalAddress(email) }),
    kind: 'marketing',
    ...(category !== undefined && { category }),
    templateSlug,
    arm: arm ?? NO_ARM,
    ...(isRest === true && { isRest }),
    ...(Object.keys(texts).length > 0 && { texts }),
    broadcastId: _id,
    broadcastSlug: slug,
    dueAt: dueAt > now ? dueAt : now
  }
}
