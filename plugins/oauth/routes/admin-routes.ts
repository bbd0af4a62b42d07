// What administrators do over HTTP: clients, grants, audit, keys, and what became of authorizations.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Filter } from 'mongodb'
import type { ClientFields } from '../clients/client-fields.ts'
import type { SigningAlg } from '../config/schema.ts'
import { queryValue } from '../http/requests.ts'
import { invalidRequest, OAuthError } from '../oauth-errors.ts'
import type { OAuthParts } from '../oauth-host.ts'
import { pageOf } from '../storage/page.ts'
import type { OAuthAudit } from '../storage/rows.ts'
import { textOfId } from '../users/claims.ts'
import { CLIENT_PRESETS } from '../vendors.ts'
import type { Administrator } from './administrator.ts'

export interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly handler: (
    request: FastifyRequest,
    reply: FastifyReply,
    administrator: Administrator
  ) => Promise<unknown>
}

const pageOfRequest = (request: FastifyRequest) => {
  const [limit, skip] = [queryValue(request, 'limit'), queryValue(request, 'skip')]
  return {
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(skip !== undefined && { skip: Number(skip) })
  }
}

const param = (request: FastifyRequest, name: string): string =>
  String((request.params as Record<string, unknown>)[name] ?? '')

/** @throws invalid_request */
function bodyOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const { body } = request
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest('The body must be a JSON object.')
  }
  return body as Readonly<Record<string, unknown>>
}

const notFound = (what: string): OAuthError => new OAuthError(404, 'not_found', `No such ${what}.`)

export function adminRoutes(parts: OAuthParts): readonly AdminRoute[] {
  return [...clientAdmin(), ...accessAdmin(parts), ...keyAdmin(parts), ...attemptAdmin(parts)]
}

function clientAdmin(): readonly AdminRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/clients',
      async handler(request, _reply, { clients }) {
        const status = queryValue(request, 'status')
        const isStatus = status === 'active' || status === 'disabled'
        return clients.list({ ...pageOfRequest(request), ...(isStatus && { status }) })
      }
    },
    {
      method: 'POST',
      path: '/admin/clients',
      async handler(request, reply, { clients }) {
        const created = await clients.create(bodyOf(request) as unknown as ClientFields)
        reply.code(201)
        return created
      }
    },
    {
      method: 'GET',
      path: '/admin/clients/:clientId',
      async handler(request, _reply, { clients }) {
        const client = await clients.get(param(request, 'clientId'))
        if (client === null) throw notFound('client')
        return { client }
      }
    },
    {
      method: 'PATCH',
      path: '/admin/clients/:clientId',
      handler: async (request, _reply, { clients }) => ({
        client: await clients.update(param(request, 'clientId'), bodyOf(request))
      })
    },
    {
      method: 'POST',
      path: '/admin/clients/:clientId/rotate-secret',
      async handler(request, _reply, { clients }) {
        const { retireAfter, label } = (request.body ?? {}) as Record<string, unknown>
        const isTime = typeof retireAfter === 'number' && retireAfter >= 0
        if (retireAfter !== undefined && !isTime) {
          throw invalidRequest('retireAfter is a number of milliseconds.')
        }
        return clients.rotateSecret(param(request, 'clientId'), {
          ...(isTime && { retireAfter: Math.min(retireAfter, 90 * 86_400_000) }),
          ...(typeof label === 'string' && { label: label.slice(0, 100) })
        })
      }
    },
    {
      method: 'POST',
      path: '/admin/clients/:clientId/disable',
      handler: (request, _reply, { clients }) => clients.disable(param(request, 'clientId'))
    },
    {
      method: 'POST',
      path: '/admin/clients/:clientId/enable',
      handler: async (request, _reply, { clients }) => ({
        client: await clients.enable(param(request, 'clientId'))
      })
    }
  ]
}

