// Starts runs of flows for the contacts of a segment: those who newly entered it, or all at a cron time.

import { createHash } from 'node:crypto'
import { DURABLE, type Lease } from '@keelson/sdk'
import { pageOfSegment, type SegmentPage } from '../../audience/segments/page-of-segment.ts'
import type { MailContact } from '../../contracts/mailer-core.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { FlowRow, TriggerScan } from '../../ledger/flow-rows.ts'
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
  const accepted = await acceptedOf(context, flow, page)
  const entering = isEntering ? await withoutKnown(context, flow, accepted) : accepted
  if (!scan.isBaseline) await startRuns(context, await entriesOf(context, flow, scan, entering))
  if (isEntering) await rememberMembers(context, flow, scan, accepted)
  const { cursor: _cursor, ...rest } = scan
  if (page.nextCursor !== undefined) return { ...rest, cursor: page.nextCursor }
  if (isEntering) await forgetLeavers(context, flow, scan)
  return { ...rest, isDone: true }
}

/** Who may enter: those whom marketing mail may reach; all with an address where it sends transactional mail. */
async function acceptedOf(
  context: MailerContext,
  { _id }: FlowRow,
  { members, excluded }: SegmentPage
): Promise<readonly MailContact[]> {
  const contacts = members.map(({ contact }) => contact)
  const others = excluded.filter(({ reason }) => reason !== 'no_address')
  if (others.length === 0 || !(await transactionalFlows(context, [_id])).has(_id)) return contacts
  return [...contacts, ...others.map(({ contact }) => contact)]
}

async function entriesOf(
  context: MailerContext,
  flow: FlowRow,
  scan: TriggerScan,
  contacts: readonly MailContact[]
): Promise<readonly FlowEntry[]> {
  const ids = contacts.map(({ externalId }) => externalId)
  const before = await flowsBefore(context, [flow], ids)
  return contacts.flatMap(({ externalId, email }): FlowEntry[] => {
    if (before.get(externalId)?.has(flow._id)) return []
    const key = entryKey(scan, externalId)
    return [{ flow, externalId, email, key, triggerEvent: null }]
  })
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
