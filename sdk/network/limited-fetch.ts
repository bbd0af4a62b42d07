// undici's fetch, held to a check of every hop, to a time limit and to a size limit.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, Dispatcher, Response, fetch as undiciFetch } from 'undici'
import { atFirstUse } from '../at-first-use.ts'
import { KeelsonError } from '../errors.ts'
import { fetchErrors } from './fetch-errors.ts'
import { loadUndici, type Undici } from './undici.ts'

type Fetch = typeof undiciFetch
type GivenHeaders = NonNullable<NonNullable<Parameters<Fetch>[1]>['headers']>

/** Who calls, for errors. */
export interface Caller {
  /** The subject of the error's sentence, as `Plugin alpha`. */
  readonly caller: string
  readonly plugin?: string
}

/** What a limited fetch may do, and how it connects. */
export interface LimitedFetchOptions {
  readonly caller: Caller
  /** What connects, made by the first call. It belongs to the fetch, which closes it. */
  readonly agent: (undici: Undici) => Agent
  /** A MockAgent: takes the place of the agent in tests. Every hop is still checked. */
  readonly mock?: Dispatcher | undefined
  /** Milliseconds for the whole call, redirects and body included. */
  readonly timeoutMs: number
  /** Bytes of one answer's body, after decompression. */
  readonly maxBytes: number
  /** Throws for an address that may not be called. Called for the first request and every redirect. */
  readonly check: (url: URL) => void
  /** The headers to send in place of those given. */
  readonly headers?: (given: GivenHeaders, undici: Undici) => GivenHeaders
}

/** A fetch with limits, and its end. */
export interface LimitedFetch {
  /** Rejects with KRN_FETCH_PROTOCOL, KRN_FETCH_TIMEOUT, KRN_FETCH_SIZE, and with what `check` throws. */
  readonly fetch: Fetch
  /** Waits up to a second for calls under way, then cuts them. */
  close(): Promise<void>
}

const CLOSE_MS = 1_000

/** Makes a fetch that checks every address and redirect, and ends at its time and size limits. */
export function createLimitedFetch(options: LimitedFetchOptions): LimitedFetch {
  const { caller } = options
  const check = (url: URL): void => {
    const { protocol } = url
    if (protocol !== 'http:' && protocol !== 'https:') {
      throw fetchErrors.KRN_FETCH_PROTOCOL({ ...caller, protocol })
    }
    options.check(url)
  }
  let agent: Agent | undefined
  const connected = atFirstUse(async () => {
    const undici = await loadUndici()
    agent = options.agent(undici)
    return { undici, dispatcher: (options.mock ?? agent).compose(checkEachHop(check)) }
  })
  const running = new Set<Call>()

  const fetch: Fetch = async (input, init) => {
    const { undici, dispatcher } = await connected()
    const { Request } = undici
    const url = new URL(input instanceof Request ? input.url : String(input))
    check(url)
    const call = startCall(options, url.host)
    running.add(call)
    void call.over.then(() => running.delete(call))
    const given = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    const signal = given ? AbortSignal.any([given, call.signal]) : call.signal
    try {
      const { headers } = options
      const given = init?.headers ?? (input instanceof Request ? input.headers : {})
      const sent = headers === undefined ? {} : { headers: headers(given, undici) }
      const answered = await undici.fetch(input, { ...init, ...sent, dispatcher, signal })
      return call.limit(answered, undici)
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
      // undici's own close waits for every running call, however long, and cannot be cut short.
      const over = Promise.allSettled([...running].map((call) => call.over))
      await Promise.race([over, sleep(CLOSE_MS, undefined, { ref: false })])
      await agent?.destroy()
    }
  }
}

/** Runs for the first request and for every redirect, because each is a dispatch. */
function checkEachHop(check: (url: URL) => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (request, handler) => {
    check(new URL(String(request.origin)))
    return dispatch(request, handler)
  }
}

interface Call {
  readonly signal: AbortSignal
  /** The response with its body counted. */
  limit(response: Response, undici: Undici): Response
  end(): void
  /** Resolves when the call has ended, body included. */
  readonly over: Promise<void>
}

/** The time limit of one call and the size limit of its answer. */
function startCall({ caller, timeoutMs, maxBytes }: LimitedFetchOptions, host: string): Call {
  const controller = new AbortController()
  const expire = () =>
    controller.abort(fetchErrors.KRN_FETCH_TIMEOUT({ ...caller, host, seconds: timeoutMs / 1000 }))
  const timer = setTimeout(expire, timeoutMs)
  // An answer whose body is not read must not keep the process alive.
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
    limit(response, undici) {
      if (response.body === null) {
        end()
        return response
      }
      const tooLong = () => {
        const error = fetchErrors.KRN_FETCH_SIZE({ ...caller, host, bytes: maxBytes })
        controller.abort(error)
        return error
      }
      const body = response.body.pipeThrough(counter(maxBytes, tooLong, end))
      return withBody(response, body, undici)
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
function withBody(response: Response, body: ReadableStream, { Response: Made }: Undici): Response {
  const { status, statusText, headers, url, redirected, type } = response
  const made = new Made(body, { status, statusText, headers })
  return Object.defineProperties(made, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: type }
  })
}
