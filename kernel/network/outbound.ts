// Calls to the outside: undici's fetch, held to the hosts that a plugin declared.
import type { Dispatcher, fetch as undiciFetch } from 'undici'

export interface OutboundOptions {
  readonly plugin: string
  /** Declared hosts: `host` (any port) or `host:port`. */
  readonly hosts: readonly string[]
  /** A MockAgent: takes the place of the network in tests. Hosts are still checked. */
  readonly mock?: Dispatcher
  /** Whole call, body included. Default 90,000. */
  readonly timeoutMs?: number
  /** Of one answer's body. Default 256 MB (268,435,456). */
  readonly maxBytes?: number
}

export interface Outbound {
  readonly fetch: typeof undiciFetch
  close(): Promise<void>
}

/** It guards against mistakes; it is not a sandbox, because plugins share the process. */
export function createOutbound(_options: OutboundOptions): Outbound {
  throw new Error('createOutbound is not there yet')
}
