// Queues mails: one row each, written before anything else happens to them.
import type { ClientSession } from 'mongodb'
import { domainOf } from '../../ledger/address.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { inChunks } from '../../ledger/in-chunks.ts'
import { sendIdOf } from '../../ledger/send-id.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { NO_PROGRESS, REST_PROGRESS } from '../../ledger/send-status.ts'

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
    | 'arm'
    | 'isRest'
    | 'texts'
    | 'campaign'
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
  /** Where the id was written elsewhere before. Default: `sendIdOf` the key. */
  readonly id?: string
}

/** What queueing came to. */
export interface QueuedSends {
  /** How many are new. */
  readonly added: number
  /** The id of each mail by its key, as it is stored: one that was queued under another secret keeps its own. */
  readonly ids: ReadonlyMap<string, string>
}

/** Writes that are durable, and one command per lane. */
const CHUNK = 2000

/**
 * Queues mails. One whose key was queued before, whatever became of it, is left as it is. Durable when it
 * resolves, or with the session's transaction.
 */
export async function queueSends(
  context: MailerContext,
  sends: readonly NewSend[],
  options: { readonly session?: ClientSession } = {}
): Promise<QueuedSends> {
  const { queues, clock, config } = context
  const now = clock.now()
  const rows = sends.map((send) => sendRow(send, config.unsubscribeSecret, now))
  let added = 0
  for (const lane of ['urgent', 'bulk'] as const) {
    const own = rows.filter((row) => row.lane === lane)
    const queue = lane === 'urgent' ? queues.urgentSends : queues.bulkSends
    for (let at = 0; at < own.length; at += CHUNK) {
      const chunk = own.slice(at, at + CHUNK)
      added += (await queue.add(chunk, { ...options, uniqueBy: 'dedupeKey' })).added
    }
  }
  const ids = new Map(rows.map(({ _id, dedupeKey }) => [dedupeKey, _id]))
  if (added === ids.size) return { added, ids }
  return { added, ids: await storedIds(context, [...ids.keys()], options) }
}

/** The ids of mails that are queued already, by their keys. One query per 2000. */
export async function storedIds(
  { collections }: Pick<MailerContext, 'collections'>,
  dedupeKeys: readonly string[],
  options: { readonly session?: ClientSession } = {}
): Promise<ReadonlyMap<string, string>> {
  const fields = { _id: 1, dedupeKey: 1 } as const
  const rows = await inChunks(dedupeKeys, (chunk) =>
    collections.sends
      .find({ dedupeKey: { $in: chunk } }, { ...options, projection: fields })
      .batchSize(chunk.length + 1)
      .toArray()
  )
  return new Map(rows.map(({ _id, dedupeKey }) => [dedupeKey, _id]))
}

function sendRow({ emailAtSend, id, ...send }: NewSend, secret: string, now: Date): SendRow {
  return {
    _id: id ?? sendIdOf(secret, send.dedupeKey),
    ...send,
    emailAtSend: emailAtSend ?? null,
    ...(emailAtSend !== undefined && { toDomain: domainOf(emailAtSend) }),
    handoff: 'queued',
    status: 'queued',
    progress: send.isRest === true ? REST_PROGRESS : NO_PROGRESS,
    queuedAt: now
  }
}
