// Reads all subscriptions in pages, for plugins that look at all of them.
import type { MailerCore, Subscriber } from '../../contracts/mailer-core.ts'
import type { MailerContext } from '../../ledger/context.ts'

const DEFAULT_LIMIT = 1000
const MAX_LIMIT = 10_000

/** A page in the order of `externalId`, served by an index. */
export async function subscribers(
  { collections }: Pick<MailerContext, 'collections'>,
  { after, limit = DEFAULT_LIMIT, status }: Parameters<MailerCore['subscribers']>[0] = {}
): Promise<readonly Subscriber[]> {
  const rows = await collections.subscriptions
    .find({
      ...(status !== undefined && { status }),
      ...(after !== undefined && { externalId: { $gt: after } })
    })
    .sort({ externalId: 1 })
    .limit(Math.min(Math.max(Math.trunc(limit), 1), MAX_LIMIT))
    .toArray()
  return rows.map(({ externalId, status, subscribedAt, firstSentAt, lastEngagedAt }) => ({
    externalId,
    status,
    subscribedAt: subscribedAt ?? null,
    firstSentAt: firstSentAt ?? null,
    lastEngagedAt: lastEngagedAt ?? null
  }))
}
