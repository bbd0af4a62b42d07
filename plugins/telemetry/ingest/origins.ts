// Cross-origin rules of ingest: a preflight carries no key, so the key of the batch decides.
import { type CorsPolicy, corsHeaders } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Admitted } from './gate.ts'

/** Allows every origin to send a batch. Cookies are of use only where sessions are resolved. */
export const preflightPolicy = (credentials: boolean): CorsPolicy => ({
  origin: () => true,
  methods: ['POST'],
  allowedHeaders: ['authorization', 'content-type', 'content-encoding'],
  // Senders wait as long as it says.
  exposedHeaders: ['Retry-After'],
  credentials
})

const withoutCookies = corsHeaders(preflightPolicy(false))
const withCookies = corsHeaders(preflightPolicy(true))

/** Lets a page read the answer to its batch. The gate has compared its origin with those of the key. */
export function allowOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  { key, origin }: Admitted
): void {
  if (key.kind !== 'publishable' || origin === undefined) return
  if (key.tenantMode === 'session') withCookies(request, reply)
  else withoutCookies(request, reply)
}
