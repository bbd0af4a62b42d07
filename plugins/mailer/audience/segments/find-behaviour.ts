// What many contacts did: when they last fired events, and which mails they opened or clicked.
import type { MailerContext } from '../../ledger/context.ts'

/** A mail that a person opened or clicked; machines do not count. */
export interface Engagement {
  readonly templateSlug: string
  readonly openedAt?: Date
  readonly clickedAt?: Date
}

type Reading = Pick<MailerContext, 'collections'>

/** Mails that one look-up may bring. */
const MOST_ROWS = 200_000

/** The latest time of each of these events, by contact. One query, answered by an index. */
export async function findLastEvents(
  { collections }: Reading,
  externalIds: readonly string[],
  names: readonly string[]
): Promise<ReadonlyMap<string, ReadonlyMap<string, Date>>> {
  const byContact = new Map<string, Map<string, Date>>()
  if (names.length === 0) return byContact
  const rows = await collections.events
    .aggregate<{ _id: { externalId: string; name: string }; last: Date }>([
      { $match: { externalId: { $in: [...externalIds] }, name: { $in: [...names] } } },
      {
        $group: { _id: { externalId: '$externalId', name: '$name' }, last: { $max: '$occurredAt' } }
      }
    ])
    .toArray()
  for (const { _id, last } of rows) {
    const events = byContact.get(_id.externalId) ?? new Map()
    byContact.set(_id.externalId, events.set(_id.name, last))
  }
  return byContact
}

/** Mails that people opened or clicked, by contact; machines do not count. `templates`: null for any. */
export async function findEngagement(
  { collections }: Reading,
  externalIds: readonly string[],
  templates: readonly string[] | null
): Promise<ReadonlyMap<string, readonly Engagement[]>> {
  const byContact = new Map<string, Engagement[]>()
  if (templates?.length === 0) return byContact
  const rows = await collections.sends
    .find(
      {
        externalId: { $in: [...externalIds] },
        ...(templates !== null && { templateSlug: { $in: [...templates] } }),
        $or: [{ humanOpenedAt: { $type: 'date' } }, { humanClickedAt: { $type: 'date' } }]
      },
      { projection: { externalId: 1, templateSlug: 1, humanOpenedAt: 1, humanClickedAt: 1 } }
    )
    .limit(MOST_ROWS)
    .toArray()
  for (const { externalId, templateSlug, humanOpenedAt, humanClickedAt } of rows) {
    // A click proves an open whose picture was not loaded.
    const openedAt = humanOpenedAt ?? humanClickedAt
    const mails = byContact.get(externalId) ?? []
    byContact.set(externalId, mails)
    mails.push({
      templateSlug,
      ...(openedAt && { openedAt }),
      ...(humanClickedAt && { clickedAt: humanClickedAt })
    })
  }
  return byContact
}
