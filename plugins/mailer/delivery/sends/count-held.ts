// Counts the mails that a gate holds for a sender domain, without those of broadcasts.
import type { Filter } from 'mongodb'
import type { HeldMailReads } from '../../contracts/mailer-held-mail.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { SendRow } from '../../ledger/send-row.ts'

const MOST_COUNTED = 10_000

/** Served by the index of holds, which has the mails alone that gates hold. */
export const heldFilter = ({
  senderDomain,
  error
}: Parameters<HeldMailReads['countHeld']>[0]): Filter<SendRow> => ({
  'hold.senderDomain': { $eq: senderDomain, $exists: true },
  'hold.cause': error,
  broadcastId: { $exists: false },
  status: 'held'
})

/** See `countHeld` of mailer.core/v1. */
export const countHeld = (
  { collections }: Pick<MailerContext, 'collections'>,
  by: Parameters<HeldMailReads['countHeld']>[0]
): Promise<number> => collections.sends.countDocuments(heldFilter(by), { limit: MOST_COUNTED })
