// Waits until a mail is where a caller wants it: woken by its changes.
import type { MailState } from '../contracts/workbench-states.ts'
import type { MailerContext } from '../ledger/context.ts'
import type { MailChanges } from './mail-changes.ts'
import { MAIL_FIELDS, mailState } from './states.ts'

/** A change that the stream missed is seen after this time. */
const LOOK_AGAIN_MS = 1_000

/** How long a caller waits. */
export interface Waiting {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Reads a mail until it fits, or time is up. null when the id is unknown. */
export async function mailWhen(
  { collections, changes }: Pick<MailerContext, 'collections'> & { readonly changes: MailChanges },
  sendId: string,
  isThere: (mail: MailState) => boolean,
  { timeoutMs, signal }: Waiting
): Promise<MailState | null> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const row = await collections.sends.findOne({ _id: sendId }, { projection: MAIL_FIELDS })
    const mail = row && mailState(row)
    const left = deadline - performance.now()
    if (mail === null || isThere(mail) || left <= 0 || signal.aborted) return mail
    await changes.next(sendId, { ms: Math.min(left, LOOK_AGAIN_MS), signal })
  }
}
