// Refuses requests whose Host is none of the platform's, where the platform knows its names.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answers } from '../http/answers.ts'
import { type HostRule, isHostKnown } from '../platform/host-rule.ts'
import { isAtOrBelow, type KernelAddresses } from '../platform/kernel-addresses.ts'

/** What the check needs of the kernel. */
export interface HostNames {
  readonly hostRule: HostRule | undefined
  readonly addresses: Pick<KernelAddresses, 'health'>
}

/** Answers 421 before any hook of a plugin sees the request. Without a rule nothing is added to the requests. */
export function holdHostNames(scope: FastifyInstance, names: HostNames): void {
  if (names.hostRule === undefined) return
  scope.addHook('onRequest', (request, reply, done) => {
    if (isForPlatform(names, request)) done()
    else answers.unknownHost(reply)
  })
}

/**
 * Whether a request names the platform. Health checks come by whatever address a load balancer has, and change
 * nothing. A name that a trusted proxy forwards must be known as well as the one it asked with.
 */
export function isForPlatform(
  { hostRule, addresses: { health } }: HostNames,
  request: FastifyRequest
): boolean {
  if (hostRule === undefined) return true
  const { host, raw, socket } = request
  const header = raw.headers.host ?? raw.headers[':authority']?.toString()
  const { localAddress } = socket
  if (isHostKnown(hostRule, header, localAddress)) {
    if (host === header || isHostKnown(hostRule, host, localAddress)) return true
  }
  const path = request.url.split('?', 1)[0] ?? ''
  return health !== undefined && isAtOrBelow(path, health)
}
