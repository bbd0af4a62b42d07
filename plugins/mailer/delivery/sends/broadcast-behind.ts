// The broadcast that the newest mails of a domain with one outcome are all from.
import type { HeldMailReads } from '../../contracts/mailer-held-mail.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { listSends } from './read-sends.ts'

/** Mails that are looked at. */
const MOST = 100

/** See `broadcastBehind` of mailer.core/v1. */
export async function broadcastBehind(
  context: Pick<MailerContext, 'collections'>,
  { senderDomain, status }: Parameters<HeldMailReads['broadcastBehind']>[0]
): ReturnType<HeldMailReads['broadcastBehind']> {
  const { rows } = await listSends(context, {
    status,
    kind: 'marketing',
    sender: senderDomain,
    limit: MOST
  })
  const slug = rows[0]?.broadcastSlug
  if (slug === undefined || rows.some(({ broadcastSlug }) => broadcastSlug !== slug)) return null
  const found = await context.collections.broadcasts.findOne({ slug }, { projection: { name: 1 } })
  return { slug, name: found?.name ?? slug }
}
