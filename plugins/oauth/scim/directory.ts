// The users that an identity provider keeps here by SCIM: stored by tenant; one who is not active has no access.
import type { Filter } from 'mongodb'
import type { Settings } from '../config/settings.ts'
import type { OAuthCollections } from '../storage/collections.ts'
import type { StoredScimUser } from '../storage/rows.ts'
import type { ScimUser } from '../storage/scim-user.ts'
import type { UserFilter } from './filter.ts'
import { ScimError } from './scim-error.ts'

export interface Directory {
  /** Whether an identity provider deactivated or deleted the person. */
  isBlocked(userId: string): Promise<boolean>
  find(tenant: string, id: string): Promise<StoredScimUser | null>
  list(
    tenant: string,
    query: {
      readonly filter: UserFilter | undefined
      readonly skip: number
      readonly limit: number
    }
  ): Promise<{ readonly rows: readonly StoredScimUser[]; readonly total: number }>
  /** @throws ScimError when the name, the external id or the person is taken */
  add(row: StoredScimUser): Promise<void>
  /** Undefined when it was changed or deleted meanwhile. @throws ScimError as `add` */
  replace(row: StoredScimUser, user: ScimUser): Promise<StoredScimUser | undefined>
  /** It stays as a mark that the person has no access, without their data. */
  remove(row: StoredScimUser): Promise<void>
}

const LIVE = { deletedAt: null }

export function createDirectory(
  { scim, now }: Pick<Settings, 'scim' | 'now'>,
  { scimUsers }: Pick<OAuthCollections, 'scimUsers'>
): Directory {
  const gone = () => new ScimError('notFound')
  return {
    async isBlocked(userId) {
      if (scim === undefined) return false
      const rows = await scimUsers
        .find({ userId }, { projection: { active: 1, deletedAt: 1 } })
        .limit(10)
        .toArray()
      return rows.length > 0 && !rows.some((row) => row.active && row.deletedAt === null)
    },
    find: (tenant, id) => scimUsers.findOne({ _id: id, tenant, ...LIVE }),
    async list(tenant, { filter, skip, limit }) {
      const where = { tenant, ...LIVE, ...conditionOf(filter) }
      const [rows, total] = await Promise.all([
        limit === 0
          ? []
          : scimUsers.find(where).sort({ createdAt: 1, _id: 1 }).skip(skip).limit(limit).toArray(),
        scimUsers.countDocuments(where)
      ])
      return { rows, total }
    },
    async add(row) {
      await unique(() => scimUsers.insertOne(row))
      // A person who comes back: the mark of the deletion is over.
      await scimUsers.deleteMany({
        userId: row.userId,
        tenant: row.tenant,
        deletedAt: { $type: 'date' }
      })
    },
    async replace({ version, ...row }, user) {
      const { _id, tenant, userId, createdAt } = row
      const kept = { _id, tenant, userId, createdAt, updatedAt: now() }
      const next = { ...rowOf(user), ...kept, version: version + 1 }
      const { matchedCount } = await unique(() =>
        scimUsers.replaceOne({ _id, tenant, version, ...LIVE }, next)
      )
      return matchedCount === 0 ? undefined : next
    },
    async remove({ _id, tenant, userId, createdAt }) {
      const deletedAt = now()
      const mark: StoredScimUser = {
        _id,
        tenant,
        userId,
        createdAt,
        deletedAt,
        updatedAt: deletedAt,
        active: false,
        userName: '',
        userNameKey: _id,
        version: 0
      }
      const { matchedCount } = await scimUsers.replaceOne({ _id, tenant, ...LIVE }, mark)
      if (matchedCount === 0) throw gone()
    }
  }
}

/** What a row keeps of a user. Names are compared without case. */
export const rowOf = (
  user: ScimUser
): Omit<StoredScimUser, '_id' | 'tenant' | 'userId' | 'createdAt' | 'updatedAt' | 'version'> => ({
  ...user,
  userNameKey: user.userName.toLowerCase(),
  deletedAt: null
})

/** The user of a row. */
export function userOf({
  userName,
  externalId,
  displayName,
  name,
  emails,
  active
}: StoredScimUser): ScimUser {
  return {
    userName,
    active,
    ...(externalId !== undefined && { externalId }),
    ...(displayName !== undefined && { displayName }),
    ...(name !== undefined && { name }),
    ...(emails !== undefined && { emails })
  }
}

function conditionOf(filter: UserFilter | undefined): Filter<StoredScimUser> {
  if (filter === undefined) return {}
  const { by, value } = filter
  if (by === 'userName') return { userNameKey: value.toLowerCase() }
  return by === 'id' ? { _id: value } : { externalId: value }
}

async function unique<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const { code, keyPattern } = error as { code?: number; keyPattern?: Record<string, unknown> }
    if (code !== 11000) throw error
    const attribute =
      keyPattern !== undefined && 'externalId' in keyPattern ? 'externalId' : 'userName'
    throw new ScimError('conflict', { attribute })
  }
}
