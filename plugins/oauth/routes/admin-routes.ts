// Administration over HTTP: clients, grants, audit, keys, and the attempts to authorize.
import type { FastifyRequest } from 'fastify'
import type { Filter } from 'mongodb'
import type { ClientFields } from '../clients/client-fields.ts'
import type { SigningAlg } from '../config/schema.ts'
import { errors } from '../errors.ts'
import type { Services } from '../services.ts'
import { pageOf } from '../storage/page.ts'
import type { OAuthAudit } from '../storage/rows.ts'
import { namesOf } from '../users/names.ts'
import { textOfId } from '../users/person-id.ts'
import { presetsFor } from '../vendors.ts'
import type { AdminRoute } from './admin-route.ts'
import * as schemas from './own-schemas.ts'
import { peopleRoutes } from './people-routes.ts'

/** Parameters and body as the schema of the route has checked them. */
const paramsOf = <T>(request: FastifyRequest): T => request.params as T
const queryOf = <T>(request: FastifyRequest): T => request.query as T
const bodyOf = <T>(request: FastifyRequest): T => request.body as T

interface Paging {
  readonly limit?: number
  readonly skip?: number
}
interface ClientParams {
  readonly clientId: string
}

type Parts = Pick<Services, 'settings' | 'collections' | 'keys' | 'attempts'>

export function adminRoutes(parts: Parts): readonly AdminRoute[] {
  return [
    ...clientRoutes(),
    ...switchRoutes(),
    ...grantRoutes(parts),
    ...peopleRoutes(),
    ...auditRoutes(parts),
    ...keyRoutes(parts),
    ...attemptRoutes(parts)
  ]
}

const CLIENT = '/admin/clients/:clientId'

function clientRoutes(): readonly AdminRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/clients',
      schema: schemas.clientsSchema,
      handler: async (request, _reply, { clients }) => clients.list(queryOf(request))
    },
    {
      method: 'POST',
      path: '/admin/clients',
      schema: schemas.createClientSchema,
      async handler(request, reply, { clients }) {
        const created = await clients.create(bodyOf<ClientFields>(request))
        reply.code(201)
        return created
      }
    },
    {
      method: 'GET',
      path: CLIENT,
      schema: schemas.readClientSchema,
      async handler(request, _reply, { clients }) {
        const { clientId } = paramsOf<ClientParams>(request)
        const client = await clients.get(clientId)
        if (client === null) throw errors.OAU_CLIENT_UNKNOWN({ clientId })
        return { client }
      }
    },
    {
      method: 'PATCH',
      path: CLIENT,
      schema: schemas.updateClientSchema,
      async handler(request, _reply, { clients }) {
        const { clientId } = paramsOf<ClientParams>(request)
        return { client: await clients.update(clientId, bodyOf<Partial<ClientFields>>(request)) }
      }
    },
    {
      method: 'DELETE',
      path: CLIENT,
      schema: schemas.disableClientSchema,
      handler: (request, _reply, { clients }) =>
        clients.remove(paramsOf<ClientParams>(request).clientId)
    }
  ]
}

const MAX_RETIRE_MS = 90 * 86_400_000

function switchRoutes(): readonly AdminRoute[] {
  return [
    {
      method: 'POST',
      path: `${CLIENT}/rotate-secret`,
      schema: schemas.rotateSecretSchema,
      async handler(request, _reply, { clients }) {
        const { retireAfter = 0, label } =
          bodyOf<{ retireAfter?: number; label?: string } | null>(request) ?? {}
        return clients.rotateSecret(paramsOf<ClientParams>(request).clientId, {
          retireAfter: Math.min(retireAfter, MAX_RETIRE_MS),
          ...(label !== undefined && { label })
        })
      }
    },
    {
      method: 'POST',
      path: `${CLIENT}/disable`,
      schema: schemas.disableClientSchema,
      handler: (request, _reply, { clients }) =>
        clients.disable(paramsOf<ClientParams>(request).clientId)
    },
    {
      method: 'POST',
      path: `${CLIENT}/enable`,
      schema: schemas.enableClientSchema,
      async handler(request, _reply, { clients }) {
        return { client: await clients.enable(paramsOf<ClientParams>(request).clientId) }
      }
    }
  ]
}

