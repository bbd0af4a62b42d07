// Starts runs of flows for the contacts of a segment: those who newly entered it, or all at a cron time.

import { createHash } from 'node:crypto'
import { DURABLE, type Lease } from '@keelson/sdk'
import {
  type ExcludedContact,
  pageOfSegment,
  type SegmentPage
} from '../../audience/segments/page-of-segment.ts'
import type { MailContact } from '../../contracts/mailer-core.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { NOT_ENTERED_REASONS, type NotEnteredReason } from '../../ledger/event-rows.ts'
import type { FlowRow, TriggerScan } from '../../ledger/flow-rows.ts'
import {
  type NotEnteredCounts,
  noteNotEntered,
  type RefusedContact
} from '../../ledger/not-entered.ts'
import type { FlowEntry } from './decide-entries.ts'
import { flowsBefore, startRuns } from './event-handler.ts'
import { entryKey, planScan } from './plan-scan.ts'
import { transactionalFlows } from './transactional-flows.ts'

/** How far one tick goes; the next one goes on there. */
export interface TriggerOptions {
  /** Pages of 500 contacts per flow. Default 50. */
  readonly maxPages?: number
}

const PAGE = 500
const MAX_PAGES = 50
const LEASE = { seconds: 60 }

/** Starts runs for contacts who newly are in the segment of a `segment_enter` flow. For the tick. */
export function runSegmentTriggers(
  context: MailerContext,
  options?: TriggerOptions
): Promise<void> {
  return runTriggers(context, 'segment_enter', options)
}

/** Starts runs for all contacts in the segment of a `cron` flow whose time has come. For the tick. */
export function runCronTriggers(context: MailerContext, options?: TriggerOptions): Promise<void> {
  return runTriggers(context, 'cron', options)
}

async function runTriggers(
  context: MailerContext,
  type: 'segment_enter' | 'cron',
  { maxPages = MAX_PAGES }: TriggerOptions = {}
): Promise<void> {
  const flows = await context.collections.flows
    .find({ enabled: true, 'trigger.type': type }, { projection: { _id: 1 } })
    .toArray()
  for (const { _id } of flows) {
    try {
      // One process scans a flow at a time.
      await context.lease(`flow/${_id}`, LEASE, (lease) => scanFlow(context, _id, maxPages, lease))
    } catch (error) {
      context.log.error({ err: error, flow: _id }, 'mailer: the trigger of a flow failed')
    }
  }
}

/** Every page is safe to repeat: it is recorded after its runs are started. */
async function scanFlow(
  context: MailerContext,
  _id: string,
  maxPages: number,
  lease: Lease
): Promise<void> {
  const { collections, clock } = context
  const flow = await collections.flows.findOne({ _id, enabled: true })
  if (flow === null) return
  let scan = flow.version > 0 ? planScan(flow, clock.now()) : undefined
  for (let page = 0; page < maxPages && scan !== undefined && !scan.isDone; page++) {
    scan = await scanPage(context, flow, scan)
    await lease.keep()
    const $set = { triggerScan: scan, lastTriggerScanAt: clock.now() }
    const { matchedCount } = await collections.flows.updateOne(
      { _id, enabled: true },
      { $set },
      DURABLE
    )
    if (matchedCount === 0) return
  }
}

/** Starts the runs of a page. Returns the scan as it goes on. */
async function scanPage(
  context: MailerContext,
  flow: FlowRow,
  scan: TriggerScan
): Promise<TriggerScan> {
  if (flow.trigger.type === 'event') return { ...scan, isDone: true }
  const { segmentDefinition } = flow.trigger
  const page = await pageOfSegment(context, segmentDefinition, {
    limit: PAGE,
    ...(scan.cursor !== undefined && { cursor: scan.cursor })
  })
  const isEntering = flow.trigger.type === 'segment_enter'
  const { accepted, refused } = await acceptedOf(context, flow, page)
  const entering = isEntering ? await withoutKnown(context, flow, accepted) : accepted
  const noted = scan.isBaseline
    ? undefined
    : await enter(context, flow, scan, { contacts: entering, refused })
  if (isEntering) await rememberMembers(context, flow, scan, accepted)
  const { cursor: _cursor, ...known } = scan
  const rest = { ...known, ...(noted !== undefined && { notEntered: noted }) }
  if (page.nextCursor !== undefined) return { ...rest, cursor: page.nextCursor }
  if (isEntering) await forgetLeavers(context, flow, scan)
  return { ...rest, isDone: true }
}

