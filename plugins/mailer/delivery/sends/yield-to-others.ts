// The contact policy once more, when attempts are recorded: two processes may have recorded one for the same contact.
import type { HeldUpdate, ItemResult } from '@keelson/sdk'
import { frequencyOf, judgeMail, mailPolicyReach } from '../../audience/policy/mail-policy.ts'
import { recentMarketing } from '../../audience/policy/recent-mail.ts'
import { POLICY_MESSAGES } from './policy-waits.ts'
import type { ReadyMail } from './ready-mail.ts'
import type { SendingBatch } from './sending-batch.ts'
import { settleWait } from './settle-send.ts'
import { type Step, settleKnown } from './step.ts'
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
): Promise<Step<ReadyMail>> {
  const { context, run } = batch
  const policies = frequencyOf(context.config)
  const reach = mailPolicyReach(policies)
  // A mail that the provider may have already has been judged, and counts.
  const judged = mails.filter(({ send, past }) => send.kind === 'marketing' && past.length === 0)
  if (reach === 0 || judged.length === 0) return { go: mails, settled: [] }
  const now = context.clock.now()
  const since = new Date(now.getTime() - reach)
  const emails = judged.map(({ mail }) => mail.record.to)
  const recent = await recentMarketing(context, [...new Set(emails)], since)
  const written: HeldUpdate[] = []
  const yielded = new Map<string, ItemResult>()
  for (const { send, mail } of judged) {
    const others = (recent.get(mail.record.to) ?? []).filter(({ sendId }) => sendId !== send._id)
    const { category } = send
    const verdict = judgeMail(policies, { now, queuedAt: now, category }, others)
    if (verdict.kind === 'go') continue
    const isFirst = others.every(({ sendId }) => send._id < sendId)
    const until = new Date(now.getTime() + (isFirst ? FIRST_AGAIN_MS : OTHERS_AGAIN_MS))
    const { cause } = verdict
    const message = POLICY_MESSAGES[cause]
    const wait = { handoff: 'deferred', cause, message, until } as const
    const { update = [], ...result } = settleWait(send, wait, now)
    yielded.set(send._id, result)
    written.push({ ids: [send._id], update: [...takeBack(send), ...update] })
  }
  // At once: the attempt keeps other mails from the contact.
  if (written.length > 0) await run.update(written)
  return settleKnown(mails, yielded)
}
