// Administration of access: grants are ended, people lose theirs or are erased.
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import { errors } from '../errors.ts'
import { listGrants } from '../grants/list-grants.ts'
import { BODY_LIMIT } from '../routes/route.ts'
import { pageOf } from '../storage/page.ts'
import { namesOf } from '../users/names.ts'
import { administrator, id, limitParameter, skipParameter } from './admin-operation.ts'
import type { AdminHost } from './administrator.ts'
import { endedAccess, endedGrant, forgottenPerson, grantsAnswer } from './answers.ts'
import { refusals } from './refusals.ts'

const USER = '/admin/users/:userId'
const userParams = Type.Object({ userId: id })

const list = operation({
  id: 'oauth.grants.list',
  method: 'GET',
  path: '/admin/grants',
  summary: 'Live grants, by client or person',
  access: administrator,
  effect: 'read',
  query: Type.Object({
    limit: limitParameter(200, 50),
    skip: skipParameter,
    clientId: Type.Optional(id),
    userId: Type.Optional(id)
  }),
  answer: grantsAnswer,
  async run({ query }, { host, actor }: Call<AdminHost>) {
    const { people } = await host.administratorOf(actor)
    const { clientId, userId } = query
    if (userId !== undefined && !people.has(userId)) throw errors.OAU_PERSON_FOREIGN({ userId })
    const page = pageOf(query)
    const { limit } = page
    const filter = {
      ...(clientId !== undefined && { clientId }),
      ...(userId === undefined ? people.own : { userId })
    }
    const items = await listGrants(filter, page, host)
    const names = await namesOf(new Set(items.map(({ userId }) => userId)), host.settings)
    return { items: items.map((item) => ({ ...item, person: names.get(item.userId) })), limit }
  }
})

const revoke = operation({
  id: 'oauth.grants.revoke',
  method: 'DELETE',
  path: '/admin/grants/:id',
  summary: 'Ends a grant',
  access: administrator,
  effect: 'stop',
  hints: { idempotent: true },
  params: Type.Object({ id }),
  answer: endedGrant,
  async run({ params }, { host, actor }: Call<AdminHost>) {
    const { grants, people } = await host.administratorOf(actor)
    const grant = await host.collections.grants.findOne({ _id: params.id })
    if (grant !== null && !people.has(grant.userId)) throw errors.OAU_GRANT_FOREIGN(params)
    const { tokensRevoked } = await grants.revoke(params.id, { by: 'admin' })
    return { revoked: true, tokensRevoked }
  }
})

const revokeAll = operation({
  id: 'oauth.people.revokeAll',
  method: 'POST',
  path: `${USER}/revoke-all`,
  summary: 'Ends all access that a person granted',
  access: administrator,
  effect: 'stop',
  hints: { idempotent: true },
  bodyLimit: BODY_LIMIT,
  params: userParams,
  body: Type.Object(
    { reason: Type.Optional(Type.String({ maxLength: 200, description: 'For the audit.' })) },
    { additionalProperties: false }
  ),
  answer: endedAccess,
  errors: refusals.only('not_found'),
  async run({ params, body }, { host, actor }: Call<AdminHost>) {
    const by = await host.administratorOf(actor)
    return by.users.revokeAll(await by.personOf(params.userId), body)
  }
})

const leaveContext = operation({
  id: 'oauth.people.leaveContext',
  method: 'POST',
  path: `${USER}/leave-context`,
  summary: 'Ends the access that a person granted for a context',
  access: administrator,
  effect: 'stop',
  hints: { idempotent: true },
  bodyLimit: BODY_LIMIT,
  params: userParams,
  body: Type.Object({ contextId: id }, { additionalProperties: false }),
  answer: endedAccess,
  errors: refusals.only('not_found'),
  async run({ params, body: { contextId } }, { host, actor }: Call<AdminHost>) {
    const by = await host.administratorOf(actor)
    return by.contexts.revoked(await by.personOf(params.userId), contextId)
  }
})

const forget = operation({
  id: 'oauth.people.forget',
  method: 'POST',
  path: `${USER}/forget`,
  summary: 'Deletes everything about a person',
  access: administrator,
  effect: 'stop',
  hints: { idempotent: true, destructive: true },
  params: userParams,
  answer: forgottenPerson,
  errors: refusals.only('not_found'),
  async run({ params }, { host, actor }: Call<AdminHost>) {
    const by = await host.administratorOf(actor)
    return by.users.forget(await by.personOf(params.userId))
  }
})

/** The operations of grants and people. */
export const accessOperations: readonly Operation<AdminHost>[] = [
  list,
  revoke,
  revokeAll,
  leaveContext,
  forget
]
