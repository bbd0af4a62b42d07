// A row of the audit log.
import type { MailAuditEntry } from '../contracts/mailer-audit.ts'

/** A row of `mailer_audit_log`: appended with the change it tells of, never changed but by an erasure. */
export interface AuditRow extends Omit<MailAuditEntry, 'dedupeKey'> {
  /** The key of an entry that has one. */
  readonly _id: string
  readonly at: Date
  /** Hashes of the addresses in the entry, by which an erasure finds it. */
  readonly mentions?: readonly string[]
  /** When a contact was taken out of the entry. */
  readonly erasedAt?: Date
}
