// A route of the administration: its handler gets the administrator.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Administrator } from './administrator.ts'
import type { ProtocolRoute } from './route.ts'

export interface AdminRoute extends Pick<ProtocolRoute, 'method' | 'path' | 'schema'> {
  readonly handler: (
    request: FastifyRequest,
    reply: FastifyReply,
    administrator: Administrator
  ) => Promise<unknown>
}
