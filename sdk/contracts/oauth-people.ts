// oauth.people/v1: ends the access that a person granted to OAuth clients, or erases everything about a person.
import { Type } from '../typebox.ts'
import type { Viewer } from '../viewer.ts'
import { type Capability, defineCapability, requiredFunctions } from './contract.ts'

/** A person of the platform: both parts are the identity. */
export type OAuthPerson = Pick<Viewer, 'tenantId'> & {
  /** `user:<id>`. */
  readonly viewerRef: string
}

/** What a revocation ended. Zeros when nothing was live. */
export interface EndedAccess {
  readonly grantsRevoked: number
  readonly tokensRevoked: number
}

/** Call it when an account is deleted, suspended, or leaves an organisation. All calls are idempotent. */
export interface OAuthPeople {
  /** Deletes everything about a person except one audit row without their id; resolves with what was deleted. */
  forget(person: OAuthPerson): Promise<{ readonly grants: number; readonly tokens: number }>
  /** Ends all access that a person granted, at once and in every process; records stay. */
  revokeAll(person: OAuthPerson, options?: { readonly reason?: string }): Promise<EndedAccess>
  /** A person left a context: access in it ends, elsewhere it stays. */
  leaveContext(person: OAuthPerson, contextId: string): Promise<EndedAccess>
  /**
   * The viewer behind the `userId` of an access token, as the sign-in plugin knows them now; null for a
   * person who is gone. The kernel asks it for viewer and admin routes that take access tokens.
   */
  viewerOf(userId: string): Promise<Viewer | null>
}

/** The OAuth host provides it. */
export const oauthPeople: Capability<OAuthPeople> = defineCapability<OAuthPeople>(
  'oauth.people/v1',
  Type.Object(requiredFunctions('forget', 'revokeAll', 'leaveContext', 'viewerOf'))
)
