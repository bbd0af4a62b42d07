// Mails that a process which was killed had recorded: its journal says which of them were handed over.
import type { HeldUpdate, ItemResult } from '@keelson/sdk'
import { groupedBy } from '../../ledger/grouped-by.ts'
import type { SendAttempt, SendRow } from '../../ledger/send-row.ts'
import { sendUpdate } from '../../ledger/send-update.ts'
import { keyOf, type Recorded } from '../journal/journal-lines.ts'
import type { SendingBatch } from './sending-batch.ts'
import { takeBack } from './take-back.ts'

/**
 * The mails as they are by the journal: one that did not leave is queued again, one that was accepted is sent. One
 * that was on its way, or whose journal is of another machine, stays in doubt. One command, when there are any.
 */
export async function recoverInterrupted(
  batch: SendingBatch,
  sends: readonly SendRow[]
): Promise<readonly SendRow[]> {
  const { journal, results, recovered, run } = batch
  const open = sends.filter(({ handoff, attempt }) => handoff === 'sending' && attempt?.journal)
  if (journal === undefined || open.length === 0) return sends
  const back: SendRow[] = []
  const accepted = new Set<string>()
  for (const [name, group] of groupedBy(open, ({ attempt }) => attempt?.journal ?? '')) {
    const handOvers = journal.read(name)?.handOvers
    if (handOvers === undefined) continue
    for (const send of group) {
      const attempt = send.attempt as SendAttempt
      const recorded = handOvers.get(keyOf(send._id, attempt.number))
      if (recorded?.kind === 'open') continue
      if (recorded?.kind === 'accepted') {
        accepted.add(send._id)
        results.set(send._id, settleAccepted(attempt, recorded))
        recovered.push({ ...send, handoff: 'sent', sentAt: attempt.at })
      } else back.push(withoutAttempt(send, attempt))
    }
  }
  const held = await run.update(back.map(undo))
  const undone = new Map(back.map((send) => [send._id, send]))
  return sends.flatMap((send) => {
    if (accepted.has(send._id)) return []
    const restored = undone.get(send._id)
    if (restored === undefined) return send
    return held.has(send._id) ? restored : []
  })
}

function settleAccepted(
  { at, provider }: SendAttempt,
  { providerMessageId }: Extract<Recorded, { readonly kind: 'accepted' }>
): ItemResult {
  const known = { handoff: 'sent', provider, providerMessageId, sentAt: at } as const
  const gone = ['errorMessage', 'exitReason', 'hold', 'attachments'] as const
  return { state: 'done', update: sendUpdate(known, gone) }
}

/** The mail as it was before the attempt, as far as it is known. */
function withoutAttempt(send: SendRow, attempt: SendAttempt): SendRow {
  const { handedAt: _at, firstAttemptAt, attempt: _attempt, ...row } = send
  const number = attempt.number - 1
  if (number === 0) return { ...row, handoff: 'queued', status: 'queued' }
  const before = { attempt: { ...attempt, number }, ...(firstAttemptAt && { firstAttemptAt }) }
  return { ...row, ...before, handoff: 'queued', status: 'queued' }
}

const undo = (send: SendRow): HeldUpdate => ({
  ids: [send._id],
  update: [...takeBack(send), ...sendUpdate({ handoff: 'queued' })]
})
