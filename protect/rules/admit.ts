// Whether a request may use a resource: its token is live, for this resource, and has the scopes.
import { type ChallengeAbout, challengeOf, insufficientScope } from './challenge.ts'
import {
  type AccessChecks,
  checkAccess,
  type TokenFacts,
  type TokenRequest
} from './check-access.ts'
import { schemeOf } from './read-credentials.ts'
import type { Refusal } from './refusals.ts'

/** Whether a token needs all scopes or any one. */
export type ScopeMode = 'all' | 'any'

/** What a request needs. */
export interface Needed<T> extends AccessChecks<T> {
  /** Id of the resource. */
  readonly resource: string
  /** Address of the resource's metadata (RFC 9728). */
  readonly metadataUrl: string | undefined
  /** Origins that clients call the resource by. */
  readonly origins: readonly string[]
  readonly scopes: readonly string[]
  readonly mode: ScopeMode
  /** Scopes that the challenge of a 401 names. */
  readonly asked: readonly string[]
  /** More scopes, all of which this very request needs. */
  readonly more?: (() => readonly string[]) | undefined
}

/** Whether the request is let in. */
export type Decision<T> =
  | { readonly kind: 'admitted'; readonly token: T }
  | {
      readonly kind: 'refused'
      readonly refusal: Refusal
      /** Why, for the operator of the resource. */
      readonly sentence: string
      /** The request had no token: its client begins to sign in. */
      readonly isFirstCall: boolean
      /** The token of a client that asked for too much, or at the wrong resource. */
      readonly token?: T
    }

const NO_SCOPES: readonly string[] = []

/** The sentence about a token of another resource. */
export const FOREIGN = 'The access token is for another resource.'

/** Decides about a request. Fails only where a check does. */
export async function admit<T extends TokenFacts>(
  request: TokenRequest,
  needed: Needed<T>
): Promise<Decision<T>> {
  const access = await checkAccess(request, needed.origins, needed)
  if (access.kind !== 'live') {
    const sentence = access.kind === 'none' ? 'The access token is missing.' : access.description
    const refusal = challengeOf(access, aboutOf(request, needed, needed.asked))
    return { kind: 'refused', refusal, sentence, isFirstCall: access.kind === 'none' }
  }
  const { token } = access
  if (!token.audience.includes(needed.resource)) {
    const refusal = challengeOf(
      { kind: 'dead', description: FOREIGN },
      aboutOf(request, needed, needed.asked)
    )
    return { kind: 'refused', refusal, sentence: FOREIGN, isFirstCall: false, token }
  }
  const more = needed.more?.() ?? NO_SCOPES
  if (hasScopes(token.scopes, needed.scopes, needed.mode) && hasScopes(token.scopes, more, 'all')) {
    return { kind: 'admitted', token }
  }
  const scopes = [...new Set([...needed.scopes, ...more])]
  const sentence = `The access token lacks a scope of ${scopes.join(' ')}.`
  const refusal = insufficientScope(aboutOf(request, needed, scopes))
  return { kind: 'refused', refusal, sentence, isFirstCall: false, token }
}

const aboutOf = (
  { headers }: TokenRequest,
  { metadataUrl }: Pick<Needed<unknown>, 'metadataUrl'>,
  scopes: readonly string[]
): ChallengeAbout => ({
  metadataUrl,
  scopes,
  scheme: schemeOf(headers.authorization) ?? 'Bearer'
})

/** Whether held scopes are enough. */
export function hasScopes(
  held: readonly string[],
  needed: readonly string[],
  mode: ScopeMode
): boolean {
  if (needed.length === 0) return true
  const has = (scope: string) => held.includes(scope)
  return mode === 'all' ? needed.every(has) : needed.some(has)
}
