// The documents in the database: the seven models, and further rows of the protocol.
import type { Said } from '@keelson/sdk'
import type { JWK } from 'jose'
import type { OAuthHappening } from '../contracts.ts'
import type { ScimUser } from './scim-user.ts'

/** Grants of the token endpoint. */
export type GrantType =
  | 'authorization_code'
  | 'refresh_token'
  | 'client_credentials'
  | 'urn:ietf:params:oauth:grant-type:device_code'
  | 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  | 'urn:ietf:params:oauth:grant-type:token-exchange'

export interface StoredSecret {
  /** SHA-256 of the secret, base64url. */
  readonly hash: string
  readonly label?: string
  readonly createdAt: Date
  readonly lastUsedAt?: Date
  /** From then on it is refused. */
  readonly retiresAt?: Date
}

export interface Branding {
  readonly logoUrl?: string
  readonly publisher?: string
  readonly homepageUrl?: string
  readonly tosUrl?: string
  readonly privacyUrl?: string
}

export type AuthMethod = 'client_secret_basic' | 'client_secret_post' | 'none' | 'private_key_jwt'

export interface OAuthClient {
  readonly _id: string
  readonly clientId: string
  readonly name: string
  readonly type: 'confidential' | 'public'
  readonly registration: 'manual' | 'cimd' | 'dynamic'
  readonly metadataUrl?: string
  readonly metadataFetchedAt?: Date
  readonly metadataExpiresAt?: Date
  readonly metadataEtag?: string
  readonly trusted: boolean
  readonly secrets: readonly StoredSecret[]
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  readonly allowedScopes: readonly string[]
  /** Paths of the issuer's origin, or ids. Empty only for clients of earlier versions: all. */
  readonly allowedResources: readonly string[]
  /** Of a metadata client: the scopes that an administrator left, whatever its document asks for. */
  readonly limitedScopes?: readonly string[]
  readonly tokenEndpointAuthMethod: AuthMethod
  readonly jwks?: { readonly keys: readonly JWK[] }
  readonly jwksUri?: string
  readonly idTokenAlg?: 'ES256' | 'RS256'
  /** Absent: those of a person who signs in. */
  readonly grantTypes?: readonly GrantType[]
  /** Seconds. Absent: as for all clients. */
  readonly accessTokenTtl?: number
  /** Seconds from the last use. Absent: as for all clients. */
  readonly refreshTokenTtl?: number
  /** Seconds from consent. Absent: as for all clients. */
  readonly refreshAbsoluteTtl?: number
  /** The tenants that own it and whose people it is for. Absent: it is for everyone. */
  readonly tenants?: readonly string[]
  /** Of a service account: the person whose rights it has. */
  readonly owner?: string
  /** From then on it is refused. */
  readonly expiresAt?: Date
  /** Absent: required. */
  readonly pkce?: 'required' | 'ifSent'
  /** Pairwise subjects derive from it. Fixed when the client is made. */
  readonly sectorIdentifier: string
  readonly dpopBoundAccessTokens?: boolean
  /** False only when tokens are bound to a key. */
  readonly rotateRefreshTokens?: boolean
  readonly requirePushedAuthorizationRequests?: boolean
  /** It may introspect all access tokens for its resources. */
  readonly resourceServer?: boolean
  /** Gets logout tokens when sessions end. */
  readonly backchannelLogoutUri?: string
  readonly branding?: Branding
  /** What the list of clients is searched by, in lower case. Missing in rows of earlier versions. */
  readonly searchWords?: readonly string[]
  readonly status: 'active' | 'disabled'
  /** Of a disabled client: who may enable it again. Absent: the platform. */
  readonly disabledBy?: 'platform' | 'tenant'
  /** An administrator has not approved it yet; it is disabled until then. */
  readonly awaitsApproval?: boolean
  /** Of a client that registered openly: when it is deleted unless a person allows it access. */
  readonly unusedUntil?: Date
  /** SHA-256 of the token that manages its registration (RFC 7592). */
  readonly registrationTokenHash?: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A client without its secrets: only their labels and times. */
export type PublicClient = Omit<
  OAuthClient,
  '_id' | 'secrets' | 'searchWords' | 'registrationTokenHash'
> & {
  readonly secrets: readonly Omit<StoredSecret, 'hash'>[]
}

export type RevokedBy = 'user' | 'admin' | 'system' | 'client'

/** One consent of a person, as it was given. */
export interface RememberedConsent {
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly offline: boolean
  readonly until: Date
}

export interface OAuthGrant {
  readonly _id: string
  readonly userId: string
  readonly clientId: string
  /** Null without contexts; never absent. */
  readonly contextId: string | null
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  /** Whether access lasts while the person is away. Absent: it does. */
  readonly offline?: boolean
  readonly version: number
  /** What needs no page again, and until when; the newest last. */
  readonly remembered?: readonly RememberedConsent[]
  readonly lastUsedAt?: Date
  readonly revokedAt: Date | null
  readonly revokedBy?: RevokedBy
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface OAuthCode {
  readonly _id: string
  readonly codeHash: string
  readonly clientId: string
  readonly userId: string
  readonly grantId: string
  readonly contextId: string | null
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly redirectUri: string
  /** Absent only for clients that may leave it out. */
  readonly codeChallenge?: string
  readonly codeChallengeMethod?: 'S256'
  readonly nonce?: string
  readonly authTime?: Date
  readonly dpopJkt?: string
  readonly attemptId?: string
  /** False: it gives no refresh token. */
  readonly offline?: boolean
  readonly consumedAt: Date | null
  readonly expiresAt: Date
  readonly createdAt: Date
}

export interface OAuthToken {
  readonly _id: string
  readonly kind: 'access' | 'refresh'
  readonly tokenHash: string
  readonly clientId: string
  readonly userId: string
  readonly grantId: string
  readonly contextId: string | null
  readonly scopes: readonly string[]
  readonly audience: readonly string[]
  readonly familyId: string
  readonly parentId: string | null
  readonly authTime?: Date
  /** SHA-256 thumbprint of the key it is bound to. */
  readonly jkt?: string
  /** Its client is held to FAPI 2.0. */
  readonly isStrict?: boolean
  /** It is the client's own: `userId` is the owner of the service account. */
  readonly isService?: boolean
  readonly consumedAt: Date | null
  readonly revokedAt: Date | null
  readonly familyExpiresAt: Date
  readonly expiresAt: Date
  readonly createdAt: Date
}

export interface OAuthRequest {
  readonly _id: string
  /** SHA-256 of the handle in the address of the consent page. */
  readonly requestId: string
  readonly clientId: string
  readonly userId: string
  /** SHA-256 of the cookie of the browser that asked. */
  readonly browser: string
  /** Of the device that waits for the answer. */
  readonly deviceId?: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly state?: string
  readonly nonce?: string
  readonly codeChallenge?: string
  readonly codeChallengeMethod?: 'S256'
  readonly responseMode: 'query' | 'form_post'
  readonly dpopJkt?: string
  readonly prompt?: string
  readonly maxAge?: number
  /** Languages that the client asked for, well-formed. */
  readonly uiLocales?: string
  readonly authTime?: Date
  readonly attemptId?: string
  readonly decision?: 'approved' | 'denied'
  readonly decidedAt: Date | null
  readonly expiresAt: Date
  readonly createdAt: Date
}

export interface OAuthKey {
  readonly _id: string
  readonly kid: string
  readonly alg: 'ES256' | 'RS256'
  readonly publicJwk: JWK
  /** In the clear, where no secret is configured. */
  readonly privateJwk?: JWK
  /** Encrypted under the configured secret. */
  readonly sealedJwk?: string
  readonly status: 'active' | 'retiring'
  readonly createdAt: Date
}

export interface OAuthAudit {
  readonly _id: string
  readonly type: string
  readonly actor: 'user' | 'client' | 'admin' | 'system'
  /** Id of the administrator who acted. */
  readonly actorId?: string
  readonly clientId?: string
  readonly userId?: string
  readonly grantId?: string
  readonly ip?: string
  readonly requestId?: string
  readonly meta?: Readonly<Record<string, unknown>>
  readonly createdAt: Date
}

/**
 * Everything that came from one code. A token is live only while its family is, so ending the family also
 * ends tokens that are being minted at that moment.
 */
export interface StoredFamily {
  /** Derived from the code, so that a replay finds it after the code's own row was deleted. */
  readonly _id: string
  readonly grantId: string
  readonly clientId: string
  readonly userId: string
  readonly contextId: string | null
  readonly revokedAt: Date | null
  readonly reason?: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** A pushed authorization request (RFC 9126). */
export interface StoredPushed {
  /** SHA-256 of the handle. */
  readonly _id: string
  readonly clientId: string
  readonly parameters: readonly (readonly [string, string])[]
  readonly expiresAt: Date
}

/** A device that waits for a person (RFC 8628). */
export interface StoredDevice {
  /** SHA-256 of the device code. */
  readonly _id: string
  /** SHA-256 of the code that a person types. */
  readonly userCode: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly attemptId: string
  readonly status: 'waiting' | 'approved' | 'denied'
  /** Least time between two polls. */
  readonly intervalSeconds: number
  readonly polledAt?: Date
  readonly userId?: string
  readonly grantId?: string
  readonly contextId?: string | null
  readonly offline?: boolean
  readonly authTime?: Date
  readonly expiresAt: Date
  readonly createdAt: Date
}

/** What is to be sent: an event to a webhook, or a logout token to a client. */
export interface StoredDelivery {
  readonly _id: string
  readonly kind: 'event' | 'logout'
  /** Id of the webhook. */
  readonly webhook?: string
  readonly event?: OAuthHappening
  readonly clientId?: string
  /** The person, as the client knows them. */
  readonly sub?: string
  readonly createdAt?: Date
  readonly expiresAt?: Date
  readonly [more: string]: unknown
}

/** A user that an identity provider keeps here by SCIM. */
export interface StoredScimUser {
  /** The id of SCIM. */
  readonly _id: string
  /** Empty where the host has no tenants. */
  readonly tenant: string
  /** The person of the host. */
  readonly userId: string
  readonly userName: string
  /** In lower case. */
  readonly userNameKey: string
  readonly externalId?: string
  readonly displayName?: string
  readonly name?: ScimUser['name']
  readonly emails?: ScimUser['emails']
  readonly active: boolean
  /** Counts changes: of two at the same time, one is made again. */
  readonly version: number
  /** A deleted user is a mark that the person has no access. */
  readonly deletedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A proof or assertion that was used. */
export interface StoredReplay {
  readonly _id: string
  readonly expiresAt: Date
}

export interface AttemptStep {
  readonly at: Date
  readonly step: string
  readonly outcome: 'passed' | 'refused' | 'waiting'
  /** A sentence for people, without secrets. */
  readonly detail: string
  /** The sentence by its code. Missing where the detail is what the client was answered. */
  readonly said?: Said
}

export interface StoredAttempt {
  readonly _id: string
  /** Null when no known client was named. */
  readonly clientId: string | null
  readonly startedAt: Date
  readonly steps: readonly AttemptStep[]
  /** A person who is signed in was asked. */
  readonly hasPerson?: boolean
  /** The person who was signed in. */
  readonly userId?: string
  /** Address of the browser, as limits count it. */
  readonly ip?: string
  /** The client id that was sent, where no client has it; its first 200 characters. */
  readonly sentId?: string
  /** The host that would have to be allowed. */
  readonly refusedHost?: string
  readonly expiresAt: Date
}

/** What an administrator lets the people of a tenant do; what is missing is not limited. */
export interface StoredPolicy {
  readonly clients?: readonly string[]
  /** Of clients with a metadata document. */
  readonly hosts?: readonly string[]
  readonly scopes?: readonly string[]
  /** What the platform set, no administrator of the tenant changes. */
  readonly by: 'platform' | 'tenant'
}

/** Server keys, the version of caches, and the processes with a cache. */
export interface StoredState {
  readonly _id: string
  readonly value?: string
  readonly version?: number
  /** Hosts that administrators allowed. */
  readonly hosts?: readonly string[]
  /** Of a tenant. */
  readonly policy?: StoredPolicy
  /** When a process with a cache last announced itself. */
  readonly seenAt?: Date
}

/** The challenge of a request or a code as it is stored. */
export const challengeFields = (
  codeChallenge: string | undefined
): Pick<OAuthCode, 'codeChallenge' | 'codeChallengeMethod'> =>
  codeChallenge === undefined ? {} : { codeChallenge, codeChallengeMethod: 'S256' }
