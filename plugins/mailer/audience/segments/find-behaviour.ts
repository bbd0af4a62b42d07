// What many contacts did: when they last fired events, and which mails they opened or clicked.
import type { Filter } from 'mongodb'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import type { EventRow } from '../../ledger/event-rows.ts'
import { groupedBy } from '../../ledger/grouped-by.ts'
import type { EventMatch, EventProperty } from './segment-schema.ts'

/** A mail that a contact got, or that a person opened or clicked; machines do not count. */
export interface Engagement {
  readonly templateSlug: string
  readonly broadcastSlug?: string
  /** When it was handed over. */
  readonly receivedAt?: Date
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

/** The latest time of an event with such a property, by contact. One query, answered by an index. */
export async function findLastMatch(
  { collections }: Reading,
  externalIds: readonly string[],
  { eventName: name, property }: EventMatch
): Promise<ReadonlyMap<string, Date>> {
  const rows = await collections.events
    .aggregate<{ _id: string; last: Date }>([
      { $match: { externalId: { $in: [...externalIds] }, name, ...propertyQuery(property) } },
      { $group: { _id: '$externalId', last: { $max: '$occurredAt' } } }
    ])
    .toArray()
  return new Map(rows.map(({ _id, last }) => [_id, last]))
}

/** Properties come from JSON, or from code of the host: dates are texts or dates. */
export function propertyQuery({ name, operator, value }: EventProperty): Filter<EventRow> {
  const path = `properties.${name}`
  if (operator === 'equals') return { [path]: { $eq: value } }
  const query = (bound: unknown) => ({ [path]: { [`$${operator}`]: bound } })
  if (typeof value === 'number') return query(value)
  return { $or: [query(value), query(new Date(String(value)))] }
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
      {
        projection: {
          externalId: 1,
          templateSlug: 1,
          broadcastSlug: 1,
          humanOpenedAt: 1,
          humanClickedAt: 1
        }
      }
    )
    .limit(MOST_ROWS)
    .toArray()
  for (const row of rows) {
    const { externalId, templateSlug, broadcastSlug, humanOpenedAt, humanClickedAt } = row
    // A click proves an open whose picture was not loaded.
    const openedAt = humanOpenedAt ?? humanClickedAt
    const mails = byContact.get(externalId) ?? []
    byContact.set(externalId, mails)
    mails.push({
      templateSlug,
      ...(broadcastSlug !== undefined && { broadcastSlug }),
      ...(openedAt && { openedAt }),
      ...(humanClickedAt && { clickedAt: humanClickedAt })
    })
  }
  return byContact
}

/** Mails that were handed over and did not bounce, by contact. `broadcasts`: slugs, or null for any mail. */
export async function findReceived(
  { collections }: Reading,
  externalIds: readonly string[],
  broadcasts: readonly string[] | null
): Promise<ReadonlyMap<string, readonly Engagement[]>> {
  if (broadcasts?.length === 0) return new Map()
  const rows = await collections.sends
    .find(
      {
        externalId: { $in: [...externalIds] },
        ...(broadcasts !== null && { broadcastSlug: { $in: [...broadcasts] } }),
        handedAt: { $type: 'date' },
        bouncedAt: { $exists: false }
      },
      { projection: { externalId: 1, templateSlug: 1, broadcastSlug: 1, handedAt: 1 } }
    )
    .limit(MOST_ROWS)
    .toArray()
  const groups = groupedBy(rows, ({ externalId }) => externalId)
  return new Map(
    [...groups].map(([externalId, group]) => [
      externalId,
      group.map(({ templateSlug, broadcastSlug, handedAt: receivedAt }) => ({
        templateSlug,
        ...defined({ broadcastSlug, receivedAt })
      }))
    ])
  )
}
