// Reads what is stored of one contact: all of it for an export, the newest of it for a page.

import { QUEUE_FIELDS } from '@keelson/sdk/queue'
import type { Document, Filter } from 'mongodb'
import type { ContactSubject } from '../../contracts/mailer-contact-data.ts'
import type { MailContact } from '../../contracts/mailer-core.ts'
import { addressHashes } from '../../ledger/address.ts'
import { auditFilters } from '../../ledger/audit/erase-audit.ts'
import type { LeftOutRow } from '../../ledger/broadcast-row.ts'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { SubscriptionRow } from '../../ledger/contact-rows.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { EventRow } from '../../ledger/event-rows.ts'
import type { FlowRunRow, NotEnteredRow } from '../../ledger/flow-rows.ts'
import { inChunks } from '../../ledger/in-chunks.ts'
import type { OutcomeRow } from '../../ledger/outcome-row.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { contactAddresses } from './contact-addresses.ts'
import { withTags } from './tags.ts'
import { withoutCredentials } from './without-credentials.ts'

/** How the queue works on a row does not concern the contact. */
const WITHOUT_QUEUE: Document = Object.fromEntries(QUEUE_FIELDS.map((field) => [field, 0]))
/** Attached files come from the host and may have 7 MB: their names are enough. */
export const SEND_DATA: Document = { ...WITHOUT_QUEUE, 'attachments.content': 0 }
const RECENT = 20
/** The parts of an export that are the mailer's own. */
export const EXPORT_PARTS: readonly string[] = [
  ...['contact', 'subscription', 'suppressions', 'tags', 'events', 'outbox', 'flowRuns'],
  ...['flowMembers', 'sends', 'leftOut', 'notEntered', 'outcomes', 'webhookEvents', 'audit']
]

/** The outcomes of mails, found by the ids that begin with those of the mails. */
export const outcomesOf = (sendIds: readonly string[]): Filter<OutcomeRow> => ({
  _id: { $in: sendIds.map((id) => new RegExp(`^${id}:`)) as unknown as string[] }
})

/**
 * All that the mailer stores of a contact, as plain JSON: times are ISO texts.
 *
 * @throws MLR_INPUT_INVALID
 */
export async function exportContactData(
  context: MailerContext,
  externalId: string
): Promise<Readonly<Record<string, unknown>>> {
  checkedInput('exportContactData', inputs.externalId, externalId)
  const { collections } = context
  const addresses = await contactAddresses(context, externalId)
  const hashes = addresses.flatMap(addressHashes)
  const options = { projection: WITHOUT_QUEUE }
  const sends = await collections.sends.find({ externalId }, { projection: SEND_DATA }).toArray()
  const sendIds = sends.map(({ _id }) => _id)
  const contact = await contactOf(context, externalId)
  const tagged = await collections.contactTags.find({ externalId }).toArray()
  const data = {
    contact,
    subscription: await collections.subscriptions.findOne(
      { externalId },
      { projection: { doiTokenHash: 0 } }
    ),
    suppressions: await collections.suppressions.find({ emailHash: { $in: hashes } }).toArray(),
    // Those that the host's adapter keeps, and those that the mailer keeps beside it.
    tags: [...new Set([...(contact?.tags ?? []), ...tagged.map(({ tag }) => tag)])],
    events: await collections.events.find({ externalId }, options).toArray(),
    outbox: await collections.outbox.find({ 'payload.externalId': externalId }, options).toArray(),
    flowRuns: await collections.flowRuns.find({ externalId }, options).toArray(),
    flowMembers: await collections.flowMembers.find({ externalId }, options).toArray(),
    sends: sends.map((send) => withoutCredentials(context.config, send)),
    leftOut: await collections.leftOut.find({ externalId }).toArray(),
    notEntered: await collections.notEntered.find({ externalId }).toArray(),
    outcomes: await inChunks(sendIds, (ids) =>
      collections.outcomes.find(outcomesOf(ids)).toArray()
    ),
    webhookEvents: await webhookEventsOf(context, addresses, sendIds),
    audit: await auditOf(context, externalId, addresses),
    ...(await contributedData(context, { externalId, addresses }))
  }
  return JSON.parse(JSON.stringify(data))
}

/** What other plugins keep, each part below the name of the plugin. */
async function contributedData(
  { extensions }: MailerContext,
  contact: ContactSubject
): Promise<Readonly<Record<string, unknown>>> {
  const parts: Record<string, unknown> = {}
  for (const kept of extensions.contactData()) parts[kept.name] = await kept.export(contact)
  return parts
}

/** Each once, found by address or by mail. */
async function webhookEventsOf(
  { collections }: MailerContext,
  addresses: readonly string[],
  sendIds: readonly string[]
): Promise<readonly Document[]> {
  const options = { projection: WITHOUT_QUEUE }
  const byAddress = await collections.webhookEvents
    .find({ email: { $in: [...addresses] } }, options)
    .toArray()
  const bySend = await inChunks(sendIds, (ids) =>
    collections.webhookEvents.find({ sendId: { $in: ids } }, options).toArray()
  )
  return onceEach([...byAddress, ...bySend])
}

