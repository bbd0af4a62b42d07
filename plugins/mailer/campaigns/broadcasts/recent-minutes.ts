// The minutes in which mails of a broadcast left: what its rate is made from.
import type { MailerContext } from '../../ledger/context.ts'
import type { Minute } from './progress-of-broadcast.ts'

const HOUR = 3_600_000
const HOUR_LENGTH = 13

/** Those of this hour and the one before. One query, by ids. */
export async function recentMinutes(
  { collections, clock }: Pick<MailerContext, 'collections' | 'clock'>,
  slug: string
): Promise<readonly Minute[]> {
  const now = clock.now().getTime()
  const ids = [now - HOUR, now].map(
    (time) => `${slug}:${new Date(time).toISOString().slice(0, HOUR_LENGTH)}`
  )
  const rows = await collections.broadcastHours.find({ _id: { $in: ids } }).toArray()
  return rows.flatMap(({ at, minutes = {} }) =>
    Object.entries(minutes).map(([minute, count]) => {
      return { at: new Date(at.getTime() + Number(minute) * 60_000), count }
    })
  )
}
