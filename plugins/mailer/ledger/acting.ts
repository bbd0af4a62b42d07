// Who acts, as the audit log of the mailer keeps it.
import type { Actor } from '@keelson/sdk'
import type { Acting } from './template-input.ts'

/** Name and origin of an actor. */
export function actingOf({ name, ip, requestId, userAgent }: Actor): Acting {
  return {
    actor: name,
    ...(ip !== undefined && { ip }),
    ...(requestId !== undefined && { requestId }),
    ...(userAgent !== undefined && { userAgent })
  }
}
