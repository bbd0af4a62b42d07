// Contacts in memory: for tests of hosts and for trying things out.
import type { MailContact } from '../../contracts/mailer-core.ts'
import { errors } from '../../errors.ts'
import type { ContactAdapter, ContactFilter, ContactSort } from '../../ledger/adapter.ts'
import { normalAddress } from '../../ledger/address.ts'

/** A contact adapter over a map that the caller may change. */
export interface MemoryAdapter extends ContactAdapter {
  /** By `externalId`. */
  readonly byId: Map<string, MailContact>
}

/** What `createMemoryAdapter` takes beside the contacts. */
export interface MemoryAdapterOptions {
  /** false: no `addTags` and `removeTags`, as of a host whose contacts are read-only. Default true. */
  readonly writableTags?: boolean
}

/** Fields that a search looks at, beside the address. */
const NAMES = ['name', 'firstName', 'lastName']

/** Supports every filter but the times of creation, and every order. Returns copies. */
export function createMemoryAdapter(
  contacts: readonly MailContact[] = [],
  { writableTags = true }: MemoryAdapterOptions = {}
): MemoryAdapter {
  const byId = new Map(contacts.map((contact) => [contact.externalId, contact]))
  const retag = (externalId: string, change: (tags: readonly string[]) => string[]) => {
    const contact = byId.get(externalId)
    if (contact !== undefined) byId.set(externalId, { ...contact, tags: change(contact.tags) })
  }
  return {
    byId,
    supportsSort: true,
    getById: async (externalId) => copy(byId.get(externalId)),
    getByEmail: async (email) =>
      copy([...byId.values()].find((one) => normalAddress(one.email) === normalAddress(email))),
    getBatch: async (externalIds) =>
      new Map(
        externalIds.flatMap((id) => {
          const contact = copy(byId.get(id))
          return contact === null ? [] : [[id, contact]]
        })
      ),
    async query(filter, { limit = 100, cursor, sort } = {}) {
      const place = placeOf(sort)
      const after = cursor === undefined ? undefined : readCursor(cursor)
      const rest = [...byId.values()]
        .filter(fits(filter))
        .map((contact) => ({ contact, at: place(contact) }))
        .filter(({ at }) => after === undefined || comparePlaces(at, after, sort) > 0)
        .sort((a, b) => comparePlaces(a.at, b.at, sort))
      const page = rest.slice(0, limit)
      const contacts = page.map(({ contact }) => structuredClone(contact))
      const last = page.at(-1)
      if (rest.length <= limit || last === undefined) return { contacts }
      return { contacts, nextCursor: JSON.stringify(last.at) }
    },
    async search(text, { limit = 100, cursor } = {}) {
      const begins = (value: unknown) =>
        typeof value === 'string' && value.toLowerCase().startsWith(text.toLowerCase())
      const found = [...byId.values()]
        .filter(({ email, fields }) => [email, ...NAMES.map((name) => fields[name])].some(begins))
        .sort((a, b) => compare(a.externalId, b.externalId))
        .filter(({ externalId }) => cursor === undefined || externalId > cursor)
      const contacts = found.slice(0, limit).map((contact) => structuredClone(contact))
      const last = contacts.at(-1)
      if (found.length <= limit || last === undefined) return { contacts }
      return { contacts, nextCursor: last.externalId }
    },
    count: async (filter) => [...byId.values()].filter(fits(filter)).length,
    ...(writableTags && {
      addTags: async (id: string, tags: readonly string[]) =>
        retag(id, (own) => [...new Set([...own, ...tags])]),
      removeTags: async (id: string, tags: readonly string[]) =>
        retag(id, (own) => own.filter((tag) => !tags.includes(tag)))
    })
  }
}

const copy = (contact: MailContact | undefined): MailContact | null =>
  contact === undefined ? null : structuredClone(contact)

function fits(filter: ContactFilter): (contact: MailContact) => boolean {
  const { createdAfter, createdBefore, emailIn, fieldEquals, fieldIn, hasTagIn } = filter
  if (createdAfter !== undefined || createdBefore !== undefined)
    throw errors.MLR_FILTER_UNSUPPORTED({
      filter: createdAfter === undefined ? 'createdBefore' : 'createdAfter',
      problem: 'contacts in memory have no time of creation'
    })
  const emails = emailIn?.map(normalAddress)
  return ({ externalId, email, tags, fields }) =>
    (emails?.includes(normalAddress(email)) ?? true) &&
    (filter.externalIdIn?.includes(externalId) ?? true) &&
    (fieldEquals === undefined || fields[fieldEquals.field] === fieldEquals.value) &&
    (fieldIn === undefined || fieldIn.values.includes(fields[fieldIn.field])) &&
    (filter.fieldExists === undefined || fields[filter.fieldExists] !== undefined) &&
    (filter.hasTag === undefined || tags.includes(filter.hasTag)) &&
    (hasTagIn === undefined || hasTagIn.some((tag) => tags.includes(tag)))
}

/** @throws MLR_INPUT_INVALID for a text that is not a cursor of a query */
function readCursor(cursor: string): Place {
  try {
    const place: unknown = JSON.parse(cursor)
    if (Array.isArray(place) && place.length === 2 && typeof place[1] === 'string')
      return place as unknown as Place
  } catch {
    // Any text can come from outside.
  }
  const problem = 'must be the nextCursor of an earlier page'
  throw errors.MLR_INPUT_INVALID({ operation: 'query', path: 'cursor', problem })
}

/** Where a contact is in the order of a query. */
type Place = readonly [value: unknown, externalId: string]

const placeOf =
  (sort: ContactSort | undefined) =>
  ({ externalId, fields }: MailContact): Place => [
    sort === undefined ? null : (fields[sort.field] ?? null),
    externalId
  ]

/** Equal fields are in the order of the ids, so that pages never overlap. */
function comparePlaces(a: Place, b: Place, sort: ContactSort | undefined): number {
  const sign = sort?.direction === 'desc' ? -1 : 1
  return sign * compare(a[0], b[0]) || compare(a[1], b[1])
}

function compare(a: unknown, b: unknown): number {
  const [first, second] = [a ?? '', b ?? ''] as [string, string]
  if (first === second) return 0
  return first < second ? -1 : 1
}
