// Who may change or send through mailer.core/v1: administrators of the mailer's tenants, tokens, and plugins for themselves.
import type { Actor, Viewer } from '@keelson/sdk'
import type { ViewerProvider } from '@keelson/sdk/contracts/auth-viewer'

/** What the rule asks. */
export interface ActorRuleOptions {
  /** Those whose administrators may manage mail. */
  readonly tenants: ReadonlySet<string>
  /** Who is signed in, where a plugin knows people by their ref. */
  viewers(): ViewerProvider | undefined
  /** Whether a person has a permission, as `mailer.publish`. Default: administrators have each. */
  readonly permits?: (viewer: Viewer, permission: string) => boolean
}

/** An actor of a session or a token was looked up for this very call. */
const PRESENT = new Set(['session', 'token'])

/** Answers whether an actor may change or send now. */
export function createActorRule({ tenants, viewers, permits = () => true }: ActorRuleOptions) {
  return async (actor: Actor, permission?: string): Promise<boolean> => {
    if (actor.system !== undefined || actor.token !== undefined) return true
    // Only the admin router names it, behind the guard of the host, which has asked for the permission.
    if (actor.via === 'host') return true
    if (actor.viewerRef === undefined) return false
    if (!tenants.has(actor.tenantId)) return false
    if (PRESENT.has(actor.via)) return actor.role === 'admin'
    const viewer = await presentViewer(actor, viewers())
    if (viewer?.role !== 'admin') return false
    return permission === undefined || permits(viewer, permission)
  }
}

/** A person as they are now. Where nothing knows people by their ref, the role that they acted in counts. */
async function presentViewer(
  { viewerRef = '', tenantId, role = '' }: Actor,
  provider: ViewerProvider | undefined
): Promise<Viewer | null> {
  if (provider?.loadViewer === undefined) return { tenantId, role, viewerRef }
  const viewer = await provider.loadViewer(viewerRef, tenantId)
  return viewer?.tenantId === tenantId ? viewer : null
}
