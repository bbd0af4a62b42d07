// What a request to a tracking address tells: who asks, and whether a machine says so itself.
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { userAgentOf } from '../../ledger/public-route.ts'
import type { Hit } from './hit.ts'
import { judgeVisit } from './machine-verdict.ts'

/** How visits are read; made once. */
export interface VisitRules {
  readonly isMachineAgent: (userAgent: string) => boolean
  /** Whether the address of the visitor is kept. */
  readonly keepsIp: boolean
  readonly now: () => Date
}

/** The parts of a hit that come from its request. */
export function readVisit(
  request: FastifyRequest,
  { isMachineAgent, keepsIp, now }: VisitRules
): Pick<Hit, 'id' | 'at' | 'userAgent' | 'ip' | 'reasons'> {
  const userAgent = userAgentOf(request)
  const { method, ip } = request
  const visit = { method, userAgent, isPrefetch: isPrefetch(request) }
  return {
    id: randomUUID(),
    at: now(),
    reasons: judgeVisit(visit, isMachineAgent),
    ...(userAgent !== undefined && { userAgent }),
    ...(keepsIp && { ip })
  }
}

/** Headers of browsers that fetch ahead of a person. */
function isPrefetch({ headers }: FastifyRequest): boolean {
  const said = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => headers[name])
  return said.some(
    (value) => typeof value === 'string' && /prefetch|prerender|preview/i.test(value)
  )
}
