// A mail that may leave, and what its provider answered.
import type { SendRow } from '../../ledger/send-row.ts'
import type { PastDelivery } from '../../providers/failover.ts'
import type { ComposedMail } from './compose-mail.ts'
import type { SendFacts } from './decide-send.ts'
import type { DeliveryAnswer } from './settle-send.ts'

/** A mail that may leave. */
export interface ReadyMail {
  readonly send: SendRow
  readonly facts: SendFacts
  /** Number of this try. */
  readonly attempt: number
  readonly provider: string
  /** Deliveries before this one. */
  readonly past: readonly PastDelivery[]
  readonly mail: ComposedMail
  /** The contact has a subscription and got no marketing mail so far. */
  readonly isFirst: boolean
}

/** A mail, and what its provider answered. */
export interface AnsweredMail {
  readonly ready: ReadyMail
  readonly answer: DeliveryAnswer
}
