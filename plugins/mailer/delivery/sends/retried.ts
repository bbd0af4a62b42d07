// What counts anew for a mail that an operator brought back: its tries, and how long it waits. Pure.
import type { SendRow } from '../../ledger/send-row.ts'

/** From when the waits of a mail are counted. */
export const waitsFrom = ({ retried, queuedAt }: Pick<SendRow, 'retried' | 'queuedAt'>): Date =>
  retried?.at ?? queuedAt

/** The tries of a mail with the delivery of this number. */
export const triesWith = ({ retried }: Pick<SendRow, 'retried'>, attempt: number): number =>
  attempt - (retried?.attempts ?? 0)
