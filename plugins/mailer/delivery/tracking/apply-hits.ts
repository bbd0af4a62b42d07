// Writes a batch of opens and clicks about their sends, with a machine verdict for each.
import type { AnyBulkWriteOperation } from 'mongodb'
import type { MailerContext } from '../../ledger/context.ts'
import { groupedBy } from '../../ledger/grouped-by.ts'
import {
  type NewOutcome,
  OUTCOME_FIELDS,
  outcomeOf,
  recordOutcomes
} from '../../ledger/outcomes/record-outcomes.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { STATUS_STAGE } from '../../ledger/send-status.ts'
import { withdrawReconciled } from '../sends/reconcile-unknown.ts'
import { isTrackingAlive } from '../sends/tracking-addresses.ts'
import { logUnsigned, mayBeUnsigned } from '../sends/tracking-signature.ts'
import type { Hit } from './hit.ts'
import { hitStages, reclassifyStages } from './hit-stages.ts'
import { findMachineSpans, isInSpan, judgeHit, type MachineSpan } from './machine-verdict.ts'

type HitContext = Pick<MailerContext, 'collections' | 'clock' | 'queues' | 'log'>

/** What a hit needs to know of its send. */
const SEND_FIELDS = {
  ...OUTCOME_FIELDS,
  dedupeKey: 1,
  handoff: 1,
  queuedAt: 1,
  sentAt: 1,
  deliveredAt: 1
} as const

/** Which hits count. */
export interface HitRules {
  /** How long the addresses of a mail are tracked. Default 0: for ever. */
  readonly lifetimeDays?: number
  /** Addresses without a signature count for mail that was queued before. Default: whenever. */
  readonly unsignedBefore?: Date | undefined
}

/** Adds hits to their sends, safe to repeat. Hits of unknown sends are dropped, and those that the rules refuse. */
export async function applyHits(
  context: HitContext,
  hits: readonly Hit[],
  rules: HitRules = {}
): Promise<void> {
  if (hits.length === 0) return
  const { sends } = context.collections
  const found = await sends
    .find({ _id: { $in: [...new Set(hits.map(({ sendId }) => sendId))] } })
    .project<SendRow>(SEND_FIELDS)
    .toArray()
  const rows = new Map(found.map((row) => [row._id, row]))
  const counted = hits.flatMap((hit): JudgedHit[] => {
    const send = rows.get(hit.sendId)
    return send !== undefined && isCounted(context, hit, send, rules) ? [judged(hit, send)] : []
  })
  if (counted.length === 0) return
  const bySend = groupedBy(counted, ({ hit }) => hit.sendId)
  const operations = [...bySend].map(([_id, own]): AnyBulkWriteOperation<SendRow> => {
    return { updateOne: { filter: { _id }, update: hitStages(newHits(own)) } }
  })
  await sends.bulkWrite(operations, { ordered: false })
  const reconciled = [...bySend.keys()].filter((id) => rows.get(id)?.handoff === 'unknown')
  await withdrawReconciled(context, reconciled)
  await recordEngagement(context, await withSpans(context, counted))
}

function isCounted(
  { log }: HitContext,
  hit: Hit,
  send: SendRow,
  { lifetimeDays = 0, unsignedBefore }: HitRules
): boolean {
  if (hit.isUnsigned) {
    const isTaken = mayBeUnsigned(send, unsignedBefore)
    logUnsigned(log, { sendId: hit.sendId, scope: 'open' }, isTaken)
    if (!isTaken) return false
  }
  return isTrackingAlive(send.queuedAt, lifetimeDays, hit.at)
}

interface JudgedHit {
  readonly hit: Hit
  readonly send: SendRow
  readonly reasons: readonly string[]
}

function judged(hit: Hit, send: SendRow): JudgedHit {
  const { kind } = hit
  if (kind === 'honeypot') return { hit, send, reasons: [...hit.reasons, 'honeypot'] }
  const reasons = judgeHit({ ...hit, kind }, hit.reasons, {
    ...send,
    sentAt: send.sentAt ?? send.attempt?.at ?? send.queuedAt
  })
  return { hit, send, reasons }
}

function newHits(own: readonly JudgedHit[]) {
  const of = (wanted: Hit['kind']) => own.filter(({ hit }) => hit.kind === wanted)
  return {
    opens: of('open').map(({ hit, reasons }) => ({ ...visitor(hit, reasons), openedAt: hit.at })),
    clicks: of('click').map(({ hit, reasons }) => ({
      ...visitor(hit, reasons),
      linkId: hit.link?.linkId ?? '',
      url: hit.link?.url ?? '',
      clickedAt: hit.at
    })),
    honeypotVisits: of('honeypot').map(({ hit }) => ({ ...visitor(hit, []), at: hit.at }))
  }
}

const visitor = ({ id, userAgent, ip }: Hit, reasons: readonly string[]) => ({
  id,
  ...(userAgent !== undefined && { userAgent }),
  ...(ip !== undefined && { ip }),
  ...(reasons.length > 0 && { machine: reasons })
})

/**
 * Looks at all hits of sends that were clicked: a burst over all links, or a visit of the honeypot, makes
 * hits of earlier batches and of other processes a machine's, too.
 */
async function withSpans(
  { collections }: HitContext,
  counted: readonly JudgedHit[]
): Promise<readonly JudgedHit[]> {
  const { sends } = collections
  const clicked = new Set(counted.flatMap(({ hit }) => (hit.kind === 'open' ? [] : [hit.sendId])))
  if (clicked.size === 0) return counted
  const rows = await sends
    .find({ _id: { $in: [...clicked] } })
    .project<SendRow>({ links: 1, clickedLinks: 1, honeypotVisits: 1 })
    .toArray()
  const spans = new Map<string, readonly MachineSpan[]>()
  for (const row of rows) {
    const found = findMachineSpans(row)
    if (found.length > 0) spans.set(row._id, found)
  }
  if (spans.size === 0) return counted
  const operations = [...spans].map(([_id, own]): AnyBulkWriteOperation<SendRow> => {
    return { updateOne: { filter: { _id }, update: [...reclassifyStages(own), STATUS_STAGE] } }
  })
  await sends.bulkWrite(operations, { ordered: false })
  return counted.map((one) => {
    const own = spans.get(one.hit.sendId)?.filter((span) => isInSpan(span, one.hit)) ?? []
    return { ...one, reasons: [...one.reasons, ...own.map(({ reason }) => reason)] }
  })
}

/** Outcomes are at most two per mail and link, one of people and one of machines, whatever the volume. */
async function recordEngagement(context: HitContext, counted: readonly JudgedHit[]): Promise<void> {
  const outcomes = counted.flatMap(({ hit, send, reasons }): NewOutcome[] => {
    const { kind: type, at: occurredAt } = hit
    if (type === 'honeypot') return []
    const isMachine = reasons.length > 0
    const by = isMachine ? 'machine' : 'person'
    const eventId = type === 'click' ? `${hit.link?.linkId ?? ''}:${by}` : by
    return [outcomeOf(send, { type, occurredAt, isMachine, eventId })]
  })
  await recordOutcomes(context, outcomes)
  const people = counted.filter(({ reasons }) => reasons.length === 0)
  if (people.length === 0) return
  await context.collections.subscriptions.bulkWrite(
    people.map(({ hit, send }) => ({
      updateOne: {
        filter: { externalId: send.externalId },
        update: { $max: { lastEngagedAt: hit.at } }
      }
    })),
    { ordered: false }
  )
}