function grantRoutes({ settings }: Parts): readonly AdminRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/grants',
      schema: schemas.grantsSchema,
      async handler(request, _reply, { grants }) {
        const query = queryOf<Paging & { clientId?: string; userId?: string }>(request)
        const { items, limit } = await grants.list(query)
        const names = await namesOf(new Set(items.map(({ userId }) => userId)), settings)
        return { items: items.map((item) => ({ ...item, person: names.get(item.userId) })), limit }
      }
    },
    {
      method: 'DELETE',
      path: '/admin/grants/:id',
      schema: schemas.endGrantSchema,
      async handler(request, _reply, { grants }) {
        const { id } = paramsOf<{ id: string }>(request)
        const { tokensRevoked } = await grants.revoke(id, { by: 'admin' })
        return { revoked: true, tokensRevoked }
      }
    }
  ]
}

interface AuditQuery {
  readonly limit?: number
  readonly clientId?: string
  readonly userId?: string
  readonly before?: string
}

function auditRoutes({ collections: { audit }, settings }: Parts): readonly AdminRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/audit',
      schema: schemas.auditSchema,
      async handler(request) {
        const query = queryOf<AuditQuery>(request)
        const { limit } = pageOf(query)
        const rows = await audit
          .find(auditFilter(query))
          .sort({ createdAt: -1 })
          .limit(limit)
          .toArray()
        const ids = rows.flatMap(({ userId, actorId }) => [userId ?? [], actorId ?? []].flat())
        const names = await namesOf(new Set(ids), settings)
        const items = rows.map(({ _id, ...row }) => ({
          id: _id,
          ...row,
          person: names.get(row.userId ?? ''),
          actorName: names.get(row.actorId ?? '')
        }))
        return { items, limit }
      }
    }
  ]
}

const auditFilter = ({ clientId, userId, before }: AuditQuery): Filter<OAuthAudit> => ({
  ...(clientId !== undefined && { clientId }),
  ...(userId !== undefined && { userId: textOfId(userId) }),
  ...(before !== undefined && { createdAt: { $lt: new Date(before) } })
})

function keyRoutes({ keys, settings }: Parts): readonly AdminRoute[] {
  const algOf = (given: string | undefined): SigningAlg => {
    const alg = settings.algorithms.find((one) => one === (given ?? settings.algorithms[0]))
    if (alg !== undefined) return alg
    const problem = `must be one of ${settings.algorithms.join(', ')}`
    throw errors.OAU_REQUEST_INVALID({ path: 'alg', problem })
  }
  return [
    {
      method: 'GET',
      path: '/admin/keys',
      schema: schemas.keysSchema,
      handler: async () => ({ items: await keys.list(), algorithms: settings.algorithms })
    },
    {
      method: 'POST',
      path: '/admin/keys/rotate',
      schema: schemas.rotateKeySchema,
      async handler(request, _reply, { journal }) {
        const key = await keys.rotate(algOf(bodyOf<{ alg?: string } | null>(request)?.alg))
        await journal.audit('oauth.key_rotated', { actor: 'admin', meta: { kid: key.kid } })
        return { key }
      }
    },
    {
      method: 'DELETE',
      path: '/admin/keys/:kid',
      schema: schemas.removeKeySchema,
      async handler(request, _reply, { journal }) {
        const { kid } = paramsOf<{ kid: string }>(request)
        const { removed } = await keys.remove(kid)
        if (!removed) throw errors.OAU_KEY_UNKNOWN({ kid })
        await journal.audit('oauth.key_removed', { actor: 'admin', meta: { kid } })
        return { removed }
      }
    }
  ]
}

function attemptRoutes({ attempts, settings }: Parts): readonly AdminRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/attempts',
      schema: schemas.attemptsSchema,
      async handler(request) {
        const { clientId } = queryOf<{ clientId?: string }>(request)
        const items = await attempts.list(clientId ?? null)
        return { items: items.map(({ _id, ...attempt }) => ({ id: _id, ...attempt })) }
      }
    },
    {
      method: 'GET',
      path: '/admin/options',
      schema: schemas.optionsSchema,
      handler: async () => ({
        issuer: settings.issuer,
        scopes: [...settings.scopes.values()],
        resources: [...settings.resources.values()],
        presets: presetsFor([...settings.resources.keys()].filter((id) => /^https?:/.test(id)))
      })
    }
  ]
}