/** Starts the runs of those who enter, and notes who does not. Returns the counts of the scan so far. */
async function enter(
  context: MailerContext,
  flow: FlowRow,
  scan: TriggerScan,
  page: {
    readonly contacts: readonly MailContact[]
    readonly refused: readonly RefusedContact[]
  }
): Promise<NotEnteredCounts | undefined> {
  const { entries, wereInIt } = await entriesOf(context, flow, scan, page.contacts)
  await startRuns(context, entries)
  const refused = [...page.refused, ...wereInIt]
  if (refused.length === 0) return undefined
  return noteNotEntered(context, refused, {
    flowId: flow._id,
    at: context.clock.now(),
    isRenewed: flow.trigger.type === 'cron',
    counts: scan.notEntered ?? {}
  })
}

/** Who may enter: those whom marketing mail may reach; all with an address where it sends transactional mail. */
async function acceptedOf(
  context: MailerContext,
  { _id }: FlowRow,
  { members, excluded }: SegmentPage
): Promise<{
  readonly accepted: readonly MailContact[]
  readonly refused: readonly RefusedContact[]
}> {
  const contacts = members.map(({ contact }) => contact)
  if (excluded.length === 0) return { accepted: contacts, refused: [] }
  const takesAll = (await transactionalFlows(context, [_id])).has(_id)
  const others = excluded.filter(({ reason }) => takesAll && reason !== 'no_address')
  const refused = excluded.filter((one) => !others.includes(one))
  return {
    accepted: [...contacts, ...others.map(({ contact }) => contact)],
    refused: refused.map((one) => {
      return { externalId: one.contact.externalId, reason: reasonOf(one) }
    })
  }
}

/** A subscription in another status is named by it, as with an event. */
function reasonOf({ reason, detail }: ExcludedContact): NotEnteredReason {
  const said = reason === 'not_subscribed' ? detail : reason
  return NOT_ENTERED_REASONS.find((one) => one === said) ?? 'not_subscribed'
}

async function entriesOf(
  context: MailerContext,
  flow: FlowRow,
  scan: TriggerScan,
  contacts: readonly MailContact[]
): Promise<{
  readonly entries: readonly FlowEntry[]
  readonly wereInIt: readonly RefusedContact[]
}> {
  const ids = contacts.map(({ externalId }) => externalId)
  const before = await flowsBefore(context, [flow], ids)
  const wasInIt = ({ externalId }: MailContact) => before.get(externalId)?.has(flow._id) === true
  const entries = contacts
    .filter((contact) => !wasInIt(contact))
    .map(({ externalId, email }): FlowEntry => {
      const key = entryKey(scan, externalId)
      return { flow, externalId, email, key, triggerEvent: null }
    })
  const wereInIt = contacts
    .filter(wasInIt)
    .map(({ externalId }) => ({ externalId, reason: 'was_in_it' }) as const)
  return { entries, wereInIt }
}

const memberId = ({ _id }: FlowRow, externalId: string): string =>
  createHash('sha256')
    .update(JSON.stringify([_id, externalId]))
    .digest('hex')
    .slice(0, 32)

async function withoutKnown(
  { collections }: MailerContext,
  flow: FlowRow,
  contacts: readonly MailContact[]
): Promise<readonly MailContact[]> {
  const ids = contacts.map(({ externalId }) => memberId(flow, externalId))
  const rows = await collections.flowMembers
    .find({ _id: { $in: ids } }, { projection: { _id: 1 } })
    .toArray()
  const known = new Set(rows.map(({ _id }) => _id))
  return contacts.filter((_, at) => !known.has(ids[at] ?? ''))
}

async function rememberMembers(
  { collections }: MailerContext,
  flow: FlowRow,
  { number }: TriggerScan,
  contacts: readonly MailContact[]
): Promise<void> {
  if (contacts.length === 0) return
  const operations = contacts.map(({ externalId }) => ({
    updateOne: {
      filter: { _id: memberId(flow, externalId) },
      update: { $set: { flowId: flow._id, externalId, scan: number } },
      upsert: true
    }
  }))
  await collections.flowMembers.bulkWrite(operations, { ordered: false, ...DURABLE })
}

/** Contacts whom the whole scan did not meet have left, and enter anew when they come back. */
async function forgetLeavers(
  { collections }: MailerContext,
  flow: FlowRow,
  { number }: TriggerScan
): Promise<void> {
  await collections.flowMembers.deleteMany({ flowId: flow._id, scan: { $lt: number } }, DURABLE)
}
