// The state of a batch while its mails are sent: steps read it, and one function writes what they settle.
import type { ItemResult } from '@keelson/sdk'
import type { SendRow } from '../../ledger/send-row.ts'
import type { NamedHold } from './ask-gates.ts'
import type { AnsweredMail } from './ready-mail.ts'
import type { BatchParts, SendingBatch } from './sending-batch.ts'

/** Opens a batch that was claimed now. */
export function openBatch({
  freshMs,
  ...parts
}: BatchParts & { readonly freshMs: number }): SendingBatch {
  const results = new Map<string, ItemResult>()
  const pauses = new Map<string, NamedHold>()
  const unwritten = new Set<SendRow>()
  const answered: AnsweredMail[] = []
  const recovered: SendRow[] = []
  return {
    ...parts,
    results,
    pauses,
    unwritten,
    answered,
    recovered,
    probes: new Map(),
    own: undefined,
    watch: {
      freshMs,
      readAt: Number.NEGATIVE_INFINITY,
      stops: { changes: 0, pause: null, outages: new Map() },
      facts: [],
      stopped: new Set(),
      reading: undefined
    },
    startedAt: performance.now(),
    settle({ go, settled }) {
      for (const { send, result, ...more } of settled) {
        results.set(send._id, result)
        if (more.pause !== undefined) pauses.set(send.broadcastId ?? '', more.pause)
        if (more.recovered !== undefined) recovered.push(more.recovered)
        if (more.answered === undefined) continue
        answered.push(more.answered)
        unwritten.add(send)
      }
      return go
    }
  }
}
