// Counts the mails that wait for providers; each count is answered by an index.
import type { MailerContext } from '../../ledger/context.ts'
import type { Outage } from '../../ledger/state-row.ts'
import { isDown } from './outage-rules.ts'
import { readOutages } from './outages.ts'

/** Mails that wait for one provider. */
export interface WaitingMails {
  readonly provider: string
  readonly count: number
  /** When the provider was last known to take mail. */
  readonly since: Date
  /** The words of its failure. */
  readonly reason: string
  readonly nextProbeAt: Date
}

/** Mails are counted to so many. */
const MOST = 10_000

/** By provider that takes no mail: the mails of a broadcast, or all mails, up to 10,000 of each. */
export async function waitingMails(
  context: Pick<MailerContext, 'collections'>,
  broadcastId?: string
): Promise<readonly WaitingMails[]> {
  const down = [...(await readOutages(context))].filter(([, outage]) => isDown(outage))
  return Promise.all(down.map((one) => waitingFor(context, one, broadcastId)))
}

async function waitingFor(
  { collections }: Pick<MailerContext, 'collections'>,
  [provider, { since, reason, nextProbeAt }]: readonly [string, Outage],
  broadcastId: string | undefined
): Promise<WaitingMails> {
  const waiting = { 'waiting.provider': provider }
  const count =
    broadcastId === undefined
      ? await collections.sends.countDocuments(waiting, { limit: MOST })
      : await collections.sends.countDocuments({ ...waiting, lane: 'bulk', broadcastId })
  return { provider, count, since, reason, nextProbeAt }
}
