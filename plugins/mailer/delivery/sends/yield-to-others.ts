// The contact policy once more, when attempts are recorded: two processes may have recorded one for the same contact.
import { frequencyOf, judgeMail, mailPolicyReach } from '../../audience/policy/mail-policy.ts'
import { recentMarketing } from '../../audience/policy/recent-mail.ts'
import { POLICY_MESSAGES } from './policy-waits.ts'
import type { ReadyMail, SendingBatch } from './sending-batch.ts'
import { settleWait } from './settle-send.ts'
import { takeBack } from './take-back.ts'

/** Both of two mails may yield. The one with the first id is due again first, and goes. */
const FIRST_AGAIN_MS = 2_000
const OTHERS_AGAIN_MS = 10_000

/**
 * The recorded mails that may leave. Each process records its attempt before it looks, so of two mails that
 * must not both leave, at least one sees the other, and its attempt is taken back.
 */
export async function yieldToOthers(
  batch: SendingBatch,
  mails: readonly ReadyMail[]
): Promise<readonly ReadyMail[]> {
  const { context, results, run } = batch
  const policies = frequencyOf(context.config)
  const reach = mailPolicyReach(policies)
  // A mail that the provider may have already has been judged, and counts.
  const judged = mails.filter(({ send, past }) => send.kind === 'marketing' && past.length === 0)
  if (reach === 0 || judged.length === 0) return mails
  const now = context.clock.now()
  const since = new Date(now.getTime() - reach)
  const emails = judged.map(({ mail }) => mail.handed.to)
  const recent = await recentMarketing(context, [...new Set(emails)], since)
  const yielding = judged.flatMap(({ send, mail }) => {
    const others = (recent.get(mail.handed.to) ?? []).filter(({ sendId }) => sendId !== send._id)
    const { category } = send
    const verdict = judgeMail(policies, { now, queuedAt: now, category }, others)
    if (verdict.kind === 'go') return []
    const isFirst = others.every(({ sendId }) => send._id < sendId)
    const until = new Date(now.getTime() + (isFirst ? FIRST_AGAIN_MS : OTHERS_AGAIN_MS))
    const { cause } = verdict
    const message = POLICY_MESSAGES[cause]
    const wait = { handoff: 'deferred', cause, message, until } as const
    const { update = [], ...result } = settleWait(send, wait, now)
    results.set(send._id, result)
    return { ids: [send._id], update: [...takeBack(send), ...update] }
  })
  if (yielding.length === 0) return mails
  // At once: the attempt keeps other mails from the contact.
  await run.update(yielding)
  const yielded = new Set(yielding.flatMap(({ ids }) => ids))
  return mails.filter(({ send }) => !yielded.has(send._id))
}
