// Leaves out the waiting mails of a broadcast to addresses that had no mail before.
import { findMailed } from '../../audience/segments/find-mailed.ts'
import { cancelSends } from '../../delivery/sends/cancel-sends.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { recordLeftOut } from '../../ledger/left-out.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { SendStatus } from '../../ledger/send-status.ts'

const PAGE = 2000
/** Mails that no provider has: those that are held, and those of a later time. */
const WAITING = ['held', 'queued', 'deferred'] as const satisfies readonly SendStatus[]

type Waiting = Pick<SendRow, '_id' | 'externalId' | 'emailAtSend'>

/** How many held mails go to addresses that had no mail before. */
export async function countRiskyHeld(
  context: Pick<MailerContext, 'collections'>,
  broadcastId: string
): Promise<number> {
  let count = 0
  for await (const risky of riskyPages(context, broadcastId, 'held')) count += risky.length
  return count
}

/** Cancels them, and lists their contacts as left out. Safe to repeat. */
export async function leaveOutRisky(context: MailerContext, broadcastId: string): Promise<void> {
  for (const status of WAITING) {
    for await (const risky of riskyPages(context, broadcastId, status)) {
      if (risky.length === 0) continue
      const ids = risky.map(({ _id }) => _id)
      const reason = 'never_mailed'
      await recordLeftOut(
        context,
        risky.map(({ externalId }) => ({ broadcastId, externalId, reason }))
      )
      await cancelSends(context, { _id: { $in: ids } }, reason)
    }
  }
}

/** Pages of the mails in a status, in the order of contacts: those to addresses without mail before. */
async function* riskyPages(
  context: Pick<MailerContext, 'collections'>,
  broadcastId: string,
  status: SendStatus
): AsyncGenerator<readonly Waiting[]> {
  const projection = { externalId: 1, emailAtSend: 1 } as const
  let after = ''
  for (;;) {
    const rows = await context.collections.sends
      .find<Waiting>({ broadcastId, status, externalId: { $gt: after } }, { projection })
      .sort({ externalId: 1 })
      .limit(PAGE)
      .toArray()
    const emails = rows.flatMap(({ emailAtSend }) => emailAtSend ?? [])
    const mailed = await findMailed(context, emails)
    yield rows.filter(({ emailAtSend }) => emailAtSend === null || !mailed.has(emailAtSend))
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last.externalId
  }
}
