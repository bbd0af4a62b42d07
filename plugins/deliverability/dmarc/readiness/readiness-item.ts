// A line of the readiness checklist.
import type { DnsRecord } from '../dns/judge-domain.ts'

/** Who publishes a requirement. */
export type Receiver = 'gmail' | 'yahoo' | 'outlook'

/** `unknown`: nothing is stored that says it. */
export type ReadinessState = 'met' | 'warn' | 'failed' | 'unknown'

/** One line of the checklist. */
export interface ReadinessItem {
  readonly id: string
  readonly label: string
  readonly state: ReadinessState
  /** What was found. */
  readonly message: string
  /** What to do; left out where there is nothing to do. */
  readonly hint?: string
  /** The record to publish. */
  readonly fix?: DnsRecord
  /** Empty: recommended, and required by none. */
  readonly requiredBy: readonly Receiver[]
}

export const ALL: readonly Receiver[] = ['gmail', 'yahoo', 'outlook']
