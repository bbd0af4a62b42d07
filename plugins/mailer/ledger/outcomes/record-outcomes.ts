// Writes what happened to mails into the feed; recording an outcome twice changes nothing.
import { insertNew } from '@keelson/sdk'
import type { MailOutcome } from '../../contracts/mailer-core.ts'
import type { BounceClass } from '../../contracts/mailer-provider.ts'
import { domainOf } from '../../ledger/address.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { OutcomeRow } from '../../ledger/outcome-row.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { mailboxProviderOf } from '../mailbox-provider.ts'

/** An outcome to be recorded. */
export interface NewOutcome extends MailOutcome {
  /** Tells outcomes of one type of one mail apart. Left out: a mail has that outcome once. */
  readonly eventId?: string
}

/** The fields of a send that its outcomes repeat, as a projection; `_id` is always there. */
export const OUTCOME_FIELDS = {
  externalId: 1,
  emailAtSend: 1,
  kind: 1,
  provider: 1,
  attempt: 1,
  from: 1,
  templateSlug: 1,
  broadcastSlug: 1,
  flowSlug: 1,
  campaign: 1
} as const

/** The part of a send that its outcomes repeat. */
export type OutcomeSource = Pick<SendRow, '_id' | keyof typeof OUTCOME_FIELDS>

/** An outcome of a send, with what the feed says about the send. */
export function outcomeOf(
  send: OutcomeSource,
  {
    bounceClass,
    ...outcome
  }: Pick<NewOutcome, 'type' | 'occurredAt' | 'eventId'> & {
    readonly isMachine?: boolean
    readonly bounceClass?: BounceClass | undefined
  }
): NewOutcome {
  return {
    isMachine: false,
    ...outcome,
    ...(bounceClass !== undefined && { bounceClass }),
    sendId: send._id,
    externalId: send.externalId,
    kind: send.kind,
    senderDomain: send.from === undefined ? null : domainOf(send.from.email),
    recipientDomain: domainOf(send.emailAtSend ?? ''),
    mailboxProvider: mailboxProviderOf(send.emailAtSend ?? ''),
    provider: send.provider ?? send.attempt?.provider ?? '',
    templateSlug: send.templateSlug,
    broadcastSlug: send.broadcastSlug ?? null,
    flowSlug: send.flowSlug ?? null,
    ...(send.campaign !== undefined && {
      campaign: { kind: send.campaign.kind, slug: send.campaign.slug }
    })
  }
}

/** Records outcomes; those that the feed has are left as they are. Durable when it resolves. */
export async function recordOutcomes(
  { collections, clock }: Pick<MailerContext, 'collections' | 'clock'>,
  outcomes: readonly NewOutcome[]
): Promise<void> {
  if (outcomes.length === 0) return
  const recordedAt = clock.now()
  const rows = outcomes.map(({ eventId, ...outcome }): OutcomeRow => {
    const suffix = eventId === undefined ? '' : `:${eventId}`
    const _id = `${outcome.sendId}:${outcome.type}${suffix}`
    return { ...outcome, _id, recordedAt, unplaced: true }
  })
  await insertNew(collections.outcomes, rows)
}
