// Entries of the mailer's audit log.

/** A row of the audit log. */
export interface MailAuditEntry {
  /** `human:<email>`, `agent:<name>` or `system:<plugin>`. */
  readonly actor: string
  /** As `health.trip`. */
  readonly action: string
  readonly resource: {
    readonly collection: string
    readonly id?: string
    readonly slug?: string
  }
  readonly before?: unknown
  readonly after?: unknown
  readonly diffSummary?: string
  readonly ip?: string
  readonly userAgent?: string
  readonly requestId?: string
  /** How the actor came to act, where it was no session: the rule or schedule of a person. */
  readonly via?: string
  /** The same key is the same entry, for ever. At most 256 characters. Default: every call is an entry. */
  readonly dedupeKey?: string
}

/** What an acting mailer adds to an audit entry: who acts, from where. */
export type ActedEntry = Omit<MailAuditEntry, 'actor' | 'ip' | 'userAgent' | 'requestId' | 'via'>
