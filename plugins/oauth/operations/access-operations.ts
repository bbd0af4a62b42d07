// Administration of access: grants are ended, people lose theirs or are erased.
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import { errors } from '../errors.ts'
import { BODY_LIMIT } from '../routes/route.ts'
import { namesOf } from '../users/names.ts'
import { administrator, id, limitParameter, skipParameter } from './admin-operation.ts'
import type { AdminHost, Administrator } from './administrator.ts'
import { endedAccess, endedGrant, forgottenPerson, grantsAnswer } from './answers.ts'

const USER = '/admin/users/:userId'
const userParams = Type.Object({ userId: id })

const listGrants = operation({
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
    const { items, limit } = await (await host.administratorOf(actor)).grants.list(query)
    const names = await namesOf(new Set(items.map(({ userId }) => userId)), host.settings)
    return { items: items.map((item) => ({ ...item, person: names.get(item.userId) })), limit }
  }
})

const revokeGrant = operation({
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
    const { grants } = await host.administratorOf(actor)
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
  async run({ params, body }, { host, actor }: Call<AdminHost>) {
    const by = await host.administratorOf(actor)
    return by.users.revokeAll(personFor(by, params), body)
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
  async run({ params, body: { contextId } }, { host, actor }: Call<AdminHost>) {
    const by = await host.administratorOf(actor)
    return by.contexts.revoked(personFor(by, params), contextId)
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
  async run({ params }, { host, actor }: Call<AdminHost>) {
    const by = await host.administratorOf(actor)
    return by.users.forget(personFor(by, params))
  }
})

/** The person of the address. @throws OAU_PERSON_FOREIGN */
function personFor(by: Administrator, { userId }: { readonly userId: string }): string {
  if (by.mayManage(userId)) return userId
  throw errors.OAU_PERSON_FOREIGN({ userId })
}

/** The operations of grants and people. */
export const accessOperations: readonly Operation<AdminHost>[] = [
  listGrants,
  revokeGrant,
  revokeAll,
  leaveContext,
  forget
]
