// Who may change or send through mailer.core/v1: administrators of the mailer's tenants, tokens, and plugins for themselves.
import type { Actor, Clock, Viewer } from '@keelson/sdk'
import type { ViewerProvider } from '@keelson/sdk/contracts/auth-viewer'
import type { TokenCheck } from '../contracts/mailer-token-check.ts'

/** What the rule asks. */
export interface ActorRuleOptions {
  /** Those whose administrators may manage mail. */
  readonly tenants: ReadonlySet<string>
  /** Who is signed in, where a plugin knows people by their ref. */
  viewers(): ViewerProvider | undefined
  /** What plugins say about their tokens. */
  tokens(): readonly TokenCheck[]
  /** The platform's time. */
  readonly clock: Clock
  /** Whether a person has a permission, as `mailer.publish`. Default: administrators have each. */
  readonly permits?: (viewer: Viewer, permission: string) => boolean
}

/** An actor of a session or a token was looked up for this very call. */
const PRESENT = new Set(['session', 'token'])

/** Answers whether an actor may change or send now. */
export function createActorRule(options: ActorRuleOptions) {
  const { tenants, viewers, permits = () => true } = options
  return async (actor: Actor, permission?: string): Promise<boolean> => {
    if (actor.system !== undefined) return true
    if (actor.token !== undefined) return PRESENT.has(actor.via) || isValid(actor.token, options)
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

/** Whether a plugin still knows a token that acts without a call. */
async function isValid(
  token: string,
  { tokens, clock }: Pick<ActorRuleOptions, 'tokens' | 'clock'>
): Promise<boolean> {
  const now = clock.now()
  for (const check of tokens()) if (await check.mayAct(token, now)) return true
  return false
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
