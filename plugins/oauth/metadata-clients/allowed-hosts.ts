// Which hosts may be asked for documents, and what a client id that is an address must look like. Pure.

/** Whether a host is on the list: `host`, `host:port`, or `.domain` for its subdomains. */
export function isAllowedHost(url: URL, allowed: readonly string[]): boolean {
  const port = url.port === '' ? '443' : url.port
  return allowed.some((entry) => {
    const [, name = '', own = '443'] = /^(.*?)(?::([0-9]+))?$/.exec(entry) ?? []
    if (own !== port) return false
    return name.startsWith('.') ? url.hostname.endsWith(name) : url.hostname === name
  })
}

/** Why a client id is no address of a metadata document. */
export function clientIdProblem(clientId: string, allowed: readonly string[]): string | undefined {
  if (!clientId.startsWith('https://') || !URL.canParse(clientId)) return 'it is no https address'
  const url = new URL(clientId)
  if (url.username !== '' || url.password !== '') return 'it has credentials'
  if (clientId.includes('#')) return 'it has a fragment'
  if (url.pathname === '/') return 'it has no path'
  // The address is an identity: only one way to write it is taken.
  if (url.href !== clientId || /%2f|%5c|%2e/i.test(url.pathname))
    return 'it is not in its simplest form'
  if (clientId.length > 1024) return 'it is too long'
  return isAllowedHost(url, allowed) ? undefined : 'its host is not on the list'
}

/** Whether a client id is an address at all. */
export const isAddress = (clientId: string): boolean => /^https?:\/\//i.test(clientId)
