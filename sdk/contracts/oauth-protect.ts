// oauth.protect/v1: preHandlers that let in requests with an access token.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Capability, defineCapability, functionSchema } from './contract.ts'

/** What the access token of a request grants. */
export interface OAuthAccess {
  readonly userId: string
  readonly clientId: string
  /** The context (an account, a workspace) that the person chose at consent; null when there is none. */
  readonly contextId: string | null
  readonly scopes: readonly string[]
  readonly grantId: string
  readonly tokenId: string
  /** The resources the token is for, as absolute URIs. */
  readonly audience: readonly string[]
}

/** How one protection differs from the default. */
export interface ProtectOptions {
  /**
   * The resource a token must be for; a path (`/telemetry/api`) stands for the resource that it is below.
   * Default: by `path`, else the first configured resource.
   */
  readonly resource?: string
  /** The path of the route: its resource is the one that it is below, else the first configured one. */
  readonly path?: string
  /** Whether a token needs all of the scopes or any one. Default `all`. */
  readonly mode?: 'all' | 'any'
  /** More scopes that this very request needs. Runs after the body was parsed. */
  readonly scopesOf?: (request: FastifyRequest) => readonly string[]
  /**
   * Scopes named in the challenge of a 401, as far as the resource has them. Default: the scopes, else those
   * of the resource.
   */
  readonly challengeScopes?: readonly string[]
}

/**
 * A Fastify preHandler or onRequest hook. It lets a request in, or sends the challenge itself: 401 without
 * a valid token, 403 when scopes are missing (RFC 6750).
 */
export type Protection = ((request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) & {
  /** `WWW-Authenticate` of a request without a token, for routes that take other credentials as well. */
  readonly challenge?: string
  /** Those of `challengeScopes` that the resource lacks and that no token for it can have. */
  readonly missingScopes?: readonly string[]
  /** Sends the challenge of a token that is live but whose person is gone: 401 `invalid_token`. */
  readonly refuseGone?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
  /**
   * Whether an origin (`https://app.example`) is a site of the client whose token a request was let in with:
   * one of its callbacks is there, or both are on a loopback host. A page elsewhere has no token of it.
   */
  readonly isSiteOfClient?: (request: FastifyRequest, origin: string) => Promise<boolean>
}

/**
 * Makes a protection for scopes; no scopes asks for a valid token only. Call it once per route, not per
 * request. Throws for a scope or resource that is not configured, naming it.
 */
export type Protect = (scopes?: readonly string[], options?: ProtectOptions) => Protection

/** The access of a request that a protection let in; undefined on any other request. */
export const accessOf = (request: FastifyRequest): OAuthAccess | undefined =>
  (request as FastifyRequest & { oauth?: OAuthAccess }).oauth

/** The name of the actor behind an access token, for audit logs: the client and the person. */
export const actorNameOf = ({
  clientId,
  userId
}: Pick<OAuthAccess, 'clientId' | 'userId'>): string => `oauth:${clientId}:${userId}`

/** Access tokens. One plugin provides it; the kernel uses it for routes that name scopes. */
export const oauthProtect: Capability<Protect> = defineCapability<Protect>(
  'oauth.protect/v1',
  functionSchema
)
