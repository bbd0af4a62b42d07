// Takes a contact out of the audit log: that something was done stays, about whom does not.
import { DURABLE } from '@keelson/sdk'
import type { Filter } from 'mongodb'
import { addressHashes } from '../address.ts'
import { addressesIn } from '../addresses-in.ts'
import type { AuditRow } from '../audit-row.ts'
import type { MailerContext } from '../context.ts'

const BATCH = 500
/** What an erased name or id is replaced with. */
const ERASED = 'erased'

/** A contact, as audit entries mention it. */
export interface AuditSubject {
  readonly externalId: string
  /** Lower case. */
  readonly addresses: readonly string[]
}

/** Entries about a contact or with one of its addresses anywhere in them; each by an index. */
export function auditFilters({ externalId, addresses }: AuditSubject): readonly Filter<AuditRow>[] {
  return [{ 'resource.id': externalId }, { mentions: { $in: addresses.flatMap(addressHashes) } }]
}

/** Erases in batches, and goes on where an earlier call ended. */
export async function eraseFromAudit(
  { collections, clock }: MailerContext,
  subject: AuditSubject
): Promise<void> {
  for (const filter of auditFilters(subject)) {
    for (;;) {
      const waiting = { ...filter, erasedAt: { $exists: false } }
      const rows = await collections.auditLog.find(waiting).limit(BATCH).toArray()
      if (rows.length === 0) break
      const operations = rows.map((row) => ({
        replaceOne: { filter: { _id: row._id }, replacement: erasedRow(row, subject, clock.now()) }
      }))
      await collections.auditLog.bulkWrite(operations, DURABLE)
    }
  }
}

/** What is left of an entry: time, action, and names and ids that do not hold an address of the contact. */
export function erasedRow(
  { at, actor, action, resource }: AuditRow,
  { addresses }: AuditSubject,
  erasedAt: Date
): Omit<AuditRow, '_id'> {
  const kept = (text: string) =>
    addressesIn(text).some((address) => addresses.includes(address)) ? ERASED : text
  const { collection, id, slug } = resource
  return {
    at,
    actor: kept(actor),
    action,
    resource: {
      collection,
      ...(id !== undefined && { id: kept(id) }),
      ...(slug !== undefined && { slug: kept(slug) })
    },
    erasedAt
  }
}
