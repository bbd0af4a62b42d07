// Who acts, as the audit log of the mailer keeps it.
import type { Actor } from '@keelson/sdk'
import type { Acting } from './template-input.ts'

/** Values of `via` that need no further name. */
const DIRECT = new Set(['session', 'token', 'host', 'plugin'])

/** Name and origin of an actor. */
export function actingOf({ name, ip, requestId, userAgent, via }: Actor): Acting {
  return {
    actor: name,
    ...(ip !== undefined && { ip }),
    ...(requestId !== undefined && { requestId }),
    ...(userAgent !== undefined && { userAgent }),
    ...(!DIRECT.has(via) && { via })
  }
}
