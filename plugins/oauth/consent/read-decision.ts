// Reads the decision that the consent page posts. Pure.

export interface ConsentDecision {
  readonly approve: boolean
  /** Of the requested ones; all of them when the page does not say. */
  readonly scopes: readonly string[]
  readonly contextId: string | null
}

/** The decision, or what is wrong with it. */
export function readDecision(
  body: unknown,
  requested: readonly string[],
  hasContexts: boolean
): ConsentDecision | string {
  if (typeof body !== 'object' || body === null) return 'The body must be a JSON object.'
  const { approve, scopes, contextId } = body as Record<string, unknown>
  if (typeof approve !== 'boolean') return 'approve must be true or false.'
  if (!approve) return { approve, scopes: [], contextId: null }
  if (contextId !== undefined && !hasContexts) return 'There are no contexts to choose from.'
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
    return 'scopes must be among those that were asked for.'
  }
  return { approve, scopes: [...new Set(scopes as string[])], contextId: context }
}
