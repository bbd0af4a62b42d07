// A trip or a resume as it is stored: the history, and the list of what must still be announced.
import type { BreakerChange } from '../contracts.ts'

/** A row of `circuit_breaker_changes`, written together with the change of the bucket. */
export interface ChangeRow extends BreakerChange {
  readonly _id: string
  /** true until broadcasts, audit log, hooks and mail know of it. */
  readonly isPending?: true
}
