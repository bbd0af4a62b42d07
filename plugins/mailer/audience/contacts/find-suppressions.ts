// Reads suppressions of many addresses at once.
import type { ClientSession } from 'mongodb'
import { addressHashes } from '../../ledger/address.ts'
import type { SuppressionRow } from '../../ledger/contact-rows.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { groupedBy } from '../../ledger/grouped-by.ts'
import { inChunks } from '../../ledger/in-chunks.ts'
import { suppressionIds } from './merge-suppression.ts'

/**
 * Suppressions by address, expired ones included; found by hash, so that erased addresses count. Every
 * address has an entry under the text that was passed. One query per 2000 addresses.
 */
export async function findSuppressions(
  { collections }: Pick<MailerContext, 'collections'>,
  emails: readonly string[]
): Promise<ReadonlyMap<string, readonly SuppressionRow[]>> {
  const hashes = new Map(emails.map((email) => [email, addressHashes(email)]))
  const rows = await inChunks([...new Set([...hashes.values()].flat())], (chunk) =>
    collections.suppressions.find({ emailHash: { $in: chunk } }).toArray()
  )
  const byHash = groupedBy(rows, ({ emailHash }) => emailHash)
  return new Map(
    [...hashes].map(([email, own]) => [email, own.flatMap((hash) => byHash.get(hash) ?? [])])
  )
}

/** Those of the addresses that were erased for ever: nothing more of them is to be stored. */
export async function findForgotten(
  { collections }: Pick<MailerContext, 'collections'>,
  emails: readonly string[],
  { session }: { readonly session?: ClientSession } = {}
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(emails.flatMap((email) => suppressionIds(email, 'all')))]
  const rows = await inChunks(ids, (chunk) =>
    collections.suppressions
      .find(
        { _id: { $in: chunk }, reason: 'gdpr_forget', expiresAt: null },
        { projection: { _id: 1 }, ...(session && { session }) }
      )
      .toArray()
  )
  const forgotten = new Set(rows.map(({ _id }) => _id))
  return new Set(
    emails.filter((email) => suppressionIds(email, 'all').some((id) => forgotten.has(id)))
  )
}
