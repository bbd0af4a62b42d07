// Applies the contact policy to a batch: which of its marketing mails wait, and until when.
import type { ItemResult } from '@keelson/sdk'
import type { PolicyCause } from '../../audience/policy/contact-policy.ts'
import { hasPolicy, judgeMail, mailPolicyReach } from '../../audience/policy/mail-policy.ts'
import { type RecentMail, recentMarketing } from '../../audience/policy/recent-mail.ts'
import type { MailContact } from '../../contracts/mailer-core.ts'
import { normalAddress } from '../../ledger/address.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { type LeftOut, recordLeftOut } from '../../ledger/left-out.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { SendFacts } from './decide-send.ts'
import { waitsFrom } from './retried.ts'
import type { SendingBatch } from './sending-batch.ts'
import { settleStop, settleWait } from './settle-send.ts'
import { type Step, settleKnown } from './step.ts'

/** What people read about a mail that a rule makes wait. */
export const POLICY_MESSAGES = {
  min_gap: 'The contact got another mail a short while ago.',
  max_per_days: 'The contact got as many mails as the policy allows.',
  category_min_gap: 'The contact got another mail of this category a short while ago.',
  category_max_per_days: 'The contact got as many mails of this category as its policy allows.',
  quiet_hours: 'These are quiet hours for the contact.',
  blackout: 'The policy sends nothing on this day.'
} as const

/** Which mail goes first when only one of several may. */
function priorityOf({ flowRunId, broadcastId, campaign }: SendRow): number {
  if (flowRunId !== undefined) return 0
  if (campaign !== undefined) return 3
  return broadcastId === undefined ? 1 : 2
}

/** The mails that the policy lets go. Broadcasts keep whom it left out. */
export async function waitForPolicy(
  { context }: SendingBatch,
  facts: readonly SendFacts[]
): Promise<Step<SendFacts>> {
  const marketing = facts.filter(({ send }) => send.kind === 'marketing')
  const results = new Map<string, ItemResult>()
  const leftOut: LeftOut[] = []
  if (!hasPolicy(context.config) || marketing.length === 0) return { go: facts, settled: [] }
  const recent = await recentOf(context, marketing)
  const inOrder = marketing.toSorted(
    (left, right) => priorityOf(left.send) - priorityOf(right.send)
  )
  for (const { send, contact } of inOrder) {
    const email = emailOf(contact)
    const known = recent.get(email) ?? []
    // An earlier try of the same mail does not keep it back.
    const others = known.filter(({ sendId }) => sendId !== send._id)
    const waits = waitOf(context, { send, contact, others })
    if (waits?.result.state === 'done') leftOut.push(...leftOutBy(send, waits.cause))
    if (waits !== undefined) results.set(send._id, waits.result)
    // The next mail of this batch to the same address sees this one.
    else recent.set(email, [...known, recentOfSend(send, context.clock.now())])
  }
  await recordLeftOut(context, leftOut)
  return settleKnown(facts, results)
}

const leftOutBy = ({ broadcastId, externalId }: SendRow, detail: string): LeftOut[] =>
  broadcastId === undefined ? [] : [{ broadcastId, externalId, reason: 'policy', detail }]

const recentOfSend = ({ _id: sendId, category }: SendRow, at: Date): RecentMail => ({
  sendId,
  at,
  ...(category !== undefined && { category })
})

async function recentOf(
  context: MailerContext,
  facts: readonly SendFacts[]
): Promise<Map<string, readonly RecentMail[]>> {
  const reach = mailPolicyReach(context.config)
  if (reach === 0) return new Map()
  const since = new Date(context.clock.now().getTime() - reach)
  const emails = [...new Set(facts.map(({ contact }) => emailOf(contact)))]
  return new Map(await recentMarketing(context, emails, since))
}

interface Candidate {
  readonly send: SendRow
  readonly contact: MailContact | undefined
  readonly others: readonly RecentMail[]
}

function waitOf(
  { clock, config }: MailerContext,
  { send, contact, others }: Candidate
): { readonly result: ItemResult; readonly cause: PolicyCause } | undefined {
  const now = clock.now()
  const { timezone } = contact ?? {}
  const { category } = send
  const when = { now, queuedAt: waitsFrom(send), timezone, category }
  const verdict = judgeMail(config, when, others)
  if (verdict.kind === 'go') return undefined
  const { cause } = verdict
  const message = POLICY_MESSAGES[cause]
  const result =
    verdict.kind === 'expired'
      ? settleStop({ handoff: 'cancelled', reason: 'policy_expired', message }, now)
      : settleWait(send, { handoff: 'deferred', cause, message, until: verdict.until }, now)
  return { result, cause }
}

const emailOf = (contact: MailContact | undefined): string => normalAddress(contact?.email ?? '')
