// Decides about requests of one resource: verifies the token, its proof and its scopes.
import { createHmac } from 'node:crypto'
import type { Access, LiveToken } from './access.ts'
import { ProtectError, VerifierUnavailable } from './errors.ts'
import { checkOptions, type ProtectorOptions } from './options.ts'
import { admit, type Decision, type Needed, type ScopeMode } from './rules/admit.ts'
import type { TokenRequest } from './rules/check-access.ts'
import { createDpopChecker, type DpopChecker } from './rules/dpop.ts'
import { type Refusal, refusalOf } from './rules/refusals.ts'
import {
  resourceDocument,
  resourceMetadataPath,
  resourceMetadataUrl
} from './rules/resource-document.ts'
import { createIntrospector } from './tokens/introspection.ts'
import { createJwtVerifier, isJwt } from './tokens/jwt.ts'
import { createFetchJson } from './tokens/outbound.ts'
import { createMemoryReplays } from './tokens/replays.ts'
import { createFindEndpoint } from './tokens/server-metadata.ts'

/** How one protection differs from the default. */
export interface ProtectionOptions {
  /** Whether a token needs all of the scopes or any one. Default `all`. */
  readonly mode?: ScopeMode
}

/** Whether a request is let in, or what to answer instead. */
export type Verdict =
  | { readonly kind: 'admitted'; readonly access: Access }
  | {
      readonly kind: 'refused'
      readonly refusal: Refusal
      /** Why, in a sentence for the log. It holds no token. */
      readonly sentence: string
      /** Why the authorization server could not be asked. */
      readonly cause?: unknown
    }

/** Decides about requests. */
export type Check = (request: TokenRequest) => Promise<Verdict>

/** The protection of one resource, for any transport. */
export interface Protector {
  /** Makes a check for scopes; none asks for a valid token only. Call it once per route. */
  check(scopes?: readonly string[], options?: ProtectionOptions): Check
  /** The document of RFC 9728, to be served at `metadataPath`. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Path of the document at the origin of the resource. */
  readonly metadataPath: string
}

/** Longest token that is looked at. */
const MAX_TOKEN = 8192
const RETRY_SECONDS = '5'

/**
 * Makes the protection of a resource. Nothing is fetched before the first token.
 *
 * @throws ProtectError for an option that is invalid, naming it
 */
export function createProtector(options: ProtectorOptions): Protector {
  checkOptions(options)
  const { issuer, resource, scopes = [], name, now = () => new Date() } = options
  const { origin } = new URL(resource)
  const listed = [...scopes]
  const find = createFind(options, now)
  const dpop = createDpop(options, now)
  const basis = {
    find: async (token: string) => (token.length > MAX_TOKEN ? undefined : find(token)),
    dpop,
    resource,
    metadataUrl: resourceMetadataUrl(resource, origin),
    origins: [...new Set([origin, ...(options.origins ?? [])])]
  }
  return {
    metadata: resourceDocument({ id: resource, label: name, issuer, scopes: listed }),
    metadataPath: `/.well-known/oauth-protected-resource${resourceMetadataPath(resource)}`,
    check(needed = [], { mode = 'all' } = {}) {
      if (!Array.isArray(needed)) {
        throw new ProtectError('PRO_SCOPES_INVALID', { problem: JSON.stringify(needed) })
      }
      const asked = needed.length > 0 ? needed : listed
      return (request) => decide(request, { ...basis, scopes: needed, mode, asked })
    }
  }
}

async function decide(request: TokenRequest, needed: Needed<LiveToken>): Promise<Verdict> {
  try {
    return verdictOf(await admit(request, needed))
  } catch (cause) {
    if (!(cause instanceof VerifierUnavailable)) throw cause
    const refusal = refusalOf('verifierUnavailable', { 'retry-after': RETRY_SECONDS })
    return { kind: 'refused', refusal, sentence: cause.message, cause }
  }
}

const verdictOf = (decision: Decision<LiveToken>): Verdict =>
  decision.kind === 'admitted'
    ? { kind: 'admitted', access: decision.token.access }
    : { kind: 'refused', refusal: decision.refusal, sentence: decision.sentence }

function createFind(
  {
    issuer,
    jwt,
    introspection,
    timeoutMs = 5000,
    clockToleranceSeconds = 5,
    ...options
  }: ProtectorOptions,
  now: () => Date
): (token: string) => Promise<LiveToken | undefined> {
  const fetchJson = createFetchJson(options.fetch, timeoutMs)
  const endpoint = createFindEndpoint(issuer, fetchJson, now)
  const verify =
    jwt === false
      ? undefined
      : createJwtVerifier({
          issuer,
          algorithms: jwt?.algorithms,
          keySetUrl: async () => jwt?.keySetUrl ?? endpoint('jwks_uri'),
          fetchJson,
          toleranceSeconds: clockToleranceSeconds,
          now
        })
  const introspect =
    introspection &&
    createIntrospector({
      options: introspection,
      issuer,
      url: async () => introspection.url ?? endpoint('introspection_endpoint'),
      fetchJson,
      now
    })
  return async (token) => {
    if (verify === undefined || !isJwt(token)) return introspect?.(token)
    const verified = await verify(token)
    if (verified === undefined || introspection?.always !== true) return verified
    return introspect?.(token)
  }
}

function createDpop({ dpop = {} }: ProtectorOptions, now: () => Date): DpopChecker {
  const { nonceSecret, replays = createMemoryReplays(now) } = dpop
  return createDpopChecker({
    now,
    isFirst: async (text, until) => replays.isFirst(text, until),
    requiresNonce: nonceSecret !== undefined,
    nonceAt:
      nonceSecret === undefined
        ? undefined
        : async (span) =>
            createHmac('sha256', nonceSecret).update(`dpop-nonce\n${span}`).digest('base64url')
  })
}