async function auditOf(
  { collections }: MailerContext,
  externalId: string,
  addresses: readonly string[]
): Promise<readonly Document[]> {
  const found = []
  for (const filter of auditFilters({ externalId, addresses }))
    found.push(...(await collections.auditLog.find(filter).toArray()))
  return onceEach(found)
}

const onceEach = <T extends { readonly _id: string }>(rows: readonly T[]): readonly T[] => [
  ...new Map(rows.map((row) => [row._id, row])).values()
]

async function contactOf(
  context: MailerContext,
  externalId: string
): Promise<MailContact | undefined> {
  const contact = await context.adapter.getById(externalId)
  const [tagged] = contact === null ? [] : await withTags(context, [contact])
  return tagged
}

/** One contact with what happened lately, the newest first. */
export interface ContactDetails {
  readonly contact: MailContact
  readonly subscription: SubscriptionRow | null
  readonly recentEvents: readonly EventRow[]
  readonly recentSends: readonly SendRow[]
  readonly activeRuns: readonly FlowRunRow[]
  /** Runs that have ended. */
  readonly endedRuns: readonly FlowRunRow[]
  /** Broadcasts that left the contact out. */
  readonly recentLeftOut: readonly LeftOutOfBroadcast[]
  /** Flows whose trigger by segment or time did not take the contact. */
  readonly recentNotEntered: readonly NotTakenByFlow[]
}

/** That the trigger of a flow did not take the contact, and why. */
export interface NotTakenByFlow extends Pick<NotEnteredRow, 'reason' | 'at'> {
  /** Its slug. */
  readonly flow: string
}

/** That a broadcast left the contact out, and why. */
export type LeftOutOfBroadcast = Omit<LeftOutRow, '_id' | 'broadcastId'> & {
  /** Its slug; left out when it is deleted. */
  readonly broadcast?: string
}

/** null when the adapter does not have the contact. */
export async function readContact(
  context: MailerContext,
  externalId: string
): Promise<ContactDetails | null> {
  const contact = await contactOf(context, externalId)
  if (contact === undefined) return null
  const { subscriptions, events, sends, flowRuns } = context.collections
  const options = { projection: WITHOUT_QUEUE, limit: RECENT }
  const [subscription, recentEvents, sent, activeRuns, endedRuns, recentLeftOut, recentNotEntered] =
    await Promise.all([
      subscriptions.findOne({ externalId }, { projection: { doiTokenHash: 0 } }),
      events.find({ externalId }, options).sort({ occurredAt: -1 }).toArray(),
      sends
        .find({ externalId }, { ...options, projection: SEND_DATA })
        .sort({ queuedAt: -1 })
        .toArray(),
      flowRuns.find({ externalId, status: 'active' }, options).toArray(),
      flowRuns
        .find({ externalId, status: { $ne: 'active' } }, options)
        .sort({ exitedAt: -1 })
        .toArray(),
      leftOutOf(context, externalId),
      notTakenBy(context, externalId)
    ])
  const recentSends = sent.map((send) => withoutCredentials(context.config, send))
  const recent = { recentEvents, recentSends, recentLeftOut, recentNotEntered }
  return { contact, subscription, activeRuns, endedRuns, ...recent }
}

/** Flows that are deleted are left out. */
async function notTakenBy(
  { collections }: MailerContext,
  externalId: string
): Promise<readonly NotTakenByFlow[]> {
  const rows = await collections.notEntered
    .find({ externalId })
    .sort({ at: -1 })
    .limit(RECENT)
    .toArray()
  if (rows.length === 0) return []
  const ids = rows.map(({ flowId }) => flowId)
  const flows = await collections.flows
    .find({ _id: { $in: ids } }, { projection: { slug: 1 } })
    .toArray()
  const slugs = new Map(flows.map(({ _id, slug }) => [_id, slug]))
  return rows.flatMap(({ flowId, reason, at }) => {
    const flow = slugs.get(flowId)
    return flow === undefined ? [] : [{ flow, reason, at }]
  })
}

async function leftOutOf(
  { collections }: MailerContext,
  externalId: string
): Promise<readonly LeftOutOfBroadcast[]> {
  const rows = await collections.leftOut
    .find({ externalId })
    .sort({ at: -1 })
    .limit(RECENT)
    .toArray()
  if (rows.length === 0) return []
  const ids = rows.map(({ broadcastId }) => broadcastId)
  const broadcasts = await collections.broadcasts
    .find({ _id: { $in: ids } }, { projection: { slug: 1 } })
    .toArray()
  const slugs = new Map(broadcasts.map(({ _id, slug }) => [_id, slug]))
  return rows.map(({ _id, broadcastId, ...row }) => {
    const broadcast = slugs.get(broadcastId)
    return { ...row, ...(broadcast !== undefined && { broadcast }) }
  })
}
