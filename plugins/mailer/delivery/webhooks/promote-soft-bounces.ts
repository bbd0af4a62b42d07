// Addresses that keep bouncing, with nothing delivered in between, get no marketing mail for a while.
import { findSuppressions } from '../../audience/contacts/find-suppressions.ts'
import { recordSuppressions } from '../../audience/contacts/record-suppressions.ts'
import { suppressionThatBlocks } from '../../audience/contacts/suppression-rules.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { planPromotion } from './plan-promotion.ts'

const DAY_MS = 86_400_000
const CHUNK = 500
/** Classes that say something about the mailbox itself. Blocks and policies are about the sender. */
const COUNTED = ['mailbox_full', 'unknown'] as const

interface FoundAddress {
  /** The address. */
  readonly _id: string
  readonly bounces: readonly Date[]
}

/**
 * Suppresses addresses with `softBouncePromotionThreshold` mails that bounced within
 * `softBouncePromotionWindowDays`, the last at least `softBouncePromotionMinDays` after the first. The
 * suppression is of marketing mail alone and ends after `softBounceSuppressionDays`. Called with each tick;
 * safe to repeat. A threshold of 0 or less: never.
 */
export async function promoteSoftBounces(
  context: MailerContext
): Promise<{ readonly promoted: number }> {
  const { config, collections, clock } = context
  const { softBouncePromotionThreshold: threshold } = config
  if (threshold <= 0) return { promoted: 0 }
  // Bounces that led to a suppression must not lead to the next one when it ends.
  const days = Math.min(config.softBouncePromotionWindowDays, config.softBounceSuppressionDays)
  const since = new Date(clock.now().getTime() - days * DAY_MS)
  const found = collections.sends.aggregate<FoundAddress>([
    {
      $match: {
        bounceType: 'soft',
        bouncedAt: { $gte: since },
        bounceClass: { $in: COUNTED },
        // What was delivered and answered by a machine.
        deliveredAt: null,
        emailAtSend: { $type: 'string' }
      }
    },
    { $group: { _id: '$emailAtSend', count: { $sum: 1 }, bounces: { $push: '$bouncedAt' } } },
    { $match: { count: { $gte: threshold } } }
  ])
  let promoted = 0
  let chunk: FoundAddress[] = []
  for await (const address of found) {
    chunk.push(address)
    if (chunk.length < CHUNK) continue
    promoted += await promote(context, chunk, since)
    chunk = []
  }
  return { promoted: promoted + (await promote(context, chunk, since)) }
}

async function promote(
  context: MailerContext,
  addresses: readonly FoundAddress[],
  since: Date
): Promise<number> {
  if (addresses.length === 0) return 0
  const { config, clock } = context
  const now = clock.now()
  const rules = {
    threshold: config.softBouncePromotionThreshold,
    minDays: config.softBouncePromotionMinDays
  }
  const emails = addresses.map(({ _id }) => _id)
  const [suppressions, deliveries] = await Promise.all([
    findSuppressions(context, emails),
    findDeliveries(context, emails, since)
  ])
  const expiresAt = new Date(now.getTime() + config.softBounceSuppressionDays * DAY_MS)
  const added = addresses.flatMap(({ _id: email, bounces }) => {
    const plan = planPromotion({ bounces, lastDelivery: deliveries.get(email) }, rules)
    const blocking = suppressionThatBlocks(
      suppressions.get(email) ?? [],
      'marketing',
      undefined,
      now
    )
    if (plan === undefined || blocking !== undefined) return []
    const [from, to, end] = [plan.from, plan.to, expiresAt].map(dayOf)
    const notes = `${plan.count} mails bounced from ${from} to ${to}, and none was delivered since. Marketing mail is held back until ${end}.`
    const cause = { scope: 'marketing', reason: 'hard_bounce', source: 'soft_promotion' } as const
    return [{ email, ...cause, notes, expiresAt }]
  })
  await recordSuppressions(context, added)
  return added.length
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

/** The newest delivery, open or click of each address. Providers that report no deliveries have the others. */
async function findDeliveries(
  { collections }: Pick<MailerContext, 'collections'>,
  emails: readonly string[],
  since: Date
): Promise<ReadonlyMap<string, Date>> {
  const rows = await collections.sends
    .aggregate<{ readonly _id: string; readonly last: Date | null }>([
      { $match: { emailAtSend: { $in: [...emails] }, handedAt: { $gte: since } } },
      {
        $group: {
          _id: '$emailAtSend',
          last: { $max: { $max: ['$deliveredAt', '$humanOpenedAt', '$humanClickedAt'] } }
        }
      }
    ])
    .toArray()
  return new Map(rows.flatMap(({ _id, last }) => (last instanceof Date ? [[_id, last]] : [])))
}
