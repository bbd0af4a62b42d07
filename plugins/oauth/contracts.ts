// oauth.events/v1: what happens at the authorization server, for other plugins.
import {
  type Capability,
  defineCapability,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'

/** One thing that happened. It holds no token, code or secret. */
export interface OAuthHappening {
  /** Tells it apart from others; the same in webhooks. */
  readonly id: string
  /** As `oauth.consent_granted`, `oauth.grant_revoked`, `oauth.user_access_revoked`, `oauth.signed_out`. */
  readonly type: string
  readonly at: Date
  /** Of the person, as in tokens with public subjects. */
  readonly userId?: string
  /** Of the person; missing where they are of no tenant. */
  readonly tenantId?: string
  readonly clientId?: string
  readonly grantId?: string
  readonly contextId?: string
  readonly scopes?: readonly string[]
  /** More about it, by type. */
  readonly meta?: Readonly<Record<string, unknown>>
}

/** Tells of events in this process, as they happen. What must not be missed is for a webhook, which is kept until it is sent. */
export interface OAuthEvents {
  /**
   * Calls a function for each event from now on; what it throws is logged. The answer ends that.
   *
   * @example
   * const end = host.use(oauthEvents).subscribe(({ type, userId }) => forgetSessions(type, userId))
   */
  subscribe(listener: (event: OAuthHappening) => Promise<void> | void): () => void
}

/** The OAuth plugin provides it. */
export const oauthEvents: Capability<OAuthEvents> = defineCapability<OAuthEvents>(
  'oauth.events/v1',
  Type.Object(requiredFunctions('subscribe'))
)
