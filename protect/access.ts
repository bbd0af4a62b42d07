// What a live token grants, read from the claims of a JWT or of an introspection answer. Pure.
import type { TokenFacts } from './rules/check-access.ts'

/** What the access token of a request grants. */
export interface Access {
  /** The person, or the client itself where no person takes part. */
  readonly subject: string
  readonly clientId: string
  readonly scopes: readonly string[]
  /** The resources the token is for. */
  readonly audience: readonly string[]
  /** The context (an account, a workspace) that the person chose; null when there is none. */
  readonly contextId: string | null
  /** The organisation of the person or service; null when the server does not say. */
  readonly tenantId: string | null
  readonly expiresAt: Date
  /** Id of the token, which is not secret; undefined when the server gives none. */
  readonly tokenId: string | undefined
  /** Everything that the server said, unchecked but for the fields above. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** A token as the rules of resources know it, with what it grants. */
export interface LiveToken extends TokenFacts {
  readonly access: Access
}

/** The claims as a token; undefined when they lack what a token must say, or bind it in a way that is not understood. */
export function liveToken(claims: Readonly<Record<string, unknown>>): LiveToken | undefined {
  const { sub, client_id: clientId, aud, exp, scope = '' } = claims
  const audience = typeof aud === 'string' ? [aud] : aud
  if (typeof sub !== 'string' || typeof clientId !== 'string') return undefined
  if (typeof exp !== 'number' || typeof scope !== 'string') return undefined
  if (!Array.isArray(audience) || !audience.every((one) => typeof one === 'string')) {
    return undefined
  }
  const binding = bindingOf(claims['cnf'])
  if (binding === 'unknown') return undefined
  const scopes = scope.split(' ').filter((one) => one !== '')
  const access: Access = {
    subject: sub,
    clientId,
    scopes,
    audience,
    contextId: textOf(claims['context_id']) ?? null,
    tenantId: textOf(claims['tenant_id']) ?? null,
    expiresAt: new Date(exp * 1000),
    tokenId: textOf(claims['jti']),
    claims
  }
  return { access, scopes, audience, ...(binding !== undefined && { jkt: binding }) }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

/** The thumbprint of the key (RFC 9449 §6.1). Another binding limits who may use the token, so it cannot be left out. */
function bindingOf(cnf: unknown): string | 'unknown' | undefined {
  if (cnf === undefined) return undefined
  if (typeof cnf !== 'object' || cnf === null) return 'unknown'
  const { jkt, ...others } = cnf as { readonly jkt?: unknown }
  return typeof jkt === 'string' && Object.keys(others).length === 0 ? jkt : 'unknown'
}

const granted = new WeakMap<object, Access>()

/** Keeps what the token of a request grants. */
export function keepAccess(request: object, access: Access): void {
  granted.set(request, access)
}

/** What the token of a request grants, after a protection let the request in; undefined on any other request. */
export const accessOf = (request: object): Access | undefined => granted.get(request)
