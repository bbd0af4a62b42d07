// Who acts, as the audit log of the mailer keeps it.
import { type Actor, ownerOf } from '@keelson/sdk'
import { defined } from './defined.ts'
import type { Acting } from './template-input.ts'

/** Values of `via` that need no further name. */
const DIRECT = new Set(['session', 'token', 'host', 'plugin'])

/** Name and origin of an actor. */
export function actingOf(actor: Actor): Acting {
  return { ...entryOf(actor), ...defined({ owner: ownerOf(actor) }) }
}

/** The same, as entries of the audit log have it. */
export function entryOf({ name, ip, requestId, userAgent, via }: Actor) {
  return {
    actor: name,
    ...(ip !== undefined && { ip }),
    ...(requestId !== undefined && { requestId }),
    ...(userAgent !== undefined && { userAgent }),
    ...(!DIRECT.has(via) && { via })
  }
}
