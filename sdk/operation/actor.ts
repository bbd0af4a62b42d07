// Who acts: the person, token or named system behind a change, as audit logs and owners of capabilities see it.
import type { FastifyRequest } from 'fastify'
import type { Viewer } from '../viewer.ts'

/**
 * Who acts. Exactly one of `viewerRef`, `token` and `system` is given; none for a caller whom the guard of a
 * host has admitted, and for one who is not signed in, on public operations.
 */
export interface Actor {
  /** `*` is the platform itself: all tenants. Empty for a caller who is not signed in. */
  readonly tenantId: string
  /** The person, as `<type>:<id>`. */
  readonly viewerRef?: string
  /** The token, by a name that may be shown. */
  readonly token?: string
  /** The id of the plugin that acts for itself. */
  readonly system?: string
  /** As audit logs name it: `human:<email>`, `agent:<name>`, `oauth:<client>:<person>`, `system:<plugin>`. */
  readonly name: string
  /**
   * How the call came: `session`, `token`, `plugin`, `host` (the guard of a host has admitted a caller of whom
   * `name` is all that is known), or the rule or schedule that acts for a person, as `alert:a1`.
   */
  readonly via: string
  /** Of a person: the role at the time of the call. */
  readonly role?: string
  /** Of the request, where there is one. */
  readonly ip?: string
  /** The request comes from this machine itself (`isFromThisMachine`), and no page of another site made it. */
  readonly isLocal?: true
  readonly requestId?: string
  /** At most 256 characters. */
  readonly userAgent?: string
}

const USER_AGENT_CHARACTERS = 256

/** Of a request: address, id and user agent, for the audit log. */
export function originOf(request: FastifyRequest): Pick<Actor, 'ip' | 'requestId' | 'userAgent'> {
  const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_CHARACTERS)
  return { ip: request.ip, requestId: request.id, ...(userAgent !== undefined && { userAgent }) }
}

/** A person who is signed in. Null is a caller who is not. */
export function actorOfViewer(viewer: Viewer | null, via: string): Actor {
  if (viewer === null) return { tenantId: '', name: 'anonymous', via }
  const { tenantId, viewerRef, email, role } = viewer
  const name = `human:${email ?? viewerRef ?? 'anonymous'}`
  return { tenantId, name, role, via, ...(viewerRef !== undefined && { viewerRef }) }
}

/** A plugin that acts for itself, as a job does. `what` says which part of it. */
export const systemActor = (plugin: string, what?: string): Actor => ({
  tenantId: '*',
  system: plugin,
  name: `system:${plugin}`,
  via: what ?? 'plugin'
})
