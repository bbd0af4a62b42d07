// The routes on which people see and end the access that they granted.
import type { FastifyRequest } from 'fastify'
import { endGrant } from '../grants/end-grant.ts'
import { labelsOf } from '../grants/labels.ts'
import { listGrants } from '../grants/list-grants.ts'
import { sealed } from '../http/answers.ts'
import { checkOrigin, originOf } from '../http/requests.ts'
import { oauthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import { type PageOptions, pageOf } from '../storage/page.ts'
import { userIdOf } from '../users/person-id.ts'
import { endGrantSchema, myGrantsSchema } from './own-schemas.ts'
import type { ProtocolRoute } from './route.ts'

const PAGE = { usual: 20, most: 100 }

type Parts = Pick<
  Services,
  'settings' | 'collections' | 'revocations' | 'journal' | 'checksOrigins'
>

export function myGrantsRoutes(parts: Parts): readonly ProtocolRoute[] {
  const { collections, settings } = parts
  return [
    {
      method: 'GET',
      path: '/me/grants',
      schema: myGrantsSchema,
      isOwn: true,
      async handler(request, reply) {
        sealed(reply)
        const userId = await signedInId(request, parts)
        const page = pageOf(request.query as PageOptions, PAGE)
        const items = await listGrants({ userId }, page, parts)
        return {
          limit: page.limit,
          items: items.map(({ userId: _own, ...rest }) => rest),
          words: labelsOf(items, settings)
        }
      }
    },
    {
      method: 'DELETE',
      path: '/me/grants/:id',
      schema: endGrantSchema,
      isOwn: true,
      async handler(request, reply) {
        sealed(reply)
        if (!parts.checksOrigins) checkOrigin(request, settings)
        const userId = await signedInId(request, parts)
        const { id } = request.params as { id: string }
        const grant = await collections.grants.findOne({ _id: String(id), userId, revokedAt: null })
        if (grant === null) throw oauthError('grantUnknown')
        const ending = { by: 'user', origin: originOf(request) } as const
        const { tokensRevoked } = await endGrant(grant, ending, parts)
        return { revoked: true, tokensRevoked }
      }
    }
  ]
}

/** @throws login_required */
async function signedInId(
  request: FastifyRequest,
  { settings }: Pick<Parts, 'settings'>
): Promise<string> {
  const user = await settings.resolveUser(request)
  if (user === null || user === undefined) {
    throw oauthError('loginRequired')
  }
  return userIdOf(user)
}
