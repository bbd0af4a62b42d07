// Who may change or send through mailer.core/v1: administrators of the mailer's tenants, tokens, and plugins for themselves.
import type { Actor } from '@keelson/sdk'
import type { ViewerProvider } from '@keelson/sdk/contracts/auth-viewer'

/** What the rule asks. */
export interface ActorRuleOptions {
  /** Those whose administrators may manage mail. */
  readonly tenants: ReadonlySet<string>
  /** Who is signed in, where a plugin knows people by their ref. */
  viewers(): ViewerProvider | undefined
}

/** An actor of a session or a token was looked up for this very call. */
const PRESENT = new Set(['session', 'token'])

/** Answers whether an actor may change or send now. */
export function createActorRule({ tenants, viewers }: ActorRuleOptions) {
  return async (actor: Actor): Promise<boolean> => {
    if (actor.system !== undefined || actor.token !== undefined) return true
    // Only the admin router names it, behind the guard of the host, which has asked for the permission.
    if (actor.via === 'host') return true
    if (actor.viewerRef === undefined) return false
    const role = PRESENT.has(actor.via) ? actor.role : await presentRole(actor, viewers())
    return role === 'admin' && tenants.has(actor.tenantId)
  }
}

/** The role of a person now. Where nothing knows people by their ref, the role that they acted in counts. */
async function presentRole(
  { viewerRef = '', tenantId, role }: Actor,
  provider: ViewerProvider | undefined
): Promise<string | undefined> {
  if (provider?.loadViewer === undefined) return role
  const viewer = await provider.loadViewer(viewerRef, tenantId)
  return viewer?.tenantId === tenantId ? viewer.role : undefined
}
