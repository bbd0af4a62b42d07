// Calls to the outside: undici's fetch, held to the hosts that a plugin declared.
import { setTimeout as sleep } from 'node:timers/promises'
import { KeelsonError } from '@keelson/sdk'
import { Agent, type Dispatcher, Headers, Request, Response, fetch as undiciFetch } from 'undici'
import { errors } from '../errors/errors.ts'
import { currentTraceparent } from '../fastify-internals/request-trace.ts'
import { type HostRule, isAllowed, parseHosts } from './hosts.ts'

export interface OutboundOptions {
  readonly plugin: string
  /** Declared hosts: `host` (any port) or `host:port`. */
  readonly hosts: readonly string[]
  /** A MockAgent: takes the place of the network in tests. Hosts are still checked. */
  readonly mock?: Dispatcher
  /** Whole call, redirects and body included. Default 90,000. */
  readonly timeoutMs?: number
  /** Of one answer's body, after decompression. Default 268,435,456 (256 MB). */
  readonly maxBytes?: number
}

export interface Outbound {
  /** Rejects with KRN_HOST_UNDECLARED, KRN_FETCH_PROTOCOL, KRN_FETCH_TIMEOUT, KRN_FETCH_SIZE. */
  readonly fetch: typeof undiciFetch
  /** Waits up to a second for calls in hand, then cuts them. */
  close(): Promise<void>
}

const TIMEOUT_MS = 90_000
const MAX_BYTES = 256 * 1024 * 1024
const CLOSE_MS = 1_000

/** It guards against mistakes; it is not a sandbox, because plugins share the process. */
export function createOutbound(options: OutboundOptions): Outbound {
  const { plugin } = options
  const limits = {
    plugin,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    maxBytes: options.maxBytes ?? MAX_BYTES
  }
  const rules = parseHosts(options.hosts)
  const own = options.mock === undefined ? new Agent({ connect: { timeout: 10_000 } }) : undefined
  const dispatcher = (options.mock ?? (own as Agent)).compose(checkEachHop(plugin, rules))

  const inHand = new Set<Call>()

  const fetch: typeof undiciFetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input))
    demand(plugin, rules, url)
    const call = startCall(limits, url.host)
    inHand.add(call)
    void call.over.then(() => inHand.delete(call))
    const asked = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    const signal = asked ? AbortSignal.any([asked, call.signal]) : call.signal
    try {
      const headers = tracedHeaders(
        init?.headers ?? (input instanceof Request ? input.headers : {})
      )
      return call.limit(await undiciFetch(input, { ...init, headers, dispatcher, signal }))
    } catch (error) {
      call.end()
      // fetch hides what a dispatcher threw behind "fetch failed".
      const cause = error instanceof Error ? error.cause : undefined
      throw KeelsonError.is(cause) ? cause : error
    }
  }

  return {
    fetch,
    async close() {
      if (own === undefined) return
      // undici's own close waits for every call in hand, however long, and cannot be cut short.
      const over = Promise.allSettled([...inHand].map((call) => call.over))
      await Promise.race([over, sleep(CLOSE_MS, undefined, { ref: false })])
      await own.destroy()
    }
  }
}

/** A call made while a request is answered goes on with its trace, unless it says otherwise. */
function tracedHeaders(given: NonNullable<Parameters<typeof undiciFetch>[1]>['headers']): Headers {
  const headers = new Headers(given)
  const traceparent = currentTraceparent()
  if (traceparent !== undefined && !headers.has('traceparent')) {
    headers.set('traceparent', traceparent)
  }
  return headers
}

function demand(plugin: string, rules: readonly HostRule[], url: URL): void {
  const { protocol, host } = url
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw errors.KRN_FETCH_PROTOCOL({ plugin, protocol })
  }
  if (!isAllowed(rules, url)) throw errors.KRN_HOST_UNDECLARED({ plugin, host, path: 'network' })
}

/** Runs for the first request and for every redirect, because each is a dispatch of its own. */
function checkEachHop(
  plugin: string,
  rules: readonly HostRule[]
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (request, handler) => {
    demand(plugin, rules, new URL(String(request.origin)))
    return dispatch(request, handler)
  }
}

interface Call {
  readonly signal: AbortSignal
  limit(response: Response): Response
  end(): void
  /** Resolves when the answer has been read or given up. */
  readonly over: Promise<void>
}

/** The time limit of one call and the size limit of its answer. */
function startCall(
  limits: { readonly plugin: string; readonly timeoutMs: number; readonly maxBytes: number },
  host: string
): Call {
  const { plugin, timeoutMs, maxBytes } = limits
  const controller = new AbortController()
  const expire = () =>
    controller.abort(errors.KRN_FETCH_TIMEOUT({ plugin, host, seconds: timeoutMs / 1000 }))
  const timer = setTimeout(expire, timeoutMs)
  // An answer that nobody reads must not keep the process alive.
  timer.unref()
  let finish = () => {}
  const over = new Promise<void>((resolve) => {
    finish = resolve
  })
  const end = () => {
    clearTimeout(timer)
    finish()
  }
  controller.signal.addEventListener('abort', end)
  return {
    over,
    signal: controller.signal,
    end,
    limit(response) {
      if (response.body === null) {
        end()
        return response
      }
      const tooLong = () => {
        const error = errors.KRN_FETCH_SIZE({ plugin, host, bytes: maxBytes })
        controller.abort(error)
        return error
      }
      return withBody(response, response.body.pipeThrough(counter(maxBytes, tooLong, end)))
    }
  }
}

/** Passes bytes on until there are more than allowed. */
function counter(
  maxBytes: number,
  tooLong: () => Error,
  end: () => void
): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, stream) {
      bytes += chunk.byteLength
      if (bytes <= maxBytes) stream.enqueue(chunk)
      else stream.error(tooLong())
    },
    flush: end
  })
}

/** The same response with another body: address and redirection are lost by the constructor. */
function withBody(response: Response, body: ReadableStream): Response {
  const { status, statusText, headers, url, redirected, type } = response
  const made = new Response(body, { status, statusText, headers })
  return Object.defineProperties(made, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: type }
  })
}
