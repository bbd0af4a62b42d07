// Administration of clients.
import { type Actor, type Call, type Operation, operation, Type } from '@keelson/sdk'
import {
  clientPatchSchema,
  createdClientSchema,
  newClientSchema
} from '../clients/client-schema.ts'
import type { ClientStore } from '../clients/client-store.ts'
import { errors } from '../errors.ts'
import { BODY_LIMIT } from '../routes/route.ts'
import { administrator, id, limitParameter, skipParameter } from './admin-operation.ts'
import type { AdminHost } from './administrator.ts'
import { clientAnswer, clientsAnswer, endedAccess } from './answers.ts'
import { refusals } from './refusals.ts'

const CLIENT = '/admin/clients/:clientId'
const params = Type.Object({ clientId: id })
const MAX_RETIRE_MS = 90 * 86_400_000

const list = operation({
  id: 'oauth.clients.list',
  method: 'GET',
  path: '/admin/clients',
  summary: 'Clients, newest first',
  access: administrator,
  effect: 'read',
  query: Type.Object({
    limit: limitParameter(200, 50),
    skip: skipParameter,
    status: Type.Optional(Type.Enum(['active', 'disabled'])),
    search: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Starts of words of the name, the id or a callback host; all must match.'
      })
    ),
    cursor: Type.Optional(
      Type.String({ maxLength: 200, description: '`nextCursor` of the page before.' })
    )
  }),
  answer: clientsAnswer,
  async run({ query }, { host, actor }: Call<AdminHost>) {
    const { clients, tenant } = await host.administratorOf(actor)
    return clients.list({ ...query, tenant })
  }
})

const create = operation({
  id: 'oauth.clients.create',
  method: 'POST',
  path: '/admin/clients',
  summary: 'Makes a client; its secret is shown this once',
  access: administrator,
  effect: 'change',
  bodyLimit: BODY_LIMIT,
  body: newClientSchema,
  status: 201,
  answer: createdClientSchema,
  async run({ body }, { host, actor }: Call<AdminHost>) {
    const { clients, checkOwner, checkTenants, ownTenants } = await host.administratorOf(actor)
    checkOwner(body.owner)
    checkTenants(body.tenants)
    return clients.create({ ...(ownTenants !== undefined && { tenants: ownTenants }), ...body })
  }
})

const read = operation({
  id: 'oauth.clients.read',
  method: 'GET',
  path: CLIENT,
  summary: 'A client',
  access: administrator,
  effect: 'read',
  params,
  answer: clientAnswer,
  errors: refusals.only('not_found'),
  async run({ params: { clientId } }, { host, actor }: Call<AdminHost>) {
    const { clients, sees } = await host.administratorOf(actor)
    const client = await clients.get(clientId)
    if (client === null || !sees(client)) throw errors.OAU_CLIENT_UNKNOWN({ clientId })
    return { client }
  }
})

const change = operation({
  id: 'oauth.clients.change',
  method: 'PATCH',
  path: CLIENT,
  summary: 'Changes a client',
  access: administrator,
  effect: 'change',
  hints: { idempotent: true },
  bodyLimit: BODY_LIMIT,
  params,
  body: clientPatchSchema,
  answer: clientAnswer,
  errors: refusals.only('not_found'),
  async run({ params: { clientId }, body }, { host, actor }: Call<AdminHost>) {
    const clients = await ownerOf(clientId, host, actor)
    const { checkOwner, checkTenants } = await host.administratorOf(actor)
    checkOwner(body.owner ?? undefined)
    checkTenants(body.tenants)
    return { client: await clients.update(clientId, body) }
  }
})

const remove = operation({
  id: 'oauth.clients.delete',
  method: 'DELETE',
  path: CLIENT,
  summary: 'Deletes a client and ends all its access',
  access: administrator,
  effect: 'stop',
  hints: { destructive: true },
  params,
  answer: endedAccess,
  errors: refusals.only('not_found'),
  run: async ({ params: { clientId } }, { host, actor }: Call<AdminHost>) =>
    (await changerOf(clientId, host, actor)).remove(clientId)
})

const rotateSecret = operation({
  id: 'oauth.clients.rotateSecret',
  method: 'POST',
  path: `${CLIENT}/rotate-secret`,
  summary: 'Makes a new secret, shown this once',
  access: administrator,
  effect: 'change',
  bodyLimit: BODY_LIMIT,
  params,
  body: Type.Object(
    {
      retireAfter: Type.Optional(
        Type.Number({
          minimum: 0,
          description: 'Milliseconds that older secrets still work. Default 0, at most 90 days.'
        })
      ),
      label: Type.Optional(Type.String({ maxLength: 100 }))
    },
    { additionalProperties: false }
  ),
  answer: createdClientSchema,
  errors: refusals.only('not_found'),
  async run({ params: { clientId }, body }, { host, actor }: Call<AdminHost>) {
    const clients = await ownerOf(clientId, host, actor)
    const { retireAfter = 0 } = body
    return clients.rotateSecret(clientId, {
      ...body,
      retireAfter: Math.min(retireAfter, MAX_RETIRE_MS)
    })
  }
})

const disable = operation({
  id: 'oauth.clients.disable',
  method: 'POST',
  path: `${CLIENT}/disable`,
  summary: 'Ends all access of a client',
  access: administrator,
  effect: 'stop',
  hints: { idempotent: true },
  params,
  answer: endedAccess,
  errors: refusals.only('not_found'),
  run: async ({ params: { clientId } }, { host, actor }: Call<AdminHost>) =>
    (await changerOf(clientId, host, actor)).disable(clientId)
})

const enable = operation({
  id: 'oauth.clients.enable',
  method: 'POST',
  path: `${CLIENT}/enable`,
  summary: 'Lets a client ask again',
  access: administrator,
  effect: 'release',
  hints: { idempotent: true },
  params,
  answer: clientAnswer,
  errors: refusals.only('not_found'),
  run: async ({ params: { clientId } }, { host, actor }: Call<AdminHost>) => ({
    client: await (await ownerOf(clientId, host, actor)).enable(clientId)
  })
})

/** The clients as one administrator may change this one. @throws OAU_CLIENT_SHARED */
async function changerOf(clientId: string, host: AdminHost, actor: Actor): Promise<ClientStore> {
  const { clients, checkClient } = await host.administratorOf(actor)
  await checkClient(clientId)
  return clients
}

/** The same, for what would let others act as the owner of a service account. @throws OAU_OWNER_FOREIGN */
async function ownerOf(clientId: string, host: AdminHost, actor: Actor): Promise<ClientStore> {
  const clients = await changerOf(clientId, host, actor)
  const { checkOwner } = await host.administratorOf(actor)
  checkOwner((await clients.get(clientId))?.owner)
  return clients
}

/** The operations of clients. */
export const clientOperations: readonly Operation<AdminHost>[] = [
  list,
  create,
  read,
  change,
  remove,
  rotateSecret,
  disable,
  enable
]
