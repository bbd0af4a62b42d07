// Whether a segment selects subscribed contacts alone. Pure.

/** True when one of the top-level filters, which all must hold, asks for `subscribed`. */
export function subscribedOnly(definition: unknown): boolean {
  const { filters } = (definition ?? {}) as { readonly filters?: unknown }
  return Array.isArray(filters) && filters.some(isSubscribed)
}

function isSubscribed(filter: unknown): boolean {
  const { kind, equals } = (filter ?? {}) as { readonly kind?: unknown; readonly equals?: unknown }
  return kind === 'subscriptionStatus' && equals === 'subscribed'
}
