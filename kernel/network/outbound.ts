// Calls to the outside: undici's fetch, held to the hosts that a plugin declared.
import {
  createLimitedFetch,
  type LimitedFetch,
  type LimitedFetchOptions
} from '@keelson/sdk/network'
import type { Dispatcher } from 'undici'
import { errors } from '../errors/errors.ts'
import { currentTraceparent } from '../fastify-internals/request-trace.ts'
import { isAllowed, parseHosts } from './hosts.ts'

export interface OutboundOptions {
  readonly plugin: string
  /** Declared hosts: `host` (any port) or `host:port`. */
  readonly hosts: readonly string[]
  /** A MockAgent: takes the place of the network in tests. Hosts are still checked. */
  readonly mock?: Dispatcher | undefined
  /** Whole call, redirects and body included. Default 90,000. */
  readonly timeoutMs?: number
  /** Of one answer's body, after decompression. Default 268,435,456 (256 MB). */
  readonly maxBytes?: number
}

const TIMEOUT_MS = 90_000
const MAX_BYTES = 256 * 1024 * 1024

/**
 * The fetch of a plugin. Rejects with KRN_HOST_UNDECLARED, KRN_FETCH_PROTOCOL, KRN_FETCH_TIMEOUT,
 * KRN_FETCH_SIZE. It guards against mistakes; it is not a sandbox, because plugins share the process.
 */
export function createOutbound(options: OutboundOptions): LimitedFetch {
  const { plugin, mock } = options
  const rules = parseHosts(options.hosts)
  return createLimitedFetch({
    caller: callerOf(plugin),
    agent: ({ Agent }) => new Agent({ connect: { timeout: 10_000 } }),
    mock,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    maxBytes: options.maxBytes ?? MAX_BYTES,
    headers: tracedHeaders,
    check(url) {
      if (isAllowed(rules, url)) return
      throw errors.KRN_HOST_UNDECLARED({ plugin, host: url.host, path: 'network' })
    }
  })
}

/** A plugin as the subject of an error. */
export const callerOf = (plugin: string) => ({ caller: `Plugin ${plugin}`, plugin })

/** A call made while a request is answered goes on with its trace, unless it says otherwise. */
const tracedHeaders: NonNullable<LimitedFetchOptions['headers']> = (given, { Headers }) => {
  const headers = new Headers(given)
  const traceparent = currentTraceparent()
  if (traceparent !== undefined && !headers.has('traceparent')) {
    headers.set('traceparent', traceparent)
  }
  return headers
}
