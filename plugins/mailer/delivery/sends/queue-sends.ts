// Queues mails: one row each, written before anything else happens to them.
import type { ClientSession } from 'mongodb'
import type { MailerContext } from '../../ledger/context.ts'
import { sendIdOf } from '../../ledger/send-id.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { NO_PROGRESS } from '../../ledger/send-status.ts'

/** A mail to be queued: the same `dedupeKey` is the same mail, for ever (see `dedupeKeys`). */
export interface NewSend
  extends Pick<
    SendRow,
    | 'dedupeKey'
    | 'lane'
    | 'externalId'
    | 'kind'
    | 'category'
    | 'templateSlug'
    | 'flowRunId'
    | 'flowSlug'
    | 'broadcastId'
    | 'broadcastSlug'
    | 'program'
    | 'manualSendBy'
    | 'providerOverride'
    | 'vars'
    | 'event'
    | 'operatorMail'
    | 'attachments'
    | 'dueAt'
  > {
  /** Lower case; left out where it is not known yet. */
  readonly emailAtSend?: string
}

/** Writes that are durable, and one command per lane. */
const CHUNK = 2000

/**
 * Queues mails. One that was queued before, whatever became of it, is left as it is. Durable when it
 * resolves, or with the session's transaction.
 *
 * @returns how many are new
 */
export async function queueSends(
  { queues, clock }: MailerContext,
  sends: readonly NewSend[],
  options: { readonly session?: ClientSession } = {}
): Promise<{ readonly added: number }> {
  const now = clock.now()
  let added = 0
  for (const lane of ['urgent', 'bulk'] as const) {
    const rows = sends.filter((send) => send.lane === lane).map((send) => sendRow(send, now))
    const queue = lane === 'urgent' ? queues.urgentSends : queues.bulkSends
    for (let at = 0; at < rows.length; at += CHUNK) {
      added += (await queue.add(rows.slice(at, at + CHUNK), options)).added
    }
  }
  return { added }
}

function sendRow({ emailAtSend, ...send }: NewSend, now: Date): SendRow {
  return {
    _id: sendIdOf(send.dedupeKey),
    ...send,
    emailAtSend: emailAtSend ?? null,
    handoff: 'queued',
    status: 'queued',
    progress: NO_PROGRESS,
    queuedAt: now
  }
}
