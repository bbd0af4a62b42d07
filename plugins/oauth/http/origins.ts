// Which pages of other origins may call the protocol. Cookies never count there.
import { type CorsPolicy, corsHeaders } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../config/settings.ts'

type Origins = Pick<Settings, 'corsOrigins'>

const ALLOWED_HEADERS = [
  'authorization',
  'content-type',
  'accept',
  'dpop',
  'mcp-protocol-version',
  'mcp-session-id',
  'last-event-id'
]
const EXPOSED_HEADERS = ['WWW-Authenticate', 'DPoP-Nonce', 'Retry-After']

/** The policy of a route; undefined when `cors.origins` is empty, which allows no other origin. */
export function corsPolicy(
  { corsOrigins }: Origins,
  methods: readonly string[]
): CorsPolicy | undefined {
  if (corsOrigins?.length === 0) return undefined
  const allowed = corsOrigins && new Set(corsOrigins)
  return {
    origin: allowed === undefined ? '*' : (origin) => allowed.has(origin),
    methods,
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS
  }
}

/** Adds the headers to one answer, for a guard on routes of the host. */
export function corsHeadersOf(
  settings: Origins
): (request: FastifyRequest, reply: FastifyReply) => void {
  const policy = corsPolicy(settings, [])
  return policy === undefined ? () => undefined : corsHeaders(policy)
}
