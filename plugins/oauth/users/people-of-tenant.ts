// Whose people an administrator sees, as filters over the ids of people. Pure.
import { OF, tenantOf, tenantPrefix } from '../viewers.ts'

/** A filter over a field that holds the id of a person. */
export type PeopleFilter = Readonly<Record<string, unknown>>

/** The people of one administrator: those of their tenant, and of the platform's administrators all. */
export interface OwnPeople {
  readonly isEverybody: boolean
  has(userId: string): boolean
  /** Rows about own people. Over an index of the field it reads the rows of one tenant. */
  readonly own: PeopleFilter
  /** Rows about own people, and about no person: of what all tenants share. */
  readonly seen: PeopleFilter
  /** Rows about people of other tenants; undefined for the platform's administrators, who have none. */
  readonly foreign: PeopleFilter | undefined
}

const PLATFORM = '*'
const BARE_ID = { userId: { $type: 'string', $not: new RegExp(OF) } }

/** `home`: the tenant whose people have bare ids. */
export function peopleOfTenant(tenantId: string, home: string): OwnPeople {
  if (tenantId === PLATFORM) {
    return { isEverybody: true, has: () => true, own: {}, seen: {}, foreign: undefined }
  }
  const prefix = tenantPrefix(tenantId)
  // The character after the last one of the prefix ends the range.
  const end = `${prefix.slice(0, -1)}${String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)}`
  const ofPrefix = { userId: { $gte: prefix, $lt: end } }
  const own = tenantId === home ? { $or: [BARE_ID, ofPrefix] } : ofPrefix
  return {
    isEverybody: false,
    has: (userId) => tenantOf(userId, home) === tenantId,
    own,
    seen: { $or: [own, { userId: { $exists: false } }] },
    foreign: { userId: { $type: 'string' }, $nor: [own] }
  }
}
