// Which callbacks may be registered, and which of them a request means. Pure.

/** Schemes with a special meaning for browsers or operating systems. */
const NEVER = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'filesystem:',
  'view-source:',
  'ws:',
  'wss:',
  'ftp:',
  'mailto:',
  'tel:',
  'sms:',
  'chrome:',
  'intent:',
  'shell:',
  'jar:',
  'feed:',
  'search-ms:',
  'ms-settings:',
  'ldap:',
  'nfs:',
  'smb:'
])
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
/** Parameters of responses: in a callback they could not be told from ours. */
const RESERVED = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri']
const MAX_LENGTH = 2048

export const isLoopbackHost = (hostname: string): boolean => LOOPBACK.has(hostname)

/** Why a callback cannot be registered; undefined when it can. */
export function redirectUriProblem(
  uri: unknown,
  type: 'confidential' | 'public'
): string | undefined {
  if (typeof uri !== 'string' || uri === '') return 'must be a string'
  if (uri.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`
  // Compared as text, so no character may mean something else to a browser.
  if (!/^[\x21-\x7E]+$/.test(uri) || /[\\"<>^`{}|]/.test(uri)) {
    return 'must not have characters that need encoding'
  }
  if (!URL.canParse(uri)) return 'must be an absolute URL'
  if (uri.includes('#')) return 'must not have a fragment'
  const url = new URL(uri)
  if (url.username !== '' || url.password !== '') return 'must not have credentials'
  if (RESERVED.some((name) => url.searchParams.has(name))) {
    return 'must not have a query parameter that responses use'
  }
  if (url.protocol === 'https:') return undefined
  if (url.protocol === 'http:') {
    return isLoopbackHost(url.hostname) ? undefined : 'must be https, or http on a loopback host'
  }
  if (NEVER.has(url.protocol)) return `must not have the scheme ${url.protocol}`
  return type === 'public'
    ? undefined
    : 'must be https: only public clients may have a private-use scheme'
}

/** Whether a requested callback is registered: the same text; on loopback the port may differ. */
export function isRegistered(registered: readonly string[], requested: string): boolean {
  if (registered.includes(requested)) return true
  const loopback = loopbackParts(requested)
  if (loopback === undefined) return false
  return registered.some((uri) => loopbackParts(uri) === loopback)
}

/** An http loopback address without its port; undefined for anything else. */
function loopbackParts(uri: string): string | undefined {
  const [, host, port, rest = ''] =
    /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::([0-9]{1,5}))?((?:[/?].*)?)$/.exec(uri) ?? []
  if (host === undefined || rest.includes('#')) return undefined
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return undefined
  return `${host} ${rest}`
}

/** What consent shows of the callback. */
export function redirectTarget(uri: string): { readonly host: string; readonly loopback: boolean } {
  const url = new URL(uri)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return {
    host: isWeb ? url.host : `${url.protocol}${url.host === '' ? '' : `//${url.host}`}`,
    loopback: isWeb && isLoopbackHost(url.hostname)
  }
}

/**
 * What pairwise subjects go by: the host of all callbacks. Callbacks on several hosts, on loopback or in apps
 * say nothing about who runs the client, so that each such client is a sector by itself.
 */
export function sectorOf(redirectUris: readonly string[], clientId: string): string {
  const hosts = new Set(redirectUris.map(hostOf))
  const [host] = hosts
  return hosts.size === 1 && host !== undefined ? host : `client ${clientId}`
}

/** Of an https address. */
function hostOf(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined
  const { protocol, hostname } = new URL(uri)
  return protocol === 'https:' ? hostname : undefined
}
