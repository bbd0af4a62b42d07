// fetch for addresses that a user or a client names: the public internet only, whatever a name resolves to.
import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector, Dispatcher, fetch as undiciFetch } from 'undici'
import { fetchErrors } from './fetch-errors.ts'
import { type Caller, createLimitedFetch, type LimitedFetchOptions } from './limited-fetch.ts'
import { isPublicAddress } from './public-addresses.ts'

/** What a public fetch may do. Everything has a default. */
export interface PublicFetchOptions {
  /**
   * Exceptions, as `host:port`: exactly this host at exactly this port may be any address. For tests,
   * and for operators who name a host of their own network.
   */
  readonly allow?: readonly string[]
  /** Milliseconds for the whole call, redirects and body included. Default 10,000. */
  readonly timeoutMs?: number
  /** Bytes of one answer's body, after decompression. Default 10,485,760 (10 MB). */
  readonly maxBytes?: number
  /** Certificate authorities to trust besides the usual ones, PEM. */
  readonly ca?: string
  /** A MockAgent: takes the place of the network in tests. Literal addresses are still checked. */
  readonly mock?: Dispatcher | undefined
  /** Who calls, for errors. Default: the app. */
  readonly caller?: Caller
}

/** undici's fetch with a `close`. Closing is optional: an idle connection does not hold the process. */
export type PublicFetch = typeof undiciFetch & {
  /** Waits up to a second for calls under way, then cuts them. */
  close(): Promise<void>
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 10 * 1024 * 1024
const THE_APP: Caller = { caller: 'The app' }

/**
 * Makes a fetch that calls public addresses only. Every address that a name resolves to is checked, the
 * connection goes to a checked address, and redirects are held to the same. Rejects with
 * KRN_FETCH_ADDRESS, KRN_FETCH_PROTOCOL, KRN_FETCH_TIMEOUT, KRN_FETCH_SIZE.
 *
 * @example
 * const fetchPublic = createPublicFetch({ timeoutMs: 5_000, maxBytes: 5_120 })
 * const response = await fetchPublic(addressOfAStranger, { redirect: 'manual' })
 */
export function createPublicFetch(options: PublicFetchOptions = {}): PublicFetch {
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, caller = THE_APP, ca } = options
  const allowed = new Set((options.allow ?? []).map((entry) => entry.toLowerCase()))
  const refuse: Refusal = (host) => fetchErrors.KRN_FETCH_ADDRESS({ ...caller, host })
  const agent: LimitedFetchOptions['agent'] = ({ Agent, buildConnector }) => {
    const trust = { timeout: timeoutMs, ...(ca !== undefined && { ca }) }
    const connect = checkedConnector(trust, refuse, buildConnector)
    const anywhere = buildConnector(trust)
    return new Agent({
      connect: (target, callback) =>
        (allowed.has(hostAndPort(target)) ? anywhere : connect)(target, callback),
      connections: 4,
      pipelining: 1,
      keepAliveTimeout: 1_000
    })
  }
  const check = (url: URL): void => {
    const literal = isIP(bare(url.hostname)) !== 0
    if (!literal || isPublicAddress(url.hostname)) return
    if (!allowed.has(hostAndPort(url))) throw refuse(url.host)
  }
  const made = createLimitedFetch({
    caller,
    agent,
    check,
    timeoutMs,
    maxBytes,
    mock: options.mock
  })
  return Object.assign(made.fetch, { close: made.close })
}

/**
 * The entries of a list of hosts that are exceptions for `allow`: IP addresses and `localhost` with a
 * port. A name is never one, because its DNS records could point into the operator's own network.
 */
export function namedAddresses(hosts: readonly string[]): readonly string[] {
  return hosts.filter((entry) => {
    const host = /^(.+):[0-9]+$/.exec(entry)?.[1] ?? ''
    return host === 'localhost' || isIP(bare(host)) !== 0
  })
}

type Refusal = (host: string) => Error
type Connector = buildConnector.connector

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

/** `host:port` with the port always there; IPv6 in brackets. */
function hostAndPort({
  hostname,
  port,
  protocol
}: {
  readonly hostname: string
  readonly port?: string
  readonly protocol: string
}): string {
  const host = hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname
  return `${host}:${port || (protocol === 'https:' ? '443' : '80')}`
}

/** Refuses before connecting, by every address of the name, and again by the peer that answered. */
function checkedConnector(
  options: buildConnector.BuildOptions,
  refuse: Refusal,
  build: typeof buildConnector
): Connector {
  const connect = build({ ...options, lookup: publicLookup(refuse) } as typeof options)
  return (target, callback) => {
    const host = bare(target.hostname)
    if (isIP(host) !== 0 && !isPublicAddress(host)) return callback(refuse(host), null)
    connect(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      if (isPublicAddress(socket.remoteAddress ?? '')) return callback(null, socket)
      socket.destroy()
      callback(refuse(host), null)
    })
  }
}

const publicLookup =
  (refuse: Refusal): LookupFunction =>
  (hostname, options, callback) => {
    systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0)
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(refuse(hostname), '', 0)
      }
      if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
