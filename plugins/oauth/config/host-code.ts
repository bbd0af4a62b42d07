// What a host gives as code rather than as data: how it finds people, contexts, and where it hears of events.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OAuthClient, PublicClient } from '../storage/rows.ts'

export interface OAuthUser {
  /** Stored as text; an ObjectId as its hex digits. */
  readonly id: unknown
  readonly email?: string
  readonly emailVerified?: boolean
  readonly displayName?: string
  readonly avatarUrl?: string
  /** When this person last authenticated. Needed for `prompt=login` and `max_age`. */
  readonly authTime?: Date
}

export type Maybe<T> = T | null | undefined
/** The signed-in person of a request; null when the request is signed out. */
export type ResolveUser = (request: FastifyRequest) => Maybe<OAuthUser> | Promise<Maybe<OAuthUser>>
/** A person by id; null when there is no such person. */
export type LoadUser = (userId: string) => Maybe<OAuthUser> | Promise<Maybe<OAuthUser>>

export interface UserAdapter {
  readonly resolveUser: ResolveUser
  readonly loadUser?: LoadUser | undefined
}

export interface GrantContext {
  /** Contexts (organisations, projects) this person may grant access for; the first 50 are shown. */
  list(
    user: OAuthUser,
    about: { readonly client: OAuthClient; readonly scopes: readonly string[] }
  ): Iterable<ContextOption> | Promise<Iterable<ContextOption>>
  /** Called at consent and at every refresh. */
  verify(user: OAuthUser, contextId: string): boolean | Promise<boolean>
  /** Labels of contexts in lists of grants. A context that is left out is shown by its id. */
  describe?(
    contextIds: readonly string[]
  ): Iterable<ContextOption> | Promise<Iterable<ContextOption>>
}

export interface ContextOption {
  readonly id: string
  readonly label: string
}

/**
 * The id of the person whom a trusted issuer names; null when there is none. `tenant`: whose people the issuer
 * speaks for. Default: the subject itself.
 */
export type MapSubject = (
  subject: string,
  tenant: string | undefined
) => string | null | Promise<string | null>

/** The tenant (organisation) of a person; null for a person of none. */
export type TenantOf = (userId: string) => Maybe<string> | Promise<Maybe<string>>

/** Counts hits. When it rejects, the process counts by itself. */
export interface RateLimitStore {
  hit(key: string, windowMs: number): Promise<{ readonly count: number; readonly resetAt: Date }>
}

/** The argument of `track`. */
export interface OAuthEvent {
  readonly type: string
  readonly userId?: string
  readonly clientId?: string
  readonly grantId?: string
  readonly contextId?: string
  readonly scopes?: readonly string[]
  readonly meta?: Readonly<Record<string, unknown>>
}

export type Track = (event: OAuthEvent) => unknown

export interface OAuthLogger {
  warn(fields: object, message?: string): void
  error(fields: object, message?: string): void
}

/** Further claims for the identity token and userinfo. */
export type ExtraClaims = (
  user: OAuthUser,
  about: {
    readonly scopes: readonly string[]
    readonly clientId: string
    /** The client, without its secrets. */
    readonly client: PublicClient
    /** The context that the person chose at consent; null without contexts. */
    readonly contextId: string | null
  }
) => Record<string, unknown> | Promise<Record<string, unknown>>

/** Ends the host's own session, for RP-initiated logout. */
export type EndSession = (request: FastifyRequest, reply: FastifyReply) => unknown
