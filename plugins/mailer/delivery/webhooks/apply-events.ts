// Applies webhook events in a batch: safe to repeat, in any order.
import { DURABLE } from '@keelson/sdk'
import type { AnyBulkWriteOperation } from 'mongodb'
import { markSubscriptions } from '../../audience/contacts/mark-subscriptions.ts'
import { recordSuppressions } from '../../audience/contacts/record-suppressions.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { groupedBy } from '../../ledger/grouped-by.ts'
import { outcomeOf, recordOutcomes } from '../../ledger/outcomes/record-outcomes.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { WebhookEventRow } from '../../ledger/webhook-row.ts'
import { withdrawReconciled } from '../sends/reconcile-unknown.ts'
import { applyHits } from '../tracking/apply-hits.ts'
import type { Hit } from '../tracking/hit.ts'
import { judgeVisit } from '../tracking/machine-verdict.ts'
import { findEventSends } from './find-event-sends.ts'
import { type Effects, factStages, planEffects } from './plan-effects.ts'

interface PlannedEvent {
  readonly event: WebhookEventRow
  readonly effects: Effects
  readonly send: SendRow | undefined
}

/** Applies all effects, those on addresses first. @returns the mail of each event, by the event's id */
export async function applyEvents(
  context: MailerContext,
  events: readonly WebhookEventRow[],
  isMachineAgent: (userAgent: string) => boolean
): Promise<ReadonlyMap<string, SendRow>> {
  const sends = await findEventSends(context, events)
  const planned = events.map((event): PlannedEvent => {
    return { event, effects: planEffects(event), send: sends.get(event._id) }
  })
  await applyToAddresses(context, planned)
  await applyToSends(context, planned)
  await applyHits(context, hitsOf(planned, isMachineAgent))
  await recordOutcomes(
    context,
    planned.flatMap(({ event, effects, send }) => {
      const { outcome: type, bounceClass } = effects
      if (type === undefined || send === undefined) return []
      return [outcomeOf(send, { type, occurredAt: event.occurredAt, bounceClass })]
    })
  )
  return sends
}

/** The address that was mailed is what an event is about; one of no mail of ours, or another one in it, is only kept. */
async function applyToAddresses(
  context: MailerContext,
  planned: readonly PlannedEvent[]
): Promise<void> {
  const affected = planned.flatMap(({ event, effects, send }) => {
    const { emailAtSend: email = null, externalId } = send ?? {}
    if (effects.address === undefined || email === null || externalId === undefined) return []
    return [{ email, externalId, source: `webhook:${event.provider}`, ...effects.address }]
  })
  await recordSuppressions(context, affected)
  for (const [, group] of groupedBy(affected, ({ status }) => status)) {
    const [{ status } = {}] = group
    if (status === undefined) continue
    const emails = group.map(({ email }) => email)
    const externalIds = group.map(({ externalId }) => externalId)
    const reason = status === 'unsubscribed' ? 'provider' : undefined
    await markSubscriptions(context, { status, externalIds, emails, reason })
  }
}

async function applyToSends(
  context: MailerContext,
  planned: readonly PlannedEvent[]
): Promise<void> {
  const known = planned.flatMap(({ effects, send }) => (send ? [{ effects, send }] : []))
  if (known.length === 0) return
  const groups = groupedBy(known, ({ send }) => send._id)
  const operations = [...groups].map(([_id, group]): AnyBulkWriteOperation<SendRow> => {
    const update = factStages(group.flatMap(({ effects }) => effects.facts))
    return { updateOne: { filter: { _id }, update } }
  })
  await context.collections.sends.bulkWrite(operations, { ordered: false, ...DURABLE })
  const unknown = known.filter(({ send }) => send.handoff === 'unknown')
  await withdrawReconciled(context, [...new Set(unknown.map(({ send }) => send._id))])
}

function hitsOf(
  planned: readonly PlannedEvent[],
  isMachineAgent: (userAgent: string) => boolean
): Hit[] {
  return planned.flatMap(({ event, send }): Hit[] => {
    const { type: kind, details } = event
    if (send === undefined || (kind !== 'open' && kind !== 'click')) return []
    const { userAgent, url = '', machineOpen } = details
    const linkId = send.links?.find((link) => link.url === url)?.linkId ?? ''
    return [
      {
        kind,
        id: event._id,
        sendId: send._id,
        at: event.occurredAt,
        reasons: [
          ...judgeVisit({ userAgent }, isMachineAgent),
          ...(machineOpen === true ? (['vendor'] as const) : [])
        ],
        ...(userAgent !== undefined && { userAgent }),
        ...(kind === 'click' && { link: { linkId, url } })
      }
    ]
  })
}
