// Mails that a process which was killed had recorded: its journal says which of them were delivered.
import type { HeldUpdate, ItemResult } from '@keelson/sdk'
import { groupedBy } from '../../ledger/grouped-by.ts'
import type { SendAttempt, SendRow } from '../../ledger/send-row.ts'
import { sendUpdate } from '../../ledger/send-update.ts'
import { keyOf, type Recorded } from '../journal/journal-lines.ts'
import type { SendingBatch } from './sending-batch.ts'
import { type Step, settleSome } from './step.ts'
import { takeBack } from './take-back.ts'

/**
 * The mails as they are by the journal: one that did not leave is queued again, one that was accepted is sent. One
 * that was on its way, or whose journal is of another machine, stays in doubt. One command, when there are any.
 */
export async function recoverInterrupted(
  batch: SendingBatch,
  sends: readonly SendRow[]
): Promise<Step<SendRow>> {
  const recorded = recordedIn(batch, sends)
  if (recorded.size === 0) return { go: sends, settled: [] }
  const { go, settled } = settleSome(sends, (send) => {
    const found = recorded.get(send._id)
    if (found?.kind !== 'accepted') return undefined
    const { attempt } = send as InterruptedSend
    const recovered: SendRow = { ...send, handoff: 'sent', sentAt: attempt.at }
    return { result: settleAccepted(attempt, found), recovered }
  })
  const back = new Map(
    go
      .filter(({ _id }) => recorded.has(_id))
      .map((send) => [send._id, withoutAttempt(send as InterruptedSend)])
  )
  const held = await batch.run.update([...back.values()].map(undo))
  // A mail that another process has by now is not this batch's.
  const own = go.filter(({ _id }) => !back.has(_id) || held.has(_id))
  return { go: own.map((send) => back.get(send._id) ?? send), settled }
}

type InterruptedSend = SendRow & { readonly attempt: SendAttempt }

/** What the journals say of the mails whose process has ended, but for those that were on their way. */
function recordedIn(
  { journal }: SendingBatch,
  sends: readonly SendRow[]
): ReadonlyMap<string, Recorded | undefined> {
  const known = new Map<string, Recorded | undefined>()
  if (journal === undefined) return known
  const open = sends.filter(({ handoff, attempt }) => handoff === 'sending' && attempt?.journal)
  for (const [name, group] of groupedBy(open, ({ attempt }) => attempt?.journal ?? '')) {
    const deliveries = journal.read(name)?.deliveries
    if (deliveries === undefined) continue
    for (const { _id, attempt } of group) {
      const recorded = deliveries.get(keyOf(_id, attempt?.number ?? 0))
      if (recorded?.kind !== 'open') known.set(_id, recorded)
    }
  }
  return known
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
function withoutAttempt(send: InterruptedSend): SendRow {
  const { handedAt: _at, firstAttemptAt, attempt, ...row } = send
  const number = attempt.number - 1
  if (number === 0) return { ...row, handoff: 'queued', status: 'queued' }
  const before = { attempt: { ...attempt, number }, ...(firstAttemptAt && { firstAttemptAt }) }
  return { ...row, ...before, handoff: 'queued', status: 'queued' }
}

const undo = (send: SendRow): HeldUpdate => ({
  ids: [send._id],
  update: [...takeBack(send), ...sendUpdate({ handoff: 'queued' })]
})
