// Reads the decision that the consent page posts. Pure.

export interface ConsentDecision {
  readonly approve: boolean
  /** Some of the requested scopes. Default: all of them. */
  readonly scopes: readonly string[]
  readonly contextId: string | null
}

/** The decision, or why it is invalid. */
export function readDecision(
  body: unknown,
  requested: readonly string[],
  hasContexts: boolean
): ConsentDecision | string {
  if (typeof body !== 'object' || body === null) return 'The body must be a JSON object.'
  const { approve, scopes, contextId } = body as Record<string, unknown>
  if (typeof approve !== 'boolean') return 'approve must be true or false.'
  if (!approve) return { approve, scopes: [], contextId: null }
  if (contextId !== undefined && !hasContexts)
    return 'contextId cannot be given: this host has no contexts.'
  if (
    hasContexts &&
    (typeof contextId !== 'string' || contextId === '' || contextId.length > 256)
  ) {
    return 'contextId must be chosen.'
  }
  const context = typeof contextId === 'string' ? contextId : null
  if (scopes === undefined) return { approve, scopes: requested, contextId: context }
  if (!Array.isArray(scopes) || scopes.length === 0) return 'scopes must name at least one scope.'
  if (scopes.some((scope) => !requested.includes(scope))) {
    return 'scopes must be requested scopes.'
  }
  return { approve, scopes: [...new Set(scopes as string[])], contextId: context }
}
