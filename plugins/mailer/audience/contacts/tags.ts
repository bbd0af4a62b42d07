// Tags of contacts: written through the host's adapter, or beside it where the adapter cannot write.

import { createHash } from 'node:crypto'
import { DURABLE } from '@keelson/sdk'
import type { MailContact } from '../../contracts/mailer-core.ts'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { groupedBy } from '../../ledger/grouped-by.ts'
import { inChunks } from './in-chunks.ts'

type Tagging = Pick<MailerContext, 'adapter' | 'collections' | 'clock'>

/** Adds a tag; one that is there stays. @throws MLR_INPUT_INVALID */
export function tag(context: Tagging, externalId: string, name: string): Promise<void> {
  return changeTags(context, externalId, { add: [name], remove: [] })
}

/** Removes a tag. @throws MLR_INPUT_INVALID */
export function untag(context: Tagging, externalId: string, name: string): Promise<void> {
  return changeTags(context, externalId, { add: [], remove: [name] })
}

/** Adds and removes tags of one contact; doing it twice changes nothing. @throws MLR_INPUT_INVALID */
export async function changeTags(
  context: Tagging,
  externalId: string,
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] }
): Promise<void> {
  checkedInput('tag', inputs.externalId, externalId)
  for (const name of [...add, ...remove]) checkedInput('tag', inputs.tag, name)
  const { adapter, collections, clock } = context
  if (!writesTags(context)) {
    const addedAt = clock.now()
    const operations = [
      ...add.map((name) => ({
        updateOne: {
          filter: { _id: tagId(externalId, name) },
          update: { $setOnInsert: { externalId, tag: name, addedAt } },
          upsert: true
        }
      })),
      ...remove.map((name) => ({ deleteOne: { filter: { _id: tagId(externalId, name) } } }))
    ]
    if (operations.length > 0) await collections.contactTags.bulkWrite(operations, DURABLE)
    return
  }
  if (add.length > 0) await adapter.addTags?.(externalId, add)
  if (remove.length > 0) await adapter.removeTags?.(externalId, remove)
}

/**
 * Contacts with the tags that the mailer keeps for them, in the same order: what predicates and segments
 * look at. One query per 2000 contacts; none where the adapter writes tags.
 */
export async function withTags<T extends MailContact>(
  context: Tagging,
  contacts: readonly T[]
): Promise<readonly T[]> {
  if (writesTags(context)) return contacts
  const ids = contacts.map(({ externalId }) => externalId)
  const rows = await inChunks(ids, (chunk) =>
    context.collections.contactTags.find({ externalId: { $in: chunk } }).toArray()
  )
  const kept = groupedBy(rows, ({ externalId }) => externalId)
  return contacts.map((contact) => {
    const added = kept.get(contact.externalId)?.map((row) => row.tag) ?? []
    return { ...contact, tags: [...new Set([...contact.tags, ...added])] }
  })
}

const writesTags = ({ adapter }: Tagging): boolean =>
  adapter.addTags !== undefined && adapter.removeTags !== undefined

const tagId = (externalId: string, name: string): string =>
  createHash('sha256')
    .update(JSON.stringify([externalId, name]))
    .digest('hex')
    .slice(0, 24)
