// Broadcasts that another plugin paused under its name: how many mails wait, and how many of them are risky.
import type { HeldBroadcast } from '../../contracts/mailer-held-mail.ts'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { countRecipients, resumed } from './count-recipients.ts'
import { pausedBy } from './pause-broadcasts.ts'

/** More are not counted. */
const MOST = 5

/** See `heldBroadcasts` of mailer.core/v1. */
export async function heldBroadcasts(
  context: MailerContext,
  by: string
): Promise<readonly HeldBroadcast[]> {
  const rows = await pausedBy(context, by)
  return Promise.all(rows.slice(0, MOST).map((row) => measured(context, row)))
}

async function measured(context: MailerContext, row: BroadcastRow): Promise<HeldBroadcast> {
  const waiting = async (broadcast: BroadcastRow) => {
    const { recipientCount, heldSends } = await countRecipients(context, broadcast)
    return recipientCount + heldSends
  }
  const [held, safe] = await Promise.all([
    waiting(row),
    waiting(resumed(row, { leaveOut: 'never_mailed' }))
  ])
  return { slug: row.slug, name: row.name, held, risky: Math.max(0, held - safe) }
}
