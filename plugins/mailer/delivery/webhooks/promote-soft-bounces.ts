// Addresses that keep bouncing softly are suppressed as if they had bounced hard.
import { findSuppressions } from '../../audience/contacts/find-suppressions.ts'
import { markSubscriptions } from '../../audience/contacts/mark-subscriptions.ts'
import { recordSuppressions } from '../../audience/contacts/record-suppressions.ts'
import { suppressionThatBlocks } from '../../audience/contacts/suppression-rules.ts'
import type { MailerContext } from '../../ledger/context.ts'

const DAY_MS = 86_400_000
const CHUNK = 500

interface BouncingAddress {
  readonly _id: string
  readonly externalIds: readonly string[]
}

/**
 * Suppresses addresses with `softBouncePromotionThreshold` mails that bounced softly within
 * `softBouncePromotionWindowDays`. Called with each tick; safe to repeat. A threshold of 0 or less: never.
 */
export async function promoteSoftBounces(
  context: MailerContext
): Promise<{ readonly promoted: number }> {
  const { config, collections, clock } = context
  const { softBouncePromotionThreshold: threshold, softBouncePromotionWindowDays: days } = config
  if (threshold <= 0) return { promoted: 0 }
  const since = new Date(clock.now().getTime() - days * DAY_MS)
  const addresses = await collections.sends
    .aggregate<BouncingAddress>([
      {
        $match: { bounceType: 'soft', bouncedAt: { $gte: since }, emailAtSend: { $type: 'string' } }
      },
      {
        $group: {
          _id: '$emailAtSend',
          count: { $sum: 1 },
          externalIds: { $addToSet: '$externalId' }
        }
      },
      { $match: { count: { $gte: threshold } } }
    ])
    .toArray()
  let promoted = 0
  for (let at = 0; at < addresses.length; at += CHUNK) {
    promoted += await promote(context, addresses.slice(at, at + CHUNK))
  }
  return { promoted }
}

async function promote(
  context: MailerContext,
  addresses: readonly BouncingAddress[]
): Promise<number> {
  const now = context.clock.now()
  const suppressions = await findSuppressions(
    context,
    addresses.map(({ _id }) => _id)
  )
  const open = addresses.filter(({ _id }) => {
    const lasting = (suppressions.get(_id) ?? []).filter(({ expiresAt }) => expiresAt === null)
    return suppressionThatBlocks(lasting, 'transactional', undefined, now)?.scope !== 'all'
  })
  if (open.length === 0) return 0
  const emails = open.map(({ _id }) => _id)
  const suppression = { scope: 'all', reason: 'hard_bounce', source: 'soft_promotion' } as const
  await recordSuppressions(
    context,
    emails.map((email) => ({ email, ...suppression }))
  )
  const externalIds = open.flatMap((address) => address.externalIds)
  await markSubscriptions(context, { status: 'bounced', externalIds, emails })
  return open.length
}
