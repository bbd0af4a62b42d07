// Something that monitoring alerts about.
import type { Said } from '@keelson/sdk'

export type AlertKind =
  | 'unknown_source_failing'
  | 'known_source_failing'
  | 'alignment_drop'
  | 'reports_stopped'
  | 'policy_ready'
  | 'dns_misconfigured'

export type AlertSeverity = 'critical' | 'warning' | 'info'

/** Something that is the case now. */
export interface Condition {
  readonly kind: AlertKind
  readonly domain: string
  /** Tells alerts of one kind and domain apart: an address, or nothing. */
  readonly subject: string
  readonly severity: AlertSeverity
  /** When it changes, the alert is worth another message. */
  readonly key: string
  readonly message: string
  /** The sentences of the message by their codes. Alerts that older versions stored have none. */
  readonly said?: Said
}
