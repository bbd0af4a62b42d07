// The options of a protector: their types and their checks.
import { ProtectError } from './errors.ts'

/** Remembers DPoP proofs, each of which counts once. */
export interface ReplayStore {
  /** True for the first call with a text, which must be remembered until `until`. */
  isFirst(text: string, until: Date): boolean | Promise<boolean>
}

/** How opaque tokens are checked: by introspection (RFC 7662). */
export interface IntrospectionOptions {
  /** A client that may introspect tokens for this resource, on Keelson one with `resourceServer: true`. */
  readonly clientId: string
  readonly clientSecret: string
  /** Default: `introspection_endpoint` of the authorization server's metadata. */
  readonly url?: string
  /**
   * How long an answer counts, in milliseconds; never longer than its token. A token that is revoked is
   * taken until then. Default 10,000; 0 asks for each request.
   */
  readonly cacheMs?: number
  /** Asks for JWTs as well, so that revocation ends them before they expire. Default false. */
  readonly always?: boolean
}

/** How JWTs are verified (RFC 9068). */
export interface JwtOptions {
  /** Default: `jwks_uri` of the authorization server's metadata. */
  readonly keySetUrl?: string
  /** Default ES256, RS256, PS256 and EdDSA. */
  readonly algorithms?: readonly string[]
}

/** Which proofs bound tokens need (RFC 9449). */
export interface DpopOptions {
  /**
   * Makes the nonces that proofs must have: at least 32 characters, the same in every process. Without it no
   * nonce is asked for.
   */
  readonly nonceSecret?: string
  /** Default: the memory of this process. Several processes share one, or a proof counts once in each. */
  readonly replays?: ReplayStore
}

/** What a service takes tokens for, and from whom. */
export interface ProtectorOptions {
  /** The authorization server whose tokens count. https, or http on this machine. */
  readonly issuer: string
  /** The id of this resource, which tokens must name in their audience. https, or http on this machine. */
  readonly resource: string
  /** The scopes of the resource, for its metadata and for challenges that need no scope in particular. */
  readonly scopes?: readonly string[]
  /** Name of the resource for people. */
  readonly name?: string
  /** More origins that clients call the service by; proofs may name them. */
  readonly origins?: readonly string[]
  /** False takes no JWTs. Default: JWTs are verified by the key set of the issuer. */
  readonly jwt?: JwtOptions | false
  /** Without it opaque tokens are refused. */
  readonly introspection?: IntrospectionOptions
  readonly dpop?: DpopOptions
  /** Difference of clocks that is allowed, in seconds. Default 5. */
  readonly clockToleranceSeconds?: number
  /** For each call to the authorization server, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number
  /** Default: the `fetch` of the process. */
  readonly fetch?: typeof fetch
  /** Default: the clock of the process. */
  readonly now?: () => Date
}

/** @throws ProtectError with the name of the option that is wrong */
export function checkOptions(options: ProtectorOptions): void {
  const { issuer, resource, jwt, introspection, dpop } = options
  checkAddress('issuer', issuer)
  checkAddress('resource', resource)
  if (jwt !== false && jwt?.keySetUrl !== undefined) checkAddress('jwt.keySetUrl', jwt.keySetUrl)
  if (jwt !== false && jwt?.algorithms?.some((alg) => /^(none|HS)/.test(alg)) === true) {
    throw invalid('jwt.algorithms', 'must name algorithms with public keys')
  }
  if (jwt === false && introspection === undefined) {
    throw invalid('introspection', 'is missing: with jwt: false no token can be checked')
  }
  if (introspection?.url !== undefined) checkAddress('introspection.url', introspection.url)
  checkNumber('introspection.cacheMs', introspection?.cacheMs)
  checkNumber('clockToleranceSeconds', options.clockToleranceSeconds)
  checkNumber('timeoutMs', options.timeoutMs)
  if (dpop?.nonceSecret !== undefined && dpop.nonceSecret.length < 32) {
    throw invalid('dpop.nonceSecret', 'must have at least 32 characters')
  }
}

const invalid = (path: string, problem: string) =>
  new ProtectError('PRO_OPTION_INVALID', { path, problem })

function checkNumber(path: string, value: number | undefined): void {
  if (value === undefined || (Number.isFinite(value) && value >= 0)) return
  throw invalid(path, 'must be a number of at least 0')
}

function checkAddress(path: string, value: unknown): void {
  if (typeof value !== 'string' || !URL.canParse(value)) {
    throw invalid(path, 'must be an absolute URL')
  }
  const { protocol, hostname, hash, username } = new URL(value)
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal)) {
    throw invalid(path, 'must be https, or http on this machine')
  }
  if (hash !== '' || username !== '') throw invalid(path, 'must have no fragment and no user name')
}
