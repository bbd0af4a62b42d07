// Administration of people: their access is ended, or everything about them erased.
import type { FastifyRequest } from 'fastify'
import { errors } from '../errors.ts'
import type { AdminRoute } from './admin-route.ts'
import type { Administrator } from './administrator.ts'
import * as schemas from './own-schemas.ts'

/** The person of the address. @throws OAU_PERSON_FOREIGN */
function personOf({ params }: FastifyRequest, { mayManage }: Administrator): string {
  const { userId } = params as { userId: string }
  if (mayManage(userId)) return userId
  throw errors.OAU_PERSON_FOREIGN({ userId })
}

const USER = '/admin/users/:userId'

export function peopleRoutes(): readonly AdminRoute[] {
  return [
    {
      method: 'POST',
      path: `${USER}/revoke-all`,
      schema: schemas.revokeUserSchema,
      async handler(request, _reply, by) {
        const { reason } = (request.body ?? {}) as { reason?: string }
        return by.users.revokeAll(personOf(request, by), reason === undefined ? {} : { reason })
      }
    },
    {
      method: 'POST',
      path: `${USER}/leave-context`,
      schema: schemas.leaveContextSchema,
      async handler(request, _reply, by) {
        const { contextId } = request.body as { contextId: string }
        return by.contexts.revoked(personOf(request, by), contextId)
      }
    },
    {
      method: 'POST',
      path: `${USER}/forget`,
      schema: schemas.forgetUserSchema,
      handler: async (request, _reply, by) => by.users.forget(personOf(request, by))
    }
  ]
}