function accessAdmin({ services }: OAuthParts): readonly AdminRoute[] {
  const { audit } = services.collections
  return [
    {
      method: 'GET',
      path: '/admin/grants',
      async handler(request, _reply, { grants }) {
        const [clientId, userId] = [queryValue(request, 'clientId'), queryValue(request, 'userId')]
        return grants.list({
          ...pageOfRequest(request),
          ...(clientId !== undefined && { clientId }),
          ...(userId !== undefined && { userId })
        })
      }
    },
    {
      method: 'DELETE',
      path: '/admin/grants/:id',
      async handler(request, _reply, { grants }) {
        const { tokensRevoked } = await grants.revoke(param(request, 'id'), { by: 'admin' })
        return { revoked: true, tokensRevoked }
      }
    },
    {
      method: 'GET',
      path: '/admin/audit',
      async handler(request) {
        const { limit } = pageOf(pageOfRequest(request))
        const filter = auditFilter(request)
        const rows = await audit.find(filter).sort({ createdAt: -1 }).limit(limit).toArray()
        return { items: rows.map(({ _id, ...row }) => ({ id: _id, ...row })), limit }
      }
    }
  ]
}

/** @throws invalid_request for a `before` that is no time */
function auditFilter(request: FastifyRequest): Filter<OAuthAudit> {
  const [clientId, userId] = [queryValue(request, 'clientId'), queryValue(request, 'userId')]
  const before = queryValue(request, 'before')
  const at = before === undefined ? undefined : new Date(before)
  if (at !== undefined && Number.isNaN(at.getTime())) throw invalidRequest('before is no time.')
  return {
    ...(clientId !== undefined && { clientId }),
    ...(userId !== undefined && { userId: textOfId(userId) }),
    ...(at !== undefined && { createdAt: { $lt: at } })
  }
}

function keyAdmin({ services }: OAuthParts): readonly AdminRoute[] {
  const { keys, settings } = services
  const algOf = (value: unknown): SigningAlg => {
    const alg = settings.algorithms.find((one) => one === (value ?? settings.algorithms[0]))
    if (alg === undefined) throw invalidRequest(`alg is one of ${settings.algorithms.join(', ')}.`)
    return alg
  }
  return [
    {
      method: 'GET',
      path: '/admin/keys',
      handler: async () => ({ items: await keys.list(), algorithms: settings.algorithms })
    },
    {
      method: 'POST',
      path: '/admin/keys/rotate',
      async handler(request, _reply, { journal }) {
        const key = await keys.rotate(algOf((request.body as { alg?: unknown } | undefined)?.alg))
        await journal.audit('oauth.key_rotated', { actor: 'admin', meta: { kid: key.kid } })
        return { key }
      }
    },
    {
      method: 'DELETE',
      path: '/admin/keys/:kid',
      async handler(request, _reply, { journal }) {
        const kid = param(request, 'kid')
        const { removed } = await keys.remove(kid)
        if (!removed) throw notFound('retiring key')
        await journal.audit('oauth.key_removed', { actor: 'admin', meta: { kid } })
        return { removed }
      }
    }
  ]
}

function attemptAdmin({ services }: OAuthParts): readonly AdminRoute[] {
  const { attempts, settings } = services
  const shown = async (clientId: string | null) => {
    const items = await attempts.list(clientId)
    return { items: items.map(({ _id, ...attempt }) => ({ id: _id, ...attempt })) }
  }
  return [
    {
      method: 'GET',
      path: '/admin/attempts',
      handler: (request) => shown(queryValue(request, 'clientId') ?? null)
    },
    {
      method: 'GET',
      path: '/admin/options',
      handler: async () => ({
        issuer: settings.issuer,
        scopes: [...settings.scopes.values()].map(({ id, label, isSensitive }) => ({
          id,
          label,
          isSensitive
        })),
        resources: [...settings.resources.values()].map(({ id, label }) => ({ id, label })),
        presets: CLIENT_PRESETS
      })
    }
  ]
}
