// An address of the platform as seen from below the prefix of its host.

/** An absolute address as seen from a scope with a prefix: `/` for the prefix itself; undefined when it is elsewhere. */
export function belowPrefix(prefix: string, address: string): string | undefined {
  if (prefix === '' || prefix === '/') return address
  if (address === prefix) return '/'
  return address.startsWith(`${prefix}/`) ? address.slice(prefix.length) : undefined
}
