// Who set up what happens later: stored with it, and asked again when it happens.
import type { Actor } from './actor.ts'

/**
 * Who set up what happens later, a schedule, a rule, a flow: stored with it, so that their right is checked
 * again each time it happens. One of `viewerRef`, `token` and `system` is given.
 */
export type Owner = Pick<Actor, 'tenantId' | 'viewerRef' | 'token' | 'system' | 'name' | 'role'>

/** The owner of what an actor sets up; undefined where only a name is known, of whom nothing can be asked later. */
export function ownerOf({
  tenantId,
  viewerRef,
  token,
  system,
  name,
  role
}: Actor): Owner | undefined {
  if ((viewerRef ?? token ?? system) === undefined) return undefined
  return {
    tenantId,
    ...(viewerRef !== undefined && { viewerRef }),
    ...(token !== undefined && { token }),
    ...(system !== undefined && { system }),
    name,
    ...(role !== undefined && { role })
  }
}

/**
 * The owner acts, because what they set up happens.
 *
 * @param via what happens, as `alert:a1` or `broadcast:spring`
 */
export const actorOfOwner = (owner: Owner, via: string): Actor => ({ ...owner, via })
