// What a host says when it makes an OAuth host.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Connection } from '../storage/collections.ts'
import type { OAuthClient } from '../storage/rows.ts'

export interface ScopeOptions {
  readonly id: string
  /** Shown at consent. Default: the id. */
  readonly label?: string
  readonly description?: string
  /** Consent marks it. */
  readonly sensitive?: boolean
  /** Belongs to every resource. True by default for openid, profile, email and offline_access. */
  readonly oidc?: boolean
}

export interface ResourceOptions {
  /** An absolute URI without fragment: the audience of its tokens. */
  readonly id: string
  readonly label?: string
  /** Scopes it knows. Default: all of the catalogue. */
  readonly scopes?: readonly string[]
  /** Default `opaque`. */
  readonly accessTokenFormat?: 'opaque' | 'jwt'
}

export interface OAuthUser {
  /** Kept as text: of an ObjectId its hex digits. */
  readonly id: unknown
  readonly email?: string
  readonly emailVerified?: boolean
  readonly displayName?: string
  readonly avatarUrl?: string
  /** When this person last proved who they are. Needed for `prompt=login` and `max_age`. */
  readonly authTime?: Date
}

export type Maybe<T> = T | null | undefined
export type ResolveUser = (request: FastifyRequest) => Maybe<OAuthUser> | Promise<Maybe<OAuthUser>>
export type LoadUser = (userId: string) => Maybe<OAuthUser> | Promise<Maybe<OAuthUser>>

export interface UserAdapter {
  readonly resolveUser: ResolveUser
  readonly loadUser?: LoadUser | undefined
}

export interface GrantContext {
  /** Contexts (organisations, projects) this person may grant for; the first 50 are shown. */
  list(
    user: OAuthUser,
    about: { readonly client: OAuthClient; readonly scopes: readonly string[] }
  ): Iterable<ContextOption> | Promise<Iterable<ContextOption>>
  /** Asked at consent and at every refresh. */
  verify(user: OAuthUser, contextId: string): boolean | Promise<boolean>
  /** The words for contexts in lists of grants. What it leaves out goes by its id. */
  describe?(
    contextIds: readonly string[]
  ): Iterable<ContextOption> | Promise<Iterable<ContextOption>>
}

export interface ContextOption {
  readonly id: string
  readonly label: string
}

export type SigningAlg = 'ES256' | 'RS256'

export interface SigningKeyOptions {
  /** Default: the RFC 7638 thumbprint. */
  readonly kid?: string
  /** PKCS#8. */
  readonly privateKeyPem: string
  readonly alg?: string
  /** Default `active`. A retiring key stays in the key set and signs nothing. */
  readonly status?: 'active' | 'retiring'
}

export interface RateLimitOptions {
  readonly max: number
  readonly windowMs: number
}

/** Counts hits. Rejecting is safe: the process then counts by itself. */
export interface RateLimitStore {
  hit(key: string, windowMs: number): Promise<{ readonly count: number; readonly resetAt: Date }>
}

export interface MetadataClientOptions {
  readonly enabled?: boolean
  /** `host`, `host:port`, or `.domain` for its subdomains. Required when enabled. */
  readonly allowedHosts?: readonly string[]
  readonly allowedScopes?: readonly string[]
  readonly fetchTimeoutMs?: number
  readonly maxBytes?: number
  /** How long a document without caching headers is fresh. Default one hour. */
  readonly cacheTtlMs?: number
}

export interface RegistrationOptions {
  readonly enabled?: boolean
  /** At least 24 characters each. Registration without one of them is refused. */
  readonly initialAccessTokens?: readonly string[]
}

/** What `track` is told. */
export interface OAuthEvent {
  readonly type: string
  readonly userId?: string
  readonly clientId?: string
  readonly grantId?: string
  readonly contextId?: string
  readonly scopes?: readonly string[]
  readonly meta?: Readonly<Record<string, unknown>>
}

export interface OAuthLogger {
  warn(fields: object, message?: string): void
  error(fields: object, message?: string): void
}

export interface OAuthHostConfig {
  /** Absolute http(s) URL without a slash at its end; a path is allowed. */
  readonly issuer: string
  readonly resources: readonly (string | ResourceOptions)[]
  readonly scopes: readonly (string | ScopeOptions)[]
  /** Gets `request_id` in its query. May be relative. */
  readonly consentUrl: string
  readonly connection: Connection
  /** Below the issuer: where `routes.oauth` is registered. Default `/oauth`. */
  readonly mountPath?: string
  /** For requests without `scope`, as far as the client may have them. */
  readonly defaultScopes?: readonly string[]
  readonly loginUrl?: string
  /** Query parameter of `loginUrl` with the way back. Default `next`. */
  readonly returnParam?: string
  readonly userAdapter?: UserAdapter
  readonly resolveUser?: ResolveUser
  readonly loadUser?: LoadUser
  readonly grantContext?: GrantContext
  /** More claims for id token and userinfo. Claims of the protocol cannot be set. */
  readonly claims?: (
    user: OAuthUser,
    about: { readonly scopes: readonly string[]; readonly clientId: string }
  ) => Record<string, unknown> | Promise<Record<string, unknown>>
  /** Seconds. */
  readonly ttl?: {
    readonly code?: number
    readonly accessToken?: number
    readonly refreshToken?: number
    readonly refreshAbsolute?: number
    /** For so long a used refresh token gives the same successor again. 0: never. Default 30. */
    readonly refreshGrace?: number
    readonly authorizationRequest?: number
    readonly pushedRequest?: number
  }
  readonly subjectMode?: 'public' | 'pairwise'
  readonly pairwiseSalt?: string
  readonly signing?: {
    readonly keys?: readonly SigningKeyOptions[]
    readonly autoGenerate?: boolean
    /** Default `['ES256']`. The first signs unless a client asks otherwise. */
    readonly algorithms?: readonly SigningAlg[]
  }
  /** Per address, and per client that proved itself. Default 60 in 60,000 ms each. */
  readonly rateLimits?: {
    readonly token?: RateLimitOptions | false
    readonly authorize?: RateLimitOptions | false
    readonly consent?: RateLimitOptions | false
    readonly store?: RateLimitStore
  }
  /** 0 or left out: off. A revocation is seen at once all the same. */
  readonly tokenCache?: { readonly ttlMs?: number }
  readonly collectionPrefix?: string
  readonly audit?: { readonly retentionDays?: number }
  /** Origins that may read discovery, keys, token and userinfo. Default `*`. */
  readonly cors?: { readonly origins?: readonly string[] }
  readonly clockSkewMs?: number
  readonly clientIdMetadata?: MetadataClientOptions
  readonly registration?: RegistrationOptions
  readonly dpop?: { readonly requireNonce?: boolean }
  /** At least 32 characters. Default: made once and kept in the database. */
  readonly secret?: string
  /** Ends the host's own session, for RP-initiated logout. */
  readonly endSession?: (request: FastifyRequest, reply: FastifyReply) => unknown
  readonly logger?: OAuthLogger
  readonly track?: (event: OAuthEvent) => unknown
  /** Time. Default: the system's. */
  readonly clock?: { now(): Date }
}
