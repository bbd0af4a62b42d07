// Hosts that documents may be fetched from, and the form of a client id that is an address. Pure.

/** Whether a host is on the list: `host`, `host:port`, or `.domain` for its subdomains. */
export function isAllowedHost(url: URL, allowed: readonly string[]): boolean {
  const port = url.port === '' ? '443' : url.port
  return allowed.some((entry) => {
    const [, name = '', own = '443'] = /^(.*?)(?::([0-9]+))?$/.exec(entry) ?? []
    if (own !== port) return false
    return name.startsWith('.') ? url.hostname.endsWith(name) : url.hostname === name
  })
}

const HOST_NAME =
  /^\.?([a-z0-9]([a-z0-9-]*[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:[0-9]{1,5})?$/i

/** Whether a text can be an entry of the list. */
export const isHostName = (text: string): boolean => HOST_NAME.test(text)

/** Which hosts documents may come from. */
export interface AllowedHosts {
  /** Every public host, on the usual port. */
  readonly isAny: boolean
  readonly names: readonly string[]
}

/** Whether a document or a key set may be fetched from an address. */
export const mayFetch = (url: URL, { isAny, names }: AllowedHosts): boolean =>
  (isAny && url.port === '') || isAllowedHost(url, names)

/** Why a client id cannot be the address of a metadata document; undefined when it can. */
export function clientIdProblem(clientId: string): string | undefined {
  if (!clientId.startsWith('https://') || !URL.canParse(clientId))
    return 'it must be an https address'
  const url = new URL(clientId)
  if (url.username !== '' || url.password !== '') return 'it has credentials'
  if (clientId.includes('#')) return 'it has a fragment'
  if (url.pathname === '/') return 'it has no path'
  // The address is an identity, so only one spelling of it is accepted.
  if (url.href !== clientId || /%2f|%5c|%2e/i.test(url.pathname)) return 'it must be normalised'
  return clientId.length > 1024 ? 'it is too long' : undefined
}

/** Whether a client id is an address at all. */
export const isAddress = (clientId: string): boolean => /^https?:\/\//i.test(clientId)
