// People see and end the access that they granted.
import { type Actor, type Call, type Operation, operation, Type } from '@keelson/sdk'
import { originOfActor } from '../audit/journal.ts'
import { endGrant } from '../grants/end-grant.ts'
import { labelsOf } from '../grants/labels.ts'
import { listGrants } from '../grants/list-grants.ts'
import type { Services } from '../services.ts'
import { pageOf } from '../storage/page.ts'
import { id, limitParameter, skipParameter } from './admin-operation.ts'
import { endedGrant, myGrantsAnswer } from './answers.ts'
import { refusals } from './refusals.ts'

/** What the operations are served with. */
export interface MyGrantsHost
  extends Pick<Services, 'settings' | 'collections' | 'revocations' | 'journal' | 'outbox'> {
  /** The OAuth id of who calls; undefined for callers that are not people. */
  userIdOf(actor: Actor): Promise<string | undefined>
}

const PAGE = { usual: 20, most: 100 }

const list = operation({
  id: 'oauth.myGrants.list',
  method: 'GET',
  path: '/me/grants',
  summary: 'Access that the viewer has granted',
  access: { auth: 'viewer' },
  effect: 'read',
  query: Type.Object({ limit: limitParameter(PAGE.most, PAGE.usual), skip: skipParameter }),
  answer: myGrantsAnswer,
  errors: refusals.only('login_required'),
  async run({ query }, { host, actor }: Call<MyGrantsHost>) {
    const userId = await host.userIdOf(actor)
    if (userId === undefined) return refusals.refuse('login_required')
    const page = pageOf(query, PAGE)
    const items = await listGrants({ userId }, page, host)
    return { items, limit: page.limit, words: labelsOf(items, host.settings) }
  }
})

const revoke = operation({
  id: 'oauth.myGrants.revoke',
  method: 'DELETE',
  path: '/me/grants/:id',
  summary: 'Ends access that the viewer has granted',
  access: { auth: 'viewer' },
  effect: 'stop',
  params: Type.Object({ id }),
  answer: endedGrant,
  errors: refusals.only('login_required', 'not_found'),
  async run({ params }, { host, actor }: Call<MyGrantsHost>) {
    const userId = await host.userIdOf(actor)
    if (userId === undefined) return refusals.refuse('login_required')
    const own = { _id: params.id, userId, revokedAt: null }
    const grant = await host.collections.grants.findOne(own)
    if (grant === null) return refusals.refuse('not_found', { message: 'You have no such grant.' })
    const ending = { by: 'user', origin: originOfActor(actor) } as const
    const { tokensRevoked } = await endGrant(grant, ending, host)
    return { revoked: true, tokensRevoked }
  }
})

/** The operations of the viewer's own grants. */
export const myGrantsOperations: readonly Operation<MyGrantsHost>[] = [list, revoke]
