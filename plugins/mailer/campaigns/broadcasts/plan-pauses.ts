// What pauses a broadcast, and what is left when a pause is taken back. Pure.
import type { BroadcastRow, PauseReason } from '../../ledger/broadcast-row.ts'

/** The fields that pauses decide. `pauseReason` is undefined when none is left. */
export interface PauseState {
  readonly status: BroadcastRow['status']
  readonly pauses: readonly PauseReason[]
  readonly pauseReason: PauseReason | undefined
}

/** The part of a broadcast that pauses depend on. */
export type Pausable = Pick<BroadcastRow, 'status' | 'pauses' | 'startedAt'>

/** Undefined when the broadcast cannot be paused, or is paused by the same name for the same cause. */
export function withPause(broadcast: Pausable, pause: PauseReason): PauseState | undefined {
  const { status, pauses = [] } = broadcast
  if (!['scheduled', 'sending', 'paused'].includes(status)) return undefined
  if (pauses.some(({ code, by }) => code === pause.code && by === pause.by)) return undefined
  return pauseState(broadcast, [...pauses, pause])
}

/** Without the pauses that match; undefined when none does. */
export function withoutPauses(
  broadcast: Pausable,
  isOver: (pause: PauseReason) => boolean
): PauseState | undefined {
  const { status, pauses = [] } = broadcast
  const left = pauses.filter((pause) => !isOver(pause))
  if (status !== 'paused' || left.length === pauses.length) return undefined
  return pauseState(broadcast, left)
}

/** Whether mails that wait are held. */
export const holdsMails = ({ pauseReason }: Pick<BroadcastRow, 'pauseReason'>): boolean =>
  pauseReason !== undefined && pauseReason.code !== 'cap_reached'

function pauseState({ startedAt }: Pausable, pauses: readonly PauseReason[]): PauseState {
  const pauseReason = pauses.find(({ code }) => code !== 'cap_reached') ?? pauses[0]
  if (pauseReason !== undefined) return { status: 'paused', pauses, pauseReason }
  return { status: startedAt === undefined ? 'scheduled' : 'sending', pauses, pauseReason }
}
