// What the consent page is told, and the decision that it sends.

export interface ConsentScope {
  readonly id: string
  readonly label: string
  readonly description?: string
  readonly sensitive?: boolean
  readonly isNew: boolean
}

export interface ConsentRequest {
  readonly client: { readonly name: string; readonly publisher?: string; readonly host?: string }
  readonly scopes: readonly ConsentScope[]
  readonly resources: readonly string[]
  readonly contexts?: readonly { readonly id: string; readonly label: string }[]
  readonly contextsHasMore?: boolean
  readonly user: { readonly displayName: string | null; readonly email?: string }
  readonly redirect: { readonly host: string; readonly loopback: boolean }
  readonly expiresAt: string
}

/** Who is signed in, as people write it. */
export function personOf({ displayName, email }: ConsentRequest['user']): string {
  if (displayName !== null && email !== undefined) return `${displayName} (${email})`
  return displayName ?? email ?? '–'
}

/** The body of the decision. Scopes are left out when all were kept. */
export function decisionOf(
  request: ConsentRequest,
  isAllowed: boolean,
  form: FormData
): Readonly<Record<string, unknown>> {
  if (!isAllowed) return { approve: false }
  const kept = form.getAll('scope').map(String)
  const contextId = form.get('context')
  return {
    approve: true,
    ...(kept.length < request.scopes.length && { scopes: kept }),
    ...(typeof contextId === 'string' && { contextId })
  }
}

export const consentPath = (requestId: string, contextId: string | null): string =>
  `/consent/${encodeURIComponent(requestId)}${
    contextId === null ? '' : `?contextId=${encodeURIComponent(contextId)}`
  }`
