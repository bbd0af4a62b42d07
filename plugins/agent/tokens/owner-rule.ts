// Whether the owner of a token may still do what it does: a token never does more than who made it may now.
import type { MailerCore } from '@keelson/mailer/contracts'
import { actorOfOwner, type Clock, createBoundedMap } from '@keelson/sdk'
import { holds } from './reach.ts'
import type { TokenRow } from './token-row.ts'

/** What a person must be allowed to give a token `mail:write`: it may do all of it. */
export const WRITING = [
  'mailer.publish',
  'mailer.sendBroadcasts',
  'mailer.manageSuppressions'
] as const

/** A right that is lost is missed within this time. A revocation of the token itself is not remembered at all. */
export const REMEMBERED_MS = 5000
const MOST_REMEMBERED = 1000

/** Asks for the right of a token's owner. */
export type OwnerRule = (
  row: Pick<TokenRow, '_id' | 'tenantId' | 'owner' | 'scopes'>
) => Promise<boolean>

/** Who knows what people may. */
export interface OwnerRuleSeams {
  readonly core: MailerCore
  readonly clock: Clock
  /** Those whose administrators make tokens. Left out: all. */
  readonly tenants?: ReadonlySet<string> | undefined
}

/** Of an owner who is known by name alone, as on an app without the kernel, nothing can be asked. */
export function createOwnerRule({ core, clock, tenants }: OwnerRuleSeams): OwnerRule {
  const known = createBoundedMap<string, { readonly isAllowed: boolean; readonly until: number }>(
    MOST_REMEMBERED
  )
  return async (row) => {
    const { owner, tenantId } = row
    if (tenants?.has(tenantId) === false) return false
    if (owner.viewerRef === undefined) return true
    const isWriting = holds(row, 'mail:write')
    const key = JSON.stringify([owner.tenantId, owner.viewerRef, isWriting])
    const time = clock.now().getTime()
    const found = known.get(key)
    if (found !== undefined && found.until > time) return found.isAllowed
    const isAllowed = await asked(core, row, isWriting)
    known.set(key, { isAllowed, until: time + REMEMBERED_MS })
    return isAllowed
  }
}

async function asked(
  core: MailerCore,
  { _id, owner }: Pick<TokenRow, '_id' | 'owner'>,
  isWriting: boolean
): Promise<boolean> {
  const acting = core.as(actorOfOwner(owner, `token:${_id}`))
  for (const permission of isWriting ? WRITING : [undefined])
    if (!(await acting.allowed(permission))) return false
  return true
}
