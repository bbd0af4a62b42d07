// Which callbacks may be registered, and which of them a request means. Pure.
import { CURSOR_REDIRECT_URIS } from '../vendors.ts'

/**
 * A private-use scheme is a domain of its owner, turned around (RFC 8252 §7.1), so it has a dot: no scheme of a
 * browser or an operating system can be registered, whatever they add.
 */
const PRIVATE_USE = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/
/** Schemes with a dot that operating systems act upon themselves. */
const OF_SYSTEMS = /^(x-apple|microsoft|ms-[a-z-]+)\./
/** Callbacks of well-known clients without a dot, as they are. */
const WELL_KNOWN: ReadonlySet<string> = new Set(CURSOR_REDIRECT_URIS)
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
  if (type !== 'public') return 'must be https: only public clients may have a private-use scheme'
  const isPrivateUse = PRIVATE_USE.test(url.protocol) && !OF_SYSTEMS.test(url.protocol)
  if (isPrivateUse || WELL_KNOWN.has(uri)) return undefined
  return `must not have the scheme ${url.protocol} A private-use scheme is a domain turned around, as com.example.app:`
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

/** Whether pages of an origin belong to a client: one of its callbacks is there, or both are on a loopback host. */
export function isSiteOf(redirectUris: readonly string[], origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { origin: own, protocol, hostname } = new URL(origin)
  if (own !== origin) return false
  return protocol === 'http:' && isLoopbackHost(hostname)
    ? redirectUris.some((uri) => redirectTarget(uri).loopback)
    : redirectUris.some((uri) => new URL(uri).origin === origin)
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
