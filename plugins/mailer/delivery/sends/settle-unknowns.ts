// Ends the doubt about mails whose outcome is unknown, by what a provider or an operator says of them.
import { DURABLE } from '@keelson/sdk'
import type { Filter } from 'mongodb'
import type { MailerContext } from '../../ledger/context.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { sendUpdate } from '../../ledger/send-update.ts'
import { bringBack, UNKNOWN } from './bring-back.ts'

/** What is said of a mail whose outcome is unknown. `resend` sends it again, although the provider may have it. */
export type UnknownVerdict = 'sent' | 'not_sent' | 'resend'

/** Which mails, and what is known of them besides. */
export interface UnknownMails {
  readonly filter: Filter<SendRow>
  readonly providerMessageId?: string
  readonly errorMessage?: string
}

/** Changes the unknown mails among those that match. @returns how many */
export async function settleUnknowns(
  context: MailerContext,
  verdict: UnknownVerdict,
  { filter, providerMessageId, errorMessage = NOT_SENT }: UnknownMails
): Promise<number> {
  switch (verdict) {
    case 'sent': {
      const known = providerMessageId === undefined ? {} : { providerMessageId }
      const sentAt = { $set: { sentAt: '$attempt.at', provider: '$attempt.provider' } }
      return write(context, filter, [
        sentAt,
        ...sendUpdate({ handoff: 'sent', ...known }, ['errorMessage'])
      ])
    }
    case 'not_sent': {
      const end = { handoff: 'failed', exitReason: 'rejected', errorMessage } as const
      return write(context, filter, sendUpdate(end, ['handedAt']))
    }
    case 'resend':
      return bringBack(context, UNKNOWN, { filter })
  }
}

const NOT_SENT = 'Resolved by hand: it was not sent.'

async function write(
  { collections }: MailerContext,
  filter: Filter<SendRow>,
  stages: ReturnType<typeof sendUpdate>
): Promise<number> {
  const { modifiedCount } = await collections.sends.updateMany(
    { $and: [filter, UNKNOWN] },
    stages,
    DURABLE
  )
  return modifiedCount
}
