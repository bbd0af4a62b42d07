// Reads the decision that the consent page posts. Pure.

/** Asks for access while the person is away (OpenID Connect Core §11). */
export const OFFLINE = 'offline_access'

export interface ConsentDecision {
  readonly approve: boolean
  /** Some of the requested scopes. Default: all of them. */
  readonly scopes: readonly string[]
  readonly contextId: string | null
  /** The client gets a refresh token. */
  readonly offline: boolean
}

/** The decision, or why it is invalid. */
export function readDecision(
  body: unknown,
  requested: readonly string[],
  hasContexts: boolean
): ConsentDecision | string {
  if (typeof body !== 'object' || body === null) return 'The body must be a JSON object.'
  const { approve, contextId } = body as Record<string, unknown>
  if (typeof approve !== 'boolean') return 'approve must be true or false.'
  if (!approve) return { approve, scopes: [], contextId: null, offline: false }
  if (contextId !== undefined && !hasContexts)
    return 'contextId cannot be given: this host has no contexts.'
  if (
    hasContexts &&
    (typeof contextId !== 'string' || contextId === '' || contextId.length > 256)
  ) {
    return 'contextId must be chosen.'
  }
  const access = readAccess(body as Record<string, unknown>, requested)
  if (typeof access === 'string') return access
  return { approve, ...access, contextId: typeof contextId === 'string' ? contextId : null }
}

/**
 * Access ends with its first token when `offline` is false, or when offline_access was requested and is left
 * out. A decision that says neither keeps it.
 */
function readAccess(
  { scopes, offline }: Readonly<Record<string, unknown>>,
  requested: readonly string[]
): Pick<ConsentDecision, 'scopes' | 'offline'> | string {
  if (offline !== undefined && typeof offline !== 'boolean') return 'offline must be true or false.'
  if (scopes !== undefined && (!Array.isArray(scopes) || scopes.length === 0)) {
    return 'scopes must name at least one scope.'
  }
  const chosen = [...new Set((scopes as readonly string[] | undefined) ?? requested)]
  if (chosen.some((scope) => !requested.includes(scope))) return 'scopes must be requested scopes.'
  const isLeftOut = requested.includes(OFFLINE) && !chosen.includes(OFFLINE)
  if (offline !== false && !isLeftOut) return { scopes: chosen, offline: true }
  const others = chosen.filter((scope) => scope !== OFFLINE)
  return others.length === 0
    ? 'scopes must name at least one scope besides offline_access.'
    : { scopes: others, offline: false }
}
