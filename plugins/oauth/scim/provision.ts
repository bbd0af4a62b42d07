// What SCIM does with a user: makes, changes and removes them; access ends when they are no longer active.
import { newRowId } from '../crypto/handles.ts'
import { createUsersApi } from '../grants/grants-api.ts'
import type { Services } from '../services.ts'
import type { StoredScimUser } from '../storage/rows.ts'
import type { ScimUser } from '../storage/scim-user.ts'
import { rowOf, userOf } from './directory.ts'
import { ScimError } from './scim-error.ts'

/** @throws ScimError when the user names no person, or is there already */
export async function provisionUser(
  user: ScimUser,
  tenant: string,
  services: Services
): Promise<StoredScimUser> {
  const { directory, settings } = services
  const now = settings.now()
  const userId = await personOf(user, tenant, services)
  const times = { createdAt: now, updatedAt: now, version: 1 }
  const row = { ...rowOf(user), ...times, _id: newRowId(), tenant, userId }
  await directory.add(row)
  await told('oauth.person_provisioned', row, services)
  if (!user.active) await endAccess(row, services)
  return row
}

const TRIES = 10

/**
 * Changes a user as `change` says. One that is changed by two calls at the same time is changed by both: else a
 * call about a name could make a person active again.
 *
 * @throws ScimError when the change would be about another person
 */
export async function changeUser(
  { id, tenant }: { readonly id: string; readonly tenant: string },
  change: (user: ScimUser) => ScimUser,
  services: Services
): Promise<StoredScimUser> {
  const { directory, settings } = services
  for (let tries = 0; tries < TRIES; tries++) {
    const row = await directory.find(tenant, id)
    if (row === null) throw new ScimError('notFound')
    const user = change(userOf(row))
    if ((await personOf(user, tenant, services)) !== row.userId) {
      throw new ScimError('mutability', { attribute: settings.scim?.subject ?? 'userName' })
    }
    const next = await directory.replace(row, user)
    if (next === undefined) continue
    // Also when it was inactive before: a call that failed half way is repeated.
    if (!user.active) await endAccess(next, services)
    else if (!row.active) await told('oauth.person_activated', next, services)
    return next
  }
  throw new ScimError('busy')
}

export async function removeUser(row: StoredScimUser, services: Services): Promise<void> {
  await services.directory.remove(row)
  await endAccess(row, services)
}

/** First the row, then the access: what is granted meanwhile sees the row, or ends with the rest. */
async function endAccess(row: StoredScimUser, services: Services): Promise<void> {
  await createUsersApi(services).revokeAll(row.userId, { reason: 'deactivated by SCIM' })
  await told('oauth.person_deactivated', row, services)
}

const told = (type: string, { userId }: StoredScimUser, { journal }: Services): Promise<void> =>
  journal.track({ type, userId })

async function personOf(user: ScimUser, tenant: string, { settings }: Services): Promise<string> {
  const subject = settings.scim?.subject ?? 'userName'
  const value = user[subject]
  if (value === undefined) {
    throw new ScimError('value', { attribute: subject, problem: 'is missing' })
  }
  const userId = await settings.mapSubject(value, tenant === '' ? undefined : tenant)
  if (userId !== null) return userId
  throw new ScimError('value', { attribute: subject, problem: 'names no person of this server' })
}
